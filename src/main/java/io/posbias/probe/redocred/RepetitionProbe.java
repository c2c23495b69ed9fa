package io.posbias.probe.redocred;

import io.posbias.probe.ProbeType;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * More mentions of the head against fewer (equation 5): text1 = lead + two sentences with the head and without the tail,
 * text2 = lead + two with neither. The lead answers the query; a greater score for text1 likes repetition. The
 * two of each kind are those that make the texts most nearly as long.
 */
record RepetitionProbe() implements Probe {
    static final ProbeType TYPE = ProbeType.pairs(
            "repetition", "more mentions of the head - fewer; positive: likes repetition", "repetition");

    private static final int ADDED = 2;

    /** Texts differ by at most so many words, of 75: the least round number that leaves the paper's 250. */
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

    /**
     * The sentences added to the lead.
     *
     * @param difference by how many words those of one kind are longer than those of the other
     */
    private record Added(List<Integer> head, List<Integer> neutral, int difference) {
        static Added of(List<Integer> head, List<Integer> neutral, List<Integer> words) {
            int more = head.stream().mapToInt(words::get).sum()
                    - neutral.stream().mapToInt(words::get).sum();
            return new Added(head, neutral, Math.abs(more));
        }
    }

    /** The two and two sentences whose numbers of words differ least, the first of equals. */
    private Added added(ProbeQuery query) {
        List<Integer> words = query.document().words();
        List<Integer> neutral = neutral(query).toList();
        return pairs(headOnly(query).toList())
                .flatMap(two -> pairs(neutral).map(others -> Added.of(two, others, words)))
                .min(Comparator.comparingInt(Added::difference))
                .orElseThrow();
    }

    /** All choices of two, in order. */
    private static Stream<List<Integer>> pairs(List<Integer> sentences) {
        return IntStream.range(0, sentences.size())
                .boxed()
                .flatMap(first -> sentences.subList(first + 1, sentences.size()).stream()
                        .map(second -> List.of(sentences.get(first), second)));
    }

    /** A sentence with the head's name alone, which may be part of another's ("East Lansing"), is of neither kind. */
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
