package io.posbias.probe.redocred;

/**
 * A mention of an entity.
 *
 * @param name may differ from the tokens joined by spaces ({@code September 3, 1783} for four tokens)
 * @param type {@code PER}, {@code LOC}, {@code ORG}, {@code TIME}, {@code NUM} or {@code MISC}
 * @param sentence from 0
 * @param from first token, from 0
 * @param to end token, exclusive
 */
record Mention(String name, String type, int sentence, int from, int to) {}
