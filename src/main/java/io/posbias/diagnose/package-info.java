/** Controlled experiments on a benchmark's own documents: relocation, insertion, reversal, saliency. */
@NullMarked
package io.posbias.diagnose;

import org.jspecify.annotations.NullMarked;
