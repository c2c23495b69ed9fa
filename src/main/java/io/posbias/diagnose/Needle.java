package io.posbias.diagnose;

import io.posbias.Configs;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.dataset.Sentences;
import io.posbias.dataset.Span;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ProbeType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Changes to a document that should matter alike wherever they are made: an irrelevant passage put in, a third taken out.
 *
 * @param text the irrelevant passage
 */
public record Needle(String text) {
    /** Documents of fewer sentences have no thirds. */
    public static final int LEAST_SENTENCES = 3;

    private static final List<String> PARTS = List.of("beginning", "middle", "end");

    /** Ends the name of a probe that leaves out documents whose evidence was taken out. */
    private static final String KEPT = " (evidence kept)";

    /** The English passage inside the jar. */
    public static Needle bundled() {
        return new Needle(new String(Configs.read("data/diagnose/needle.txt"), StandardCharsets.UTF_8).strip());
    }

    /**
     * One's own passage.
     *
     * @param file in UTF-8
     * @throws PosbiasException if it cannot be read or is empty
     */
    public static Needle read(Path file) {
        try {
            String text = Files.readString(file).strip();
            if (text.isEmpty()) {
                throw new PosbiasException(file + " is empty; a needle is a sentence or a few");
            }
            return new Needle(text);
        } catch (IOException unreadable) {
            throw new PosbiasException(Problems.describe("read", file, unreadable), unreadable);
        }
    }

    /** The names of all changes, in the order of tables. */
    public static List<String> changes() {
        return Stream.of("insert %s", "remove %s", "remove %s" + KEPT)
                .flatMap(change -> PARTS.stream().map(change::formatted))
                .toList();
    }

    /**
     * The document with the needle before its first sentence, after half of its sentences rounded up, and after its last.
     *
     * @return by the name of the change
     */
    public Map<String, String> insertions(Sentences document) {
        int size = document.size();
        List<String> sentences = document.all();
        Map<String, String> texts = new LinkedHashMap<>();
        for (int part = 0; part < PARTS.size(); part++) {
            int at = (part * size + 1) / 2;
            texts.put("insert " + PARTS.get(part), document.inserted(sentences, at, List.of(text)));
        }
        return texts;
    }

    /**
     * The thirds of a document by sentences, cut at round(size / 3) and round(2 size / 3).
     *
     * @throws IllegalArgumentException if it has fewer than {@value #LEAST_SENTENCES} sentences
     */
    static List<Sentences.Range> thirds(Sentences document) {
        int size = document.size();
        if (size < LEAST_SENTENCES) {
            throw new IllegalArgumentException("no thirds of " + size + " sentences");
        }
        int first = (2 * size + 3) / 6;
        int second = (4 * size + 3) / 6;
        return List.of(
                new Sentences.Range(0, first), new Sentences.Range(first, second), new Sentences.Range(second, size));
    }

    /**
     * All changes of one document as items of two texts, the changed and the unchanged one; the probe's name is the
     * change's. Thirds without the evidence are there once more, under their own name.
     *
     * @param id of the query
     * @param unit what it counts as one with
     * @param evidence a part of the document's text, in UTF-16 units; null when it is not known
     * @throws IllegalArgumentException if it has fewer than {@value #LEAST_SENTENCES} sentences
     */
    public List<ProbeItem> items(String id, String query, String unit, Sentences document, @Nullable Span evidence) {
        String unchanged = document.join(document.all());
        List<ProbeItem> items = new ArrayList<>();
        insertions(document)
                .forEach((change, changed) -> items.add(
                        new ProbeItem(ProbeType.pairs(change), id, query, changed, unchanged, Map.of(), unit)));
        List<Sentences.Range> thirds = thirds(document);
        Sentences.Range answer =
                evidence == null ? null : document.holding(evidence).orElse(null);
        for (int part = 0; part < PARTS.size(); part++) {
            Sentences.Range third = thirds.get(part);
            String changed = document.join(document.without(third));
            String change = "remove " + PARTS.get(part);
            items.add(new ProbeItem(ProbeType.pairs(change), id, query, changed, unchanged, Map.of(), unit));
            if (answer != null && !answer.overlaps(third)) {
                items.add(new ProbeItem(ProbeType.pairs(change + KEPT), id, query, changed, unchanged, Map.of(), unit));
            }
        }
        return items;
    }
}
