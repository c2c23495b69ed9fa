package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.Columns;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Direction;
import io.posbias.score.measure.Profile;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Result;
import io.posbias.study.diagnose.Reversal.Third;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a model shows that was trained on the evidence, or that was there before the training.
 *
 * @param expected {@code front} or {@code back} if most evidence lies there, else {@code neither}; null before the training
 * @param found {@code front} or {@code back} if evidence there scores higher beyond noise, else {@code neither}
 * @param sameEvidence true if the content was held fixed, false if questions differ from place to place
 * @param frontMinusBack mean score with evidence at the front minus that with evidence at the back
 * @param middleMinusEnds of the middle minus that of both ends
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Taught(
        String model,
        String dataset,
        @Nullable String expected,
        String found,
        boolean sameEvidence,
        Estimate frontMinusBack,
        @Nullable Estimate middleMinusEnds) {
    private static final String NEITHER = "neither";
    private static final String DATA = "data";

    private static final Columns<Taught> COLUMNS = new Columns<Taught>()
            .label("model", Taught::model)
            .label("dataset", Taught::dataset)
            .text("expected", row -> row.expected == null ? "" : row.expected)
            .text("found", Taught::found)
            .number("front - back", NumberFormat.SIGNED_POINTS, row -> row.frontMinusBack.value())
            .interval(NumberFormat.SIGNED_POINTS, row -> row.frontMinusBack.interval())
            .number(
                    "middle - ends",
                    NumberFormat.SIGNED_POINTS,
                    row -> row.middleMinusEnds == null ? "" : row.middleMinusEnds.value());

    /**
     * Results of models that were trained on data, and of the models before.
     *
     * @param data digest of the data
     */
    public record Models(List<Result> results, String data) {
        /**
         * Leaves out other results.
         *
         * @throws UsageException if no result is of a model that was trained on the data
         */
        public Models {
            List<Result> after = results.stream()
                    .filter(result -> data.equals(trained(result).get(DATA)))
                    .toList();
            if (after.isEmpty()) {
                throw new UsageException(
                        "--trained: no result is of a model that 'posbias train' trained on these data");
            }
            results = results.stream()
                    .filter(result -> after.contains(result)
                            || after.stream()
                                    .anyMatch(own -> result.dataset().equals(own.dataset())
                                            && result.model()
                                                    .equals(trained(own).get("model"))))
                    .toList();
        }

        /** Returns a row for each result that compares front and back. */
        List<Taught> beside(EvidenceBand evidence) {
            String expected = evidence.most()
                    .filter(third -> third != Third.MIDDLE)
                    .map(Object::toString)
                    .orElse(NEITHER);
            return results.stream()
                    .flatMap(result -> row(result, data.equals(trained(result).get(DATA)) ? expected : null).stream())
                    .toList();
        }
    }

    private static Map<?, ?> trained(Result result) {
        return result.recipe().get(EvaluatedModel.TRAINED) instanceof Map<?, ?> settings ? settings : Map.of();
    }

    private static Optional<Taught> row(Result result, @Nullable String expected) {
        Profile profile = result.profile(result.measures().getFirst(), Strata.ALL);
        if (profile == null) {
            return Optional.empty();
        }
        ContentFixed same = profile.contentFixed();
        if (same != null) {
            return Optional.of(of(result, expected, true, same.frontMinusBack(), same.middleMinusEnds()));
        }
        Direction direction = profile.direction();
        return direction == null || direction.frontMinusBack() == null
                ? Optional.empty()
                : Optional.of(of(result, expected, false, direction.frontMinusBack(), direction.middleMinusEnds()));
    }

    private static Taught of(
            Result result,
            @Nullable String expected,
            boolean sameEvidence,
            Estimate frontMinusBack,
            @Nullable Estimate middleMinusEnds) {
        Interval interval = frontMinusBack.interval();
        String found =
                interval.low() > 0 ? Third.FRONT.toString() : interval.high() < 0 ? Third.BACK.toString() : NEITHER;
        return new Taught(
                result.model(), result.dataset(), expected, found, sameEvidence, frontMinusBack, middleMinusEnds);
    }

    static Table table(String dataset, List<Taught> rows) {
        boolean same = rows.stream().allMatch(Taught::sameEvidence);
        return COLUMNS.table(
                "What " + dataset + " teaches, and what models show",
                rows,
                List.of(
                        "expected: where most evidence of the training data lies; empty before the training",
                        "found: where evidence scores higher, by the interval of front - back, in points"
                                + (same
                                        ? ", on the same evidence"
                                        : "; of other questions where the content was not fixed"),
                        "middle - ends: a model that reads a window of text is higher in the middle without training;"
                                + " compare it with the model before"));
    }
}
