/** Controlled experiments on a benchmark's own documents: relocation, insertion, reversal, saliency. */
@NullMarked
package io.posbias.study.diagnose;

import org.jspecify.annotations.NullMarked;
