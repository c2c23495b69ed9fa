/** Language models in pipelines: prompts, parsers of replies, retries. */
@NullMarked
package io.posbias.study.build.llm;

import org.jspecify.annotations.NullMarked;
