package io.posbias.report.profile;

import io.posbias.score.result.Result;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Result of a position-blind model, in a row below the others of its benchmark.
 *
 * @param shape p-value of the paired test that a result's profile of a measure differs from this one in level only; null if
 *     their queries cannot be paired
 */
public record BlindRow(Result result, BiFunction<Result, String, @Nullable Double> shape) {}
