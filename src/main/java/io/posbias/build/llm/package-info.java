/** Language models in pipelines: prompts, parsers of replies, retries. */
@NullMarked
package io.posbias.build.llm;

import org.jspecify.annotations.NullMarked;
