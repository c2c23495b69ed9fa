package io.posbias.study.build.windows;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Plural;
import io.posbias.data.convert.Converter;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Span;
import io.posbias.data.position.WindowCutter;
import io.posbias.run.placing.Documents;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Windows of a benchmark's documents, with each query's evidence at every place.
 *
 * <p>The corpus is the same at all places: the tiles of all documents and the windows of all queries. At each place
 * one window is relevant; other passages that overlap the evidence are excluded ({@link Query#excluded}). So only a
 * query's own window differs between places.
 */
public final class WindowedBenchmark {
    private static final Comparator<Span> ORDER =
            Comparator.comparingInt(Span::start).thenComparingInt(Span::end);

    private final Dataset dataset;
    private final WindowCutter cutter;
    private final List<Question> questions = new ArrayList<>();
    private final Map<String, Document> documents = new HashMap<>();
    private final Map<WindowCutter.Unfit, Integer> unfit = new EnumMap<>(WindowCutter.Unfit.class);
    private int without;

    private record Question(Query query, String document, List<WindowCutter.Window> windows) {
        Span evidence() {
            return span(query);
        }
    }

    private record Document(Map<Span, String> pieces) {
        List<String> holding(Span evidence) {
            return pieces.entrySet().stream()
                    .filter(piece -> piece.getKey().start() < evidence.end()
                            && evidence.start() < piece.getKey().end())
                    .map(Map.Entry::getValue)
                    .toList();
        }
    }

    /** @throws PosbiasException if no query has a window at each place, with the reasons */
    public WindowedBenchmark(Dataset dataset, WindowCutter cutter) {
        this.dataset = dataset;
        this.cutter = cutter.weighing(dataset.passages());
        Documents evident = new Documents(dataset, null, 0);
        Map<Integer, List<Query>> queries = evident.evident().stream()
                .filter(query -> span(query).end() > span(query).start())
                .collect(Collectors.groupingBy(evident::passage));
        this.without = dataset.judgedQueries().size()
                - queries.values().stream().mapToInt(List::size).sum();
        Map<String, Question> cut = new HashMap<>();
        dataset.passages()
                .inFileOrder((ordinal, passage) -> cut(passage, queries.getOrDefault(ordinal, List.of()), cut));
        dataset.judgedQueries().stream()
                .map(query -> cut.get(query.id()))
                .filter(Objects::nonNull)
                .forEach(questions::add);
        if (questions.isEmpty()) {
            throw new PosbiasException(dataset.name() + ": none of "
                    + Plural.of(dataset.judgedQueries().size(), "query") + " has windows at " + cutter.places()
                    + " places: " + reasons() + "; give another --length, fewer --places or more --tolerance");
        }
    }

    private static Span span(Query query) {
        return Objects.requireNonNull(Objects.requireNonNull(query.evidence()).span());
    }

    private void cut(Passage passage, List<Query> queries, Map<String, Question> cut) {
        WindowCutter.Text text = cutter.text(passage.text());
        List<Span> pieces = new ArrayList<>();
        text.tiles().forEach(tile -> pieces.add(tile.span()));
        for (Query query : queries) {
            if (span(query).of(passage.text()).isBlank()) {
                without++;
                continue;
            }
            WindowCutter.Cut own = text.cut(span(query), query.text());
            if (own.unfit() != null) {
                unfit.merge(own.unfit(), 1, Integer::sum);
                continue;
            }
            cut.put(query.id(), new Question(query, passage.id(), own.windows()));
            own.windows().forEach(window -> pieces.add(window.span()));
        }
        documents.put(passage.id(), document(passage, pieces));
    }

    private static Document document(Passage passage, List<Span> pieces) {
        TreeSet<Span> distinct = new TreeSet<>(ORDER);
        distinct.addAll(pieces);
        Map<Span, String> ids = new LinkedHashMap<>();
        distinct.forEach(span -> ids.put(
                span,
                Passage.windowId(
                        passage.id(),
                        passage.text().codePointCount(0, span.start()),
                        passage.text().codePointCount(0, span.end()))));
        return new Document(ids);
    }

    /** Returns the benchmark with all evidence at one place, from 1. */
    public Converter at(int place, DatasetCard card) {
        return out -> {
            corpus(out);
            questions.forEach(
                    question -> write(question, place, question.query().id(), out));
            return card;
        };
    }

    /** Returns the benchmark with each query at all places, as variants {@code ID@1} and so on. */
    public Converter variants(DatasetCard card) {
        return out -> {
            corpus(out);
            for (Question question : questions) {
                String id = question.query().id();
                IntStream.rangeClosed(1, cutter.places())
                        .forEach(place -> write(question, place, id + "@" + place, out));
            }
            return card;
        };
    }

    private void corpus(DatasetWriter out) {
        dataset.passages()
                .inFileOrder((ordinal, passage) -> Objects.requireNonNull(documents.get(passage.id()))
                        .pieces()
                        .forEach((span, id) -> out.passage(
                                new Passage(id, passage.title(), span.of(passage.text()), passage.article()))));
    }

    private void write(Question question, int place, String id, DatasetWriter out) {
        Document document = Objects.requireNonNull(documents.get(question.document()));
        WindowCutter.Window window = question.windows().get(place - 1);
        String relevant = Objects.requireNonNull(document.pieces().get(window.span()));
        List<String> excluded = document.holding(question.evidence()).stream()
                .filter(other -> !other.equals(relevant))
                .toList();
        Query.Variant variant = new Query.Variant(question.query().id(), place, question.document());
        out.query(new Query(id, question.query().text(), window.evidence(), null, excluded, variant)
                .withAnswers(question.query().answers()));
        out.judgment(id, relevant, 1);
    }

    /** Returns counts of left-out queries, window lengths and excluded passages. */
    public List<String> notes(String unit) {
        List<String> notes = new ArrayList<>();
        notes.add(
                questions.size() + " of " + Plural.of(dataset.judgedQueries().size(), "query") + " have windows at all "
                        + cutter.places() + " places" + (reasons().isEmpty() ? "" : "; left out: " + reasons()));
        notes.add("windows have " + lengths() + " " + unit + " from the first to the last place on average, "
                + extreme() + " in all");
        notes.add("excluded passages that overlap a query's evidence: "
                + rounded(questions.stream().mapToInt(this::excluded).average().orElseThrow()) + " on average");
        return notes;
    }

    private String reasons() {
        Stream<String> known = unfit.entrySet().stream()
                .map(entry -> entry.getValue() + " with " + entry.getKey().words());
        Stream<String> unknown =
                without == 0 ? Stream.of() : Stream.of(without + " without a known span in one relevant passage");
        return Stream.concat(known, unknown).collect(Collectors.joining(", "));
    }

    private int excluded(Question question) {
        return Objects.requireNonNull(documents.get(question.document()))
                        .holding(question.evidence())
                        .size()
                - 1;
    }

    private String lengths() {
        return IntStream.range(0, cutter.places())
                .mapToObj(place -> rounded(questions.stream()
                        .mapToInt(question -> question.windows().get(place).length())
                        .average()
                        .orElseThrow()))
                .collect(Collectors.joining(", "));
    }

    private String extreme() {
        var all = questions.stream()
                .flatMap(question -> question.windows().stream())
                .mapToInt(WindowCutter.Window::length)
                .summaryStatistics();
        return all.getMin() + " to " + all.getMax();
    }

    private static String rounded(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
