/**
 * The hall of the house: what every room uses. Failures with their exit codes, places in files, typed fields, names
 * with suggestions, work on several threads, progress, and files that are whole or absent.
 *
 * <p>No class here knows a passage, a query or a measure.
 */
@NullMarked
package io.posbias;

import org.jspecify.annotations.NullMarked;
