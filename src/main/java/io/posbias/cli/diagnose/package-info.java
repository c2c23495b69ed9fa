/** {@code posbias diagnose}: a benchmark's own documents, as they are and changed. */
@NullMarked
package io.posbias.cli.diagnose;

import org.jspecify.annotations.NullMarked;
