package io.posbias.study.probe.rag;

import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.data.convert.Sampler;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import io.posbias.score.measure.Clustering;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Questions that a benchmark of windows asks with their evidence at each place.
 *
 * @param places of the evidence in its passage
 * @param candidates questions of the benchmark
 * @param clusters one per query, question after question and place after place
 */
public record PositionQuestions(
        Dataset dataset, List<PositionQuestion> all, int places, int candidates, Clustering clusters) {
    /**
     * A question.
     *
     * @param queries by place
     * @param answers true answers: the text of the evidence, then those of the benchmark
     * @param evidence sentences that hold the evidence
     * @param start its number in the draw, from 0: a smaller draw is the beginning of a larger one, with equal prompts
     */
    record PositionQuestion(String id, List<Query> queries, List<String> answers, String evidence, int start) {
        String text() {
            return queries.getFirst().text();
        }
    }

    /**
     * Draws questions.
     *
     * @param n null for all
     * @param seed of their order, which their places in the prompts follow
     * @throws UsageException if the benchmark does not ask its questions at several places, or has no spans in its passages
     */
    public static PositionQuestions of(Dataset dataset, @Nullable Integer n, int seed, Clustering.By unit) {
        if (dataset.card().contentFixed().isEmpty()) {
            throw new UsageException("dataset " + dataset.name()
                    + " does not ask a question with its evidence at several places: 'posbias data"
                    + " build windows --input " + dataset.name()
                    + " --variants --out DIR' makes a benchmark that does");
        }
        Map<String, TreeMap<Integer, Query>> variants = new HashMap<>();
        List<Query> firsts = new ArrayList<>();
        for (Query query : dataset.judgedQueries()) {
            Query.Variant variant = Objects.requireNonNull(query.variant(), "the reader has seen to it");
            variants.computeIfAbsent(variant.of(), of -> new TreeMap<>()).put(variant.place(), query);
            if (variant.place() == 1) {
                firsts.add(query);
            }
        }
        List<Query> drawn = Sampler.draw(firsts, n == null ? firsts.size() : n, seed);
        List<List<Query>> queries = drawn.stream()
                .map(first -> List.copyOf(
                        variants.getOrDefault(of(first), new TreeMap<>()).values()))
                .toList();
        Map<String, SequencedSet<String>> answers = new HashMap<>();
        Map<String, String> evidence = new HashMap<>();
        addEvidence(dataset, queries, answers, evidence);
        List<PositionQuestion> all = new ArrayList<>();
        for (List<Query> own : queries) {
            Query first = own.getFirst();
            all.add(new PositionQuestion(
                    of(first),
                    own,
                    List.copyOf(answers.getOrDefault(of(first), new LinkedHashSet<>())),
                    evidence.getOrDefault(of(first), ""),
                    all.size()));
        }
        List<Query> flat = queries.stream().flatMap(List::stream).toList();
        return new PositionQuestions(
                dataset, all, queries.getFirst().size(), firsts.size(), Clustering.of(dataset, flat, unit));
    }

    private static String of(Query query) {
        return Objects.requireNonNull(query.variant()).of();
    }

    /** Reads the corpus once: the span of the first place is the answer, and its sentences are the judge's evidence. */
    private static void addEvidence(
            Dataset dataset,
            List<List<Query>> queries,
            Map<String, SequencedSet<String>> answers,
            Map<String, String> evidence) {
        Map<Integer, List<Query>> byPassage = new HashMap<>();
        queries.stream()
                .map(List::getFirst)
                .forEach(query -> byPassage
                        .computeIfAbsent(relevant(dataset, query), passage -> new ArrayList<>())
                        .add(query));
        dataset.passages().inFileOrder((ordinal, passage) -> {
            for (Query query : byPassage.getOrDefault(ordinal, List.of())) {
                Span span = span(query);
                SequencedSet<String> own =
                        new LinkedHashSet<>(List.of(span.of(passage.text()).strip()));
                own.addAll(query.answers());
                answers.put(of(query), own);
                Sentences sentences =
                        Sentences.of(passage.text(), dataset.card().language());
                evidence.put(
                        of(query),
                        sentences
                                .holding(span)
                                .map(range -> sentences.join(sentences.of(range)))
                                .orElseGet(passage::text));
            }
        });
    }

    /** Returns the ordinal of a query's relevant passage. */
    static int relevant(Dataset dataset, Query query) {
        Judgments judgments = Objects.requireNonNull(dataset.qrels().of(query.id()));
        if (judgments.relevant() != 1) {
            throw new UsageException("query " + Printable.quoted(query.id()) + " of " + dataset.name() + " has "
                    + judgments.relevant() + " relevant passages: one is needed");
        }
        return judgments.firstRelevant();
    }

    private static Span span(Query query) {
        Evidence evidence = query.evidence();
        Span span = evidence == null ? null : evidence.span();
        if (span == null) {
            throw new UsageException("query " + Printable.quoted(query.id())
                    + " has no evidence span in its passage, so that its answer is unknown");
        }
        return span;
    }

    List<Query> queries() {
        return all.stream().flatMap(question -> question.queries().stream()).toList();
    }

    /** Returns the cluster of each query; without clusters each question is one, with all its places. */
    List<String> clusterNames() {
        return clusters.by() == Clustering.By.NONE
                ? all.stream()
                        .flatMap(question -> question.queries().stream().map(query -> question.id()))
                        .toList()
                : clusters.names();
    }

    /** Returns the language of the answers, as SQuAD's rules need it. */
    String language() {
        return dataset.card().language().toLowerCase(Locale.ROOT);
    }
}
