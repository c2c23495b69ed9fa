package io.posbias.model.inside;

/**
 * The gradients of one score. Special tokens and the prompt's have none here, and those that were cut off do not exist.
 *
 * @param score of query and passage
 * @param starts where each token that was read begins in the passage, in UTF-16 units
 * @param ends where each ends
 * @param norms of the gradient of each, 0 or more
 * @param cut whether the model reads less than the whole passage
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every token
public record GradientNorms(double score, int[] starts, int[] ends, double[] norms, boolean cut) {}
