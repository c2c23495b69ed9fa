/** Text functions of pipelines: lengths, sentences, splitting, key terms, cleaning, and draws by identifier. */
@NullMarked
package io.posbias.study.build.text;

import org.jspecify.annotations.NullMarked;
