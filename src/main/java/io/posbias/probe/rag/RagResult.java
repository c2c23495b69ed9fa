package io.posbias.probe.rag;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeType;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import io.posbias.stats.Proportion;
import java.util.ArrayList;
import java.util.List;

/**
 * How often a reader is right with each document.
 *
 * @param accuracies in the order of {@link RagDocument}
 * @param differences each document but none minus none, over the same queries: the paired t test of 0 and 1
 * @param answers query by query, in the order of the documents
 * @param reader what its replies took
 * @param judge what the judge's took
 */
public record RagResult(
        List<RagAccuracy> accuracies,
        List<PairTest> differences,
        List<RagAnswer> answers,
        RagEffort reader,
        RagEffort judge) {
    private static final ProbeType PROBE = ProbeType.pairs("rag");

    /**
     * A reader's answer and what became of it.
     *
     * @param id the query's
     * @param document what the reader was given
     * @param answer as it came
     * @param judged the judge's reply; empty where nobody was asked
     * @param verdict what that means
     */
    public record RagAnswer(String id, RagDocument document, String answer, String judged, RagVerdict verdict) {}

    /**
     * The answers with one document.
     *
     * @param document which
     * @param n how many there are
     * @param correct how many of them are right
     * @param share the same as a share, from 0 to 1
     * @param interval Wilson's, of the share
     * @param abstained wrong although the judge said yes, see {@link RagVerdict#ABSTAINED}
     * @param unclear wrong as the judge said neither yes nor no
     * @param empty wrong as the reader said nothing
     */
    public record RagAccuracy(
            RagDocument document,
            int n,
            int correct,
            double share,
            Interval interval,
            int abstained,
            int unclear,
            int empty) {}

    /**
     * What all replies took, whenever they were given.
     *
     * @param replies to different questions
     * @param tokens of questions and replies, as far as the service says
     * @param uncounted replies of which it does not say
     */
    public record RagEffort(
            int replies,
            long tokens,
            @JsonProperty("replies_without_tokens") int uncounted) {}

    static RagResult of(List<RagAnswer> answers, RagEffort reader, RagEffort judge, double confidence) {
        List<RagAccuracy> accuracies = new ArrayList<>();
        List<PairTest> differences = new ArrayList<>();
        double[] none = correct(answers, RagDocument.NONE);
        for (RagDocument document : RagDocument.values()) {
            Proportion correct = Proportion.of(count(answers, document, RagVerdict.CORRECT), none.length, confidence);
            accuracies.add(new RagAccuracy(
                    document,
                    correct.n(),
                    correct.hits(),
                    correct.share(),
                    correct.interval(),
                    count(answers, document, RagVerdict.ABSTAINED),
                    count(answers, document, RagVerdict.UNCLEAR),
                    count(answers, document, RagVerdict.EMPTY)));
            if (document != RagDocument.NONE) {
                differences.add(bounded(
                        PairTest.of(PROBE, document + " - none", correct(answers, document), none, confidence)));
            }
        }
        return new RagResult(accuracies, differences, answers, reader, judge);
    }

    /** The same test; its interval ends where a difference of shares does. */
    private static PairTest bounded(PairTest test) {
        Estimate difference = test.difference();
        return difference == null
                ? test
                : new PairTest(
                        test.probe(),
                        test.comparison(),
                        test.n(),
                        test.units(),
                        test.firstMean(),
                        test.secondMean(),
                        new Estimate(difference.value(), difference.interval().within(-1, 1), difference.pValue()),
                        test.t(),
                        test.effect(),
                        test.higher(),
                        test.ties());
    }

    /** 1 for each right answer with a document, 0 for each wrong one, in the order of the queries. */
    private static double[] correct(List<RagAnswer> answers, RagDocument document) {
        return answers.stream()
                .filter(answer -> answer.document() == document)
                .mapToDouble(answer -> answer.verdict() == RagVerdict.CORRECT ? 1 : 0)
                .toArray();
    }

    private static int count(List<RagAnswer> answers, RagDocument document, RagVerdict verdict) {
        return (int) answers.stream()
                .filter(answer -> answer.document() == document && answer.verdict() == verdict)
                .count();
    }
}
