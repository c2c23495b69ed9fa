package io.posbias.diagnose;

import io.posbias.dataset.Sentences;
import io.posbias.dataset.Span;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ProbeType;
import io.posbias.probe.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A document whose evidence can be put anywhere in it: the sentences that hold the evidence stay whole and together, the
 * others keep their order.
 *
 * @param document with its evidence where it was
 * @param evidence the sentences that hold it
 * @param others all sentences but these
 * @param before how many of the others are before the evidence in the document
 */
public record EvidenceMover(Sentences document, List<String> evidence, List<String> others, int before) {
    /** Documents of fewer sentences have no beginning, middle and end. */
    public static final int LEAST_SENTENCES = 3;

    /** What the items belong to. */
    static final ProbeType PROBE = new ProbeType("moving", Shape.PLACES, "", null, false);

    /** The tag with the number of the place, from 1. */
    static final String POSITION = "position";

    /**
     * Takes the evidence out of its document.
     *
     * @param evidence a part of the document's text, in UTF-16 units
     * @return empty where there are fewer than {@value #LEAST_SENTENCES} sentences, or none beside those of the evidence
     */
    public static Optional<EvidenceMover> of(Sentences document, Span evidence) {
        return document.holding(evidence)
                .filter(range -> document.size() >= LEAST_SENTENCES && range.size() < document.size())
                .map(range -> new EvidenceMover(document, document.of(range), document.without(range), range.from()));
    }

    /**
     * The document with its evidence at each of some evenly spaced places: place i of N, from 0, has round(i m / (N - 1))
     * of the other m sentences before it, halves up. Where there are fewer sentences than places, some texts are equal.
     *
     * @param places how many, at least 2
     */
    public List<String> texts(int places) {
        if (places < 2) {
            throw new IllegalArgumentException("at least two places are needed: " + places);
        }
        return IntStream.range(0, places)
                .mapToObj(place -> document.inserted(others, before(place, places, others.size()), evidence))
                .toList();
    }

    /** How many of the other sentences come before a place; in whole numbers, so that no half is lost to rounding. */
    static int before(int place, int places, int others) {
        return Math.toIntExact((2L * place * others + places - 1) / (2L * (places - 1)));
    }

    /** Where the sentences of the evidence are in the document, in UTF-16 units. */
    Span span() {
        return new Span(
                document.spans().get(before).start(),
                document.spans().get(before + evidence.size() - 1).end());
    }

    /**
     * The same as items of the probe "moving", tagged with their place from 1.
     *
     * @param id of the query
     * @param unit what it counts as one with
     */
    public List<ProbeItem> items(String id, String query, String unit, int places) {
        List<ProbeItem> items = new ArrayList<>();
        for (String text : texts(places)) {
            Map<String, String> tags = Map.of(POSITION, String.valueOf(items.size() + 1));
            items.add(new ProbeItem(PROBE, id, query, text, null, tags, unit));
        }
        return items;
    }
}
