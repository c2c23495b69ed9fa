package io.posbias.probe.redocred;

/**
 * A place where an entity is named.
 *
 * @param name the name there; need not be the tokens joined by spaces ({@code September 3, 1783} for four tokens)
 * @param type {@code PER}, {@code LOC}, {@code ORG}, {@code TIME}, {@code NUM} or {@code MISC}
 * @param sentence the sentence, from 0
 * @param from the first token in the sentence, from 0
 * @param to the token after the last
 */
record Mention(String name, String type, int sentence, int from, int to) {}
