package io.posbias.run.placing;

import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A document whose evidence sentences can be inserted at any place among the other sentences, which keep their order.
 *
 * @param before number of other sentences before the evidence in the original
 */
public record EvidenceMover(Sentences document, List<String> evidence, List<String> others, int before) {
    /** Documents with fewer sentences have no beginning, middle and end. */
    public static final int LEAST_SENTENCES = 3;

    /**
     * Extracts the evidence, given in UTF-16 units.
     *
     * @return empty for fewer than {@value #LEAST_SENTENCES} sentences or nothing but evidence
     */
    public static Optional<EvidenceMover> of(Sentences document, Span evidence) {
        return document.holding(evidence)
                .filter(range -> document.size() >= LEAST_SENTENCES && range.size() < document.size())
                .map(range -> new EvidenceMover(document, document.of(range), document.without(range), range.from()));
    }

    /**
     * The document with its evidence at evenly spaced places: place i of N, from 0, has round(i m / (N - 1)) of the other m
     * sentences before it, halves up. Short documents yield equal texts.
     */
    public List<String> texts(int places) {
        if (places < 2) {
            throw new IllegalArgumentException("at least two places are needed: " + places);
        }
        return IntStream.range(0, places)
                .mapToObj(place -> document.inserted(others, before(place, places, others.size()), evidence))
                .toList();
    }

    /** Number of other sentences before a place, in integer arithmetic, so that halves round up exactly. */
    static int before(int place, int places, int others) {
        return Math.toIntExact((2L * place * others + places - 1) / (2L * (places - 1)));
    }

    /** The evidence sentences in the document, in UTF-16 units. */
    Span span() {
        return new Span(
                document.spans().get(before).start(),
                document.spans().get(before + evidence.size() - 1).end());
    }
}
