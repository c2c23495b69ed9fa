package io.posbias.dataset;

import org.jspecify.annotations.Nullable;

/**
 * A question asked of the corpus.
 *
 * @param id its identifier, unique in the benchmark
 * @param text the question
 * @param evidence where its answer lies; null when the benchmark does not say
 */
public record Query(String id, String text, @Nullable Evidence evidence) {}
