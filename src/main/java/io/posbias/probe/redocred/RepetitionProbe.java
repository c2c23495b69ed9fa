package io.posbias.probe.redocred;

import io.posbias.probe.ProbeType;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * More mentions of the head against fewer (equation 5): text1 = lead + two sentences with the head and without the tail,
 * text2 = lead + two with neither. The lead answers the query; a greater score for text1 likes repetition. COMPAT has the
 * first two of each kind, STRICT those that make the texts most nearly as long.
 */
record RepetitionProbe(PaperVariant profile) implements Probe {
    static final ProbeType TYPE = ProbeType.pairs(
            "repetition", "more mentions of the head - fewer; positive: likes repetition", "repetition");

    private static final int ADDED = 2;

    /** Texts of STRICT differ by at most so many words, of 75: the least round number that leaves the paper's 250. */
    private static final int MOST_WORDS = 10;

    @Override
    public Selection select(QueryPool pool) {
        Selection enough = pool.evident(
                        profile,
                        "one evidence sentence with one mention of the head",
                        query -> query.singleEvidence() && query.headOnceInEvidence())
                .keep("one relation", ProbeQuery::singleRelation)
                .keep(
                        "two sentences with the head only, two with neither",
                        query -> headOnly(query).count() >= ADDED
                                && neutral(query).count() >= ADDED);
        return profile == PaperVariant.COMPAT
                ? enough.firstPerTitle()
                : enough.keep(
                                "texts of about the same length",
                                query -> added(query).difference() <= MOST_WORDS)
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
        return new Composition().add(query.document(), lead(query)).add(query.document(), added);
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

    /**
     * The notebooks take the first two of each kind, and those with the head are longer. STRICT takes the two and two whose
     * numbers of words differ least, the first of equals, so that the texts differ in the head and not in length.
     */
    private Added added(ProbeQuery query) {
        List<Integer> words = query.document().words();
        List<Integer> head = headOnly(query).toList();
        List<Integer> neutral = neutral(query).toList();
        return profile == PaperVariant.COMPAT
                ? Added.of(head.subList(0, ADDED), neutral.subList(0, ADDED), words)
                : pairs(head)
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

    /** The paper's lead is the evidence; the notebooks take the first sentence that mentions the tail. */
    private int lead(ProbeQuery query) {
        return profile == PaperVariant.STRICT ? query.evidence() : query.tail().firstSentence();
    }

    /**
     * In COMPAT a sentence counts once for each mention, and the lead may be among them. In STRICT a sentence with the head's
     * name alone, which may be part of another's ("East Lansing"), is of neither kind.
     */
    private Stream<Integer> headOnly(ProbeQuery query) {
        if (profile == PaperVariant.COMPAT) {
            return query.head().mentions().stream()
                    .map(Mention::sentence)
                    .sorted()
                    .filter(sentence -> !query.tail().isMentionedIn(sentence));
        }
        return others(query).filter(query.head()::isMentionedIn);
    }

    private Stream<Integer> neutral(ProbeQuery query) {
        if (profile == PaperVariant.COMPAT) {
            return query.document().all().stream()
                    .filter(sentence -> !query.head().isMentionedIn(sentence)
                            && !query.tail().isMentionedIn(sentence));
        }
        return others(query).filter(sentence -> !query.document().contains(query.head(), sentence));
    }

    private static Stream<Integer> others(ProbeQuery query) {
        return query.document().allBut(query.evidence()).stream()
                .filter(sentence -> !query.document().contains(query.tail(), sentence));
    }
}
