/**
 * posbias in other people's code: {@link io.posbias.api.Posbias} evaluates a recipe or a search of one's own, {@link
 * io.posbias.api.PositionAssertions} makes a test of it.
 *
 * <p>What is public here keeps its names and meaning within a major version; from 1.0 on it is removed only after a minor
 * version in which it was deprecated. All other packages are posbias's own and change without notice. Nothing here prints,
 * ends the process or changes settings of the JVM; errors a caller can do something about are {@link
 * io.posbias.PosbiasException}s with one line as the message.
 */
@NullMarked
package io.posbias.api;

import org.jspecify.annotations.NullMarked;
