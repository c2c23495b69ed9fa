/**
 * Models behind vendors' web interfaces: embeddings and reranking scores from OpenAI, Voyage, Cohere and Jina, and
 * answers of language models from whatever talks like OpenAI's chat completions; asked for within each vendor's limits,
 * tried again when busy, checked, and paid for knowingly. A key comes from the environment, goes into one header to one
 * host, and nowhere else.
 */
@NullMarked
package io.posbias.model.encode.api;

import org.jspecify.annotations.NullMarked;
