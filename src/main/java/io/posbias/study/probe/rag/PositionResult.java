package io.posbias.study.probe.rag;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.RaterAgreement;
import io.posbias.score.measure.PlaceMeans;
import io.posbias.score.measure.Settings;
import io.posbias.study.probe.rag.PositionAnswers.PositionAnswer;
import io.posbias.study.probe.rag.PositionAnswers.Reading;
import io.posbias.study.probe.rag.RagResult.RagVerdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Shares and means by place with one retriever.
 *
 * @param agreement of two judges; null with fewer
 */
public record PositionResult(
        List<PositionCurve> curves, @Nullable JudgeAgreement agreement) {
    /** A share or mean by place. */
    public enum Quantity {
        /** The evidence's passage is among the first k. */
        RETRIEVED("retrieval"),
        /** The reply is right, of the queries whose evidence was retrieved. */
        RIGHT_IF_RETRIEVED("if retr."),
        /** The reply is right. */
        RIGHT("both"),
        /** The reply is right with the evidence's passage in every prompt. */
        READ("reading"),
        F1("F1"),
        /** F1 with the evidence's passage in every prompt. */
        READ_F1("reading, F1"),
        /** {@link #READ}, by the place of the passage in the prompt. */
        READ_IN_PROMPT("in prompt");

        private final String label;

        Quantity(String label) {
            this.label = label;
        }

        /** Name of the quantity's loss in tables. */
        String label() {
            return label;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A quantity by place: of the evidence in its passage, or of the passage in the prompt. */
    public record PositionCurve(
            Quantity quantity, @JsonUnwrapped PlaceMeans means) {}

    /**
     * Agreement of two judges on the distinct replies that both judged.
     *
     * @param same replies with equal decisions
     * @param kappa Cohen's, of correct or not; null if chance agreement is 1
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record JudgeAgreement(
            int n,
            int same,
            @Nullable Double kappa,
            @Nullable Interval interval) {}

    PositionCurve curve(Quantity quantity) {
        return curves.stream()
                .filter(curve -> curve.quantity() == quantity)
                .findFirst()
                .orElseThrow();
    }

    static PositionResult of(List<PositionAnswer> answers, int places, int k, Settings settings) {
        Predicate<PositionAnswer> all = answer -> true;
        Curves curves = new Curves(answers, settings, new ArrayList<>());
        ToIntFunction<PositionAnswer> place = PositionAnswer::place;
        curves.add(Quantity.RETRIEVED, places, place, all, answer -> answer.rank() == null ? 0 : 1);
        Predicate<PositionAnswer> retrieved = answer -> answer.rank() != null;
        curves.add(Quantity.RIGHT_IF_RETRIEVED, places, place, retrieved, answer -> right(answer.found()));
        curves.add(Quantity.RIGHT, places, place, all, answer -> right(answer.found()));
        curves.add(Quantity.READ, places, place, all, answer -> right(answer.given()));
        curves.add(
                Quantity.F1,
                places,
                place,
                all,
                answer -> answer.found().match().f1());
        curves.add(
                Quantity.READ_F1,
                places,
                place,
                all,
                answer -> answer.given().match().f1());
        ToIntFunction<PositionAnswer> inPrompt =
                answer -> Objects.requireNonNull(answer.given().promptPlace());
        curves.add(Quantity.READ_IN_PROMPT, k, inPrompt, all, answer -> right(answer.given()));
        return new PositionResult(curves.all(), agreement(answers, settings.confidence()));
    }

    private static double right(Reading reading) {
        return reading.right() ? 1 : 0;
    }

    private record Curves(List<PositionAnswer> answers, Settings settings, List<PositionCurve> all) {
        void add(
                Quantity quantity,
                int places,
                ToIntFunction<PositionAnswer> place,
                Predicate<PositionAnswer> counts,
                ToDoubleFunction<PositionAnswer> score) {
            List<PositionAnswer> rows = answers.stream().filter(counts).toList();
            all.add(new PositionCurve(
                    quantity,
                    PlaceMeans.of(
                            rows.stream().mapToDouble(score).toArray(),
                            rows.stream().mapToInt(place).toArray(),
                            places,
                            Clusters.named(
                                    rows.stream().map(PositionAnswer::cluster).toList()),
                            settings)));
        }
    }

    private static @Nullable JudgeAgreement agreement(List<PositionAnswer> answers, double confidence) {
        record Judged(String cluster, boolean first, boolean second) {}
        Map<String, Judged> judged = new LinkedHashMap<>();
        for (PositionAnswer answer : answers) {
            Stream.of(answer.found(), answer.given())
                    .filter(reading -> reading.secondVerdict() != null && reading.verdict() != RagVerdict.EMPTY)
                    .forEach(reading -> judged.put(
                            answer.question() + "\n" + reading.answer(),
                            new Judged(
                                    answer.cluster(),
                                    reading.verdict() == RagVerdict.CORRECT,
                                    reading.secondVerdict() == RagVerdict.CORRECT)));
        }
        if (judged.isEmpty()) {
            return null;
        }
        List<Judged> rows = List.copyOf(judged.values());
        boolean[] first = new boolean[rows.size()];
        boolean[] second = new boolean[rows.size()];
        for (int i = 0; i < rows.size(); i++) {
            first[i] = rows.get(i).first();
            second[i] = rows.get(i).second();
        }
        RaterAgreement.Agreement kappa = RaterAgreement.kappa(
                first, second, Clusters.named(rows.stream().map(Judged::cluster).toList()), confidence);
        int same =
                (int) rows.stream().filter(row -> row.first() == row.second()).count();
        return new JudgeAgreement(rows.size(), same, kappa.value(), kappa.interval());
    }
}
