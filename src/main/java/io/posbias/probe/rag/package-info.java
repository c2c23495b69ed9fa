/** What a language model answers with the documents that retrievers prefer. */
@NullMarked
package io.posbias.probe.rag;

import org.jspecify.annotations.NullMarked;
