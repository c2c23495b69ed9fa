package io.posbias.probe.rag;

/**
 * A reader's answer and what became of it.
 *
 * @param id the query's
 * @param document what the reader was given
 * @param answer as it came
 * @param judged the judge's reply; empty where nobody was asked
 * @param verdict what that means
 */
public record RagAnswer(String id, RagDocument document, String answer, String judged, RagVerdict verdict) {}
