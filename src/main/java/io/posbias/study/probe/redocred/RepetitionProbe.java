package io.posbias.study.probe.redocred;

import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.redocred.ProbeRecord.Composition;
import io.posbias.study.probe.redocred.QueryPool.Selection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * More mentions of the head against fewer (equation 5): text1 = lead + two sentences with the head and without the tail, text2
 * = lead + two with neither. The lead answers the query; a higher score of text1 prefers repetition. The added sentences are
 * those of most similar total length.
 */
record RepetitionProbe() implements Probe {
    static final ProbeType TYPE = ProbeType.pairs(
            "repetition", "more mentions of the head - fewer; positive: likes repetition", "repetition");

    private static final int ADDED = 2;

    /** Largest difference in words, of 75: the smallest round number that leaves the paper's 250. */
    private static final int MOST_WORDS = 10;

    @Override
    public Selection select(QueryPool pool) {
        return pool.evident()
                .keep("one relation", ProbeQuery::singleRelation)
                .keep(
                        "two sentences with the head only, two with neither",
                        query -> headOnly(query).count() >= ADDED
                                && neutral(query).count() >= ADDED)
                .keep("texts of about the same length", query -> added(query).difference() <= MOST_WORDS)
                .leastPerTitle(
                        "the one of an article whose texts differ least",
                        query -> added(query).difference());
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        Added added = added(query);
        return List.of(ProbeRecord.of(TYPE, query, text(query, added.head()), text(query, added.neutral())));
    }

    private Composition text(ProbeQuery query, List<Integer> added) {
        return new Composition().add(query.document(), query.evidence()).add(query.document(), added);
    }

    /** The added sentences and the difference of their lengths in words. */
    private record Added(List<Integer> head, List<Integer> neutral, int difference) {
        static Added of(List<Integer> head, List<Integer> neutral, List<Integer> words) {
            int more = head.stream().mapToInt(words::get).sum()
                    - neutral.stream().mapToInt(words::get).sum();
            return new Added(head, neutral, Math.abs(more));
        }
    }

    /** The sentences of most similar length, the first of equals. */
    private Added added(ProbeQuery query) {
        List<Integer> words = query.document().words();
        List<Integer> neutral = neutral(query).toList();
        return pairs(headOnly(query).toList())
                .flatMap(two -> pairs(neutral).map(others -> Added.of(two, others, words)))
                .min(Comparator.comparingInt(Added::difference))
                .orElseThrow();
    }

    private static Stream<List<Integer>> pairs(List<Integer> sentences) {
        return IntStream.range(0, sentences.size())
                .boxed()
                .flatMap(first -> sentences.subList(first + 1, sentences.size()).stream()
                        .map(second -> List.of(sentences.get(first), second)));
    }

    /** Sentences with an annotated mention; a head's name inside another name ("East Lansing") counts as neither. */
    private Stream<Integer> headOnly(ProbeQuery query) {
        return others(query).filter(query.head()::isMentionedIn);
    }

    private Stream<Integer> neutral(ProbeQuery query) {
        return others(query).filter(sentence -> !query.document().contains(query.head(), sentence));
    }

    private static Stream<Integer> others(ProbeQuery query) {
        return query.document().allBut(query.evidence()).stream()
                .filter(sentence -> !query.document().contains(query.tail(), sentence));
    }
}
