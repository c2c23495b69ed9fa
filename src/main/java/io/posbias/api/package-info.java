/**
 * The Java API: {@link io.posbias.api.Posbias} evaluates a recipe or a search engine, {@link
 * io.posbias.api.PositionAssertions} tests the result. <p>Public types are stable within a major version. All other
 * packages change without notice. Methods neither print nor exit; errors that callers can handle are {@link
 * io.posbias.base.process.PosbiasException}s with a one-line message.
 */
@NullMarked
package io.posbias.api;

import org.jspecify.annotations.NullMarked;
