/**
 * Utilities for all packages: failures with exit codes, typed fields, suggestions, threads, progress and atomic files.
 * <p>No class of this package depends on passages, queries or measures.
 */
@NullMarked
package io.posbias;

import org.jspecify.annotations.NullMarked;
