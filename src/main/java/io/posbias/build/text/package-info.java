/** What pipelines do with texts alone: lengths, sentences, splits, key terms, cleaning; and draws by identifier. */
@NullMarked
package io.posbias.build.text;

import org.jspecify.annotations.NullMarked;
