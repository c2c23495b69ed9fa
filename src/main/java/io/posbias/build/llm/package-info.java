/** Language models as pipelines ask them: prompts, replies that are read, and asking once more. */
@NullMarked
package io.posbias.build.llm;

import org.jspecify.annotations.NullMarked;
