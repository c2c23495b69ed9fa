package io.posbias.diagnose;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Span;
import io.posbias.dataset.Words;
import io.posbias.position.WindowCutter;
import io.posbias.retrieve.text.Terms;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Windows of a benchmark's passages with the evidence at each place, matched on the question's terms like those of {@code data
 * build windows}. Unmatched windows differ in content between front and back, which gives position-blind models a direction.
 */
final class EvidenceWindows {
    private final WindowCutter cutter;
    private final Map<String, WindowCutter.Text> texts = new HashMap<>();
    private final Map<WindowCutter.Unfit, Integer> unfit = new EnumMap<>(WindowCutter.Unfit.class);

    /** Counts the terms of all passages. */
    EvidenceWindows(Dataset dataset, int places, int words) {
        String language = dataset.card().language();
        this.cutter = new WindowCutter(
                        places,
                        words,
                        WindowCutter.TOLERANCE,
                        WindowCutter.MATCH,
                        text -> Words.cut(text, language).size(),
                        new Terms(dataset.card()),
                        term -> 1,
                        language)
                .weighing(dataset.passages());
    }

    /** The windows of all places; empty if one is missing, which is counted. */
    Optional<List<Relocation.Text>> of(Documents.Document document) {
        Passage passage = document.passage();
        Span evidence = Objects.requireNonNull(document.evidence());
        if (evidence.of(passage.text()).isBlank()) {
            return Optional.empty();
        }
        WindowCutter.Cut cut = texts.computeIfAbsent(passage.id(), id -> cutter.text(passage.text()))
                .cut(evidence, document.query().text());
        if (cut.unfit() != null) {
            unfit.merge(cut.unfit(), 1, Integer::sum);
            return Optional.empty();
        }
        return Optional.of(
                cut.windows().stream().map(window -> text(document, window)).toList());
    }

    private static Relocation.Text text(Documents.Document document, WindowCutter.Window window) {
        Evidence evidence = Objects.requireNonNull(window.evidence());
        List<Span> sentences = document.sentences().spans();
        return new Relocation.Text(
                window.span().of(document.passage().text()),
                Objects.requireNonNull(evidence.span()).start(),
                window.span().start() == sentences.getFirst().start()
                        && window.span().end() == sentences.getLast().end(),
                0);
    }

    /** Reasons for missing windows, with counts. */
    String reasons() {
        return unfit.entrySet().stream()
                .map(entry -> entry.getValue() + " with " + entry.getKey().words())
                .collect(Collectors.joining(", "));
    }
}
