/** A benchmark's own documents, looked into or changed: what scores do then. */
@NullMarked
package io.posbias.diagnose;

import org.jspecify.annotations.NullMarked;
