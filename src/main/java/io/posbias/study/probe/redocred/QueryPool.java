package io.posbias.study.probe.redocred;

import io.posbias.study.probe.NumpyPermutation;
import io.posbias.study.probe.redocred.RedocredDocument.Label;
import io.posbias.study.probe.redocred.RedocredInput.RedocredCorpus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pool of all probes: one query per label with evidence and a question.
 *
 * @param documents with distinct titles
 * @param selection queries with the numbers after each filter
 */
record QueryPool(List<RedocredDocument> documents, Selection selection) {
    /** Relations near many-to-many that the authors skip: "contains administrative entity" and "participant". */
    static final Set<String> SKIPPED = Set.of("P150", "P710");

    /** Collects the queries, searching duplicates in a corpus as well. */
    static QueryPool of(
            List<RedocredDocument> documents,
            QuestionTemplates templates,
            boolean keepDuplicates,
            RedocredCorpus corpus) {
        Selection selection = Selection.of("relations", walk(documents, templates.questions()));
        if (!keepDuplicates) {
            Duplicates duplicates = new Duplicates(selection.queries(), corpus);
            selection = selection.keep("in no other article", query -> !duplicates.contains(query));
        }
        return new QueryPool(
                documents,
                selection
                        .keep(
                                "with evidence",
                                query -> !query.label().evidence().isEmpty())
                        .keep("with a question", query -> !query.template().isEmpty()));
    }

    List<ProbeQuery> queries() {
        return selection.queries();
    }

    Selection candidates() {
        return Selection.of("queries", queries());
    }

    /** Queries with one evidence sentence that mentions head and tail. */
    Selection evident() {
        return candidates().keep("one evidence sentence with head and tail", ProbeQuery::evidenceMentionsBoth);
    }

    /** Queries whose head and tail occur in the evidence alone: moving or dropping the rest keeps the answer. */
    Selection restFree() {
        return evident()
                .keep(
                        "one relation, rest free of head and tail",
                        query -> query.singleRelation() && query.restIsFree());
    }

    private static List<ProbeQuery> walk(List<RedocredDocument> documents, Map<String, String> questions) {
        Map<String, Integer> numbers = new HashMap<>();
        List<ProbeQuery> walk = new ArrayList<>();
        for (RedocredDocument document : documents) {
            for (Label label : document.labels()) {
                if (SKIPPED.contains(label.relation())) {
                    continue;
                }
                int number = numbers.merge(document.split(), 1, Integer::sum) - 1;
                walk.add(new ProbeQuery(
                        walk.size(),
                        document.split() + number,
                        document,
                        label,
                        questions.getOrDefault(label.relation(), "")));
            }
        }
        return walk;
    }

    /**
     * Queries that another article answers: it states the same relation of the head's name, or any relation between both names, in
     * either direction. The authors searched 105,925 articles.
     */
    static final class Duplicates {
        /** Titles of the articles that state a fact. */
        private final Map<List<String>, Set<String>> titles = new HashMap<>();

        /**
         * @param corpus further articles, read as a stream
         */
        Duplicates(Collection<ProbeQuery> queries, RedocredCorpus corpus) {
            queries.forEach(query -> facts(query).forEach(fact -> titles.put(fact, new HashSet<>())));
            queries.forEach(this::note);
            corpus.forEach(document -> document.labels().stream()
                    .filter(label -> !QueryPool.SKIPPED.contains(label.relation()))
                    .forEach(label -> note(new ProbeQuery(0, "", document, label, ""))));
        }

        private void note(ProbeQuery query) {
            facts(query)
                    .flatMap(fact -> Stream.of(fact, fact.reversed()))
                    .map(titles::get)
                    .filter(Objects::nonNull)
                    .forEach(known -> known.add(query.title()));
        }

        /** Facts that answer a query: its relation of a head's name, and any relation between names of head and tail. */
        private static Stream<List<String>> facts(ProbeQuery query) {
            return query.head().names().stream()
                    .flatMap(head -> Stream.concat(
                            Stream.of(List.of(head, "relation", query.relation())),
                            query.tail().names().stream().map(tail -> List.of(head, "pair", tail))));
        }

        /** Returns true if an article other than the query's own answers it. */
        boolean contains(ProbeQuery query) {
            return facts(query)
                    .anyMatch(fact -> titles.getOrDefault(fact, Set.of()).size() > 1);
        }
    }

    /**
     * Queries that passed a sequence of filters.
     *
     * @param queries in pool order
     * @param steps remaining queries after each filter
     */
    record Selection(List<ProbeQuery> queries, SequencedMap<String, Integer> steps) {
        /** All queries, under a first step. */
        static Selection of(String step, List<ProbeQuery> queries) {
            return new Selection(List.of(), new LinkedHashMap<>()).then(step, queries);
        }

        Selection keep(String step, Predicate<ProbeQuery> wanted) {
            return then(step, queries.stream().filter(wanted).toList());
        }

        /** The last {@code n} of each article, to balance articles. */
        Selection lastPerTitle(int n) {
            return then("the last " + n + " of an article", last(ProbeQuery::title, n));
        }

        Selection lastPerQuestion(int n) {
            return then("the last " + n + " with one question", last(ProbeQuery::text, n));
        }

        Selection firstPerTitle() {
            return then("the first of an article", first(queries));
        }

        /** The query of each article with the smallest number, the first of equals, in pool order. */
        Selection leastPerTitle(String step, ToIntFunction<ProbeQuery> number) {
            Map<Integer, Integer> numbers =
                    queries.stream().collect(Collectors.toMap(ProbeQuery::ordinal, number::applyAsInt));
            List<ProbeQuery> rising = queries.stream()
                    .sorted(Comparator.comparing(query -> Objects.requireNonNull(numbers.get(query.ordinal()))))
                    .toList();
            return then(
                    step,
                    first(rising).stream()
                            .sorted(Comparator.comparingInt(ProbeQuery::ordinal))
                            .toList());
        }

        Selection anyPerTitle(int seed) {
            return then("one of an article", first(NumpyPermutation.draw(queries, queries.size(), seed)));
        }

        private static List<ProbeQuery> first(List<ProbeQuery> queries) {
            Map<String, ProbeQuery> first = new LinkedHashMap<>();
            queries.forEach(query -> first.putIfAbsent(query.title(), query));
            return List.copyOf(first.values());
        }

        private List<ProbeQuery> last(Function<ProbeQuery, String> key, int n) {
            Map<String, Integer> taken = new HashMap<>();
            List<ProbeQuery> kept = new ArrayList<>();
            for (ProbeQuery query : queries.reversed()) {
                if (taken.merge(key.apply(query), 1, Integer::sum) <= n) {
                    kept.add(query);
                }
            }
            return List.copyOf(kept.reversed());
        }

        private Selection then(String step, List<ProbeQuery> left) {
            SequencedMap<String, Integer> taken = new LinkedHashMap<>(steps);
            taken.put(step, left.size());
            return new Selection(left, taken);
        }
    }
}
