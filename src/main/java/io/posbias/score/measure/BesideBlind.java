package io.posbias.score.measure;

import org.jspecify.annotations.Nullable;

/**
 * A profile beside that of a position-blind model on the same queries.
 *
 * @param model name of the blind model
 * @param shape p-value of the paired test that both profiles differ in level only; null unless both differ by position, or if untested
 * @param unread the loss where evidence is not read beyond that of the blind model; null if untested
 */
public record BesideBlind(
        String model, @Nullable Double shape, @Nullable UnreadContrast unread) {}
