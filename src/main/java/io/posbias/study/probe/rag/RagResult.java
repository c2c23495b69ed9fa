package io.posbias.study.probe.rag;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Proportion;
import io.posbias.base.table.Meaning;
import io.posbias.study.probe.PairTest;
import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.Spaces;
import io.posbias.study.probe.rag.RagItem.RagDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Accuracy of a reader by document.
 *
 * @param accuracies in the order of {@link RagDocument}
 * @param differences each document minus none, over the same queries (paired t)
 * @param answers by query, in the order of documents
 */
public record RagResult(
        List<RagAccuracy> accuracies,
        List<PairTest> differences,
        List<RagAnswer> answers,
        RagEffort reader,
        RagEffort judge) {
    private static final ProbeType PROBE = ProbeType.pairs("rag");

    /**
     * An answer with its verdict.
     *
     * @param judged the judge's reply; empty if it was not asked
     */
    public record RagAnswer(
            @Meaning("identifier of the query") String id,
            @Meaning("document given to the reader") RagDocument document,
            @Meaning("`correct`, or why not") RagVerdict verdict,
            @Meaning("the answer, unchanged") String answer,

            @Meaning("the judge's reply; empty for empty answers") @JsonProperty("judge")
            String judged) {}

    /**
     * Answers with one document.
     *
     * @param interval Wilson's
     */
    public record RagAccuracy(
            @JsonUnwrapped RagShare accepted,
            Interval interval,
            @JsonUnwrapped RagWrong wrong) {}

    public record RagShare(
            @Meaning("document given to the reader: `poison`, `foil`, `none` or `evidence`")
            RagDocument document,

            @Meaning("answers") int n,
            @Meaning("answers that the judge accepted") int correct,
            @Meaning("share of accepted answers") double share) {}

    public record RagWrong(
            @Meaning("wrong answers that call the document insufficient")
            int abstained,

            @Meaning("answers counted as wrong because the verdict is neither yes nor no")
            int unclear,

            @Meaning("empty answers, counted as wrong") int empty) {}

    /**
     * Usage of all replies, cached or new.
     *
     * @param tokens of questions and replies, as reported by the service
     * @param uncounted replies without reported tokens
     */
    public record RagEffort(
            int replies,
            long tokens,
            @JsonProperty("replies_without_tokens") int uncounted) {}

    static RagResult of(List<RagAnswer> answers, RagEffort reader, RagEffort judge, double confidence) {
        List<RagAccuracy> accuracies = new ArrayList<>();
        List<PairTest> differences = new ArrayList<>();
        double[] none = correct(answers, RagDocument.NONE);
        for (RagDocument document :
                answers.stream().map(RagAnswer::document).distinct().sorted().toList()) {
            Proportion correct = Proportion.of(count(answers, document, RagVerdict.CORRECT), none.length, confidence);
            accuracies.add(new RagAccuracy(
                    new RagShare(document, correct.n(), correct.hits(), correct.share()),
                    correct.interval(),
                    new RagWrong(
                            count(answers, document, RagVerdict.ABSTAINED),
                            count(answers, document, RagVerdict.UNCLEAR),
                            count(answers, document, RagVerdict.EMPTY))));
            if (document != RagDocument.NONE) {
                differences.add(bounded(
                        PairTest.of(PROBE, document + " - none", correct(answers, document), none, confidence)));
            }
        }
        return new RagResult(accuracies, differences, answers, reader, judge);
    }

    /** Clips the interval of a difference of shares to [-1, 1]. */
    private static PairTest bounded(PairTest test) {
        Estimate difference = test.difference();
        return difference == null
                ? test
                : new PairTest(
                        test.probe(),
                        test.comparison(),
                        test.n(),
                        test.clusters(),
                        test.firstMean(),
                        test.secondMean(),
                        new Estimate(difference.value(), difference.interval().within(-1, 1), difference.pValue()),
                        test.t(),
                        test.effect(),
                        test.higher(),
                        test.ties());
    }

    /** 1 for each correct answer, otherwise 0, in query order. */
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

    public enum RagVerdict {
        /** The judge's reply begins with YES. */
        CORRECT,
        /** It begins with the word NO. */
        WRONG,
        /** The reply begins with YES, but the answer says that the document does not provide it: counts as wrong. */
        ABSTAINED,
        /** The reply begins with neither: counts as wrong. */
        UNCLEAR,
        /** Empty answer, which is not judged: counts as wrong. */
        EMPTY;

        /** Phrase of abstaining readers; the authors' notebooks count it as wrong regardless of the judge. */
        private static final String ABSTAINS = "document does not provide";

        private static final Pattern NO = Pattern.compile("NO\\b.*", Pattern.DOTALL);

        /**
         * Parses a judge's reply.
         *
         * @param prompt the judge's question, with evidence and answer
         */
        static RagVerdict of(String prompt, String reply) {
            String judged = Spaces.strip(reply).toUpperCase(Locale.ROOT);
            if (judged.startsWith("YES")) {
                return prompt.contains(ABSTAINS) ? ABSTAINED : CORRECT;
            }
            return NO.matcher(judged).matches() ? WRONG : UNCLEAR;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
