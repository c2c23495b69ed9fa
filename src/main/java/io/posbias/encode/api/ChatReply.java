package io.posbias.encode.api;

import java.util.OptionalLong;

/**
 * What a language model answered.
 *
 * @param text as it came, which may be empty
 * @param tokens of question and answer together; empty where the service does not say
 */
public record ChatReply(String text, OptionalLong tokens) {}
