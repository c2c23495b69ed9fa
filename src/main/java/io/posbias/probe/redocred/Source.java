package io.posbias.probe.redocred;

/**
 * Where a sentence of a probe's text comes from.
 *
 * @param title the article
 * @param sentence the sentence in it, from 0
 * @param changed whether names in it were replaced
 */
record Source(String title, int sentence, boolean changed) {}
