package io.posbias.report.leaderboard;

import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Estimate;
import io.posbias.base.table.Columns;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.LossParts;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Losses at the back with the content held fixed, by benchmark, the smallest first, in tiers. */
record LossTable(Leaderboard board, PairwiseTests tests) {
    private static final List<String> NOTES = List.of(
            "loss: of the same evidence from the front to the back of its passage, as a share of the front",
            "its parts add up: by not reading, by position, and what too few passages tell apart",
            "tier: the first of a tier loses less, in absolute value, than the first of the next one beyond noise (paired by"
                    + " question, by cluster)");

    /** @param tier null if the model cannot be compared with those before it */
    private record Row(
            Result result,
            Profile profile,
            ContentFixed fixed,
            @Nullable Integer tier) {
        private @Nullable LossParts parts() {
            return fixed.parts();
        }

        @Nullable
        Estimate loss() {
            return fixed.lossShare();
        }

        /** The part by not reading; null if all is read, or if that is unknown. */
        @Nullable
        Estimate notReading() {
            LossParts parts = parts();
            return parts == null ? null : share(parts.notReading());
        }

        /** The part by position, which is all of the loss where all is read. */
        @Nullable
        Estimate position() {
            LossParts parts = parts();
            return parts != null ? share(parts.position()) : fixed.isReadUnknown() ? null : loss();
        }

        private @Nullable Estimate share(LossParts.@Nullable Part part) {
            return part == null ? null : Objects.requireNonNull(parts()).share(part.points());
        }

        /** The part at places that too few passages are read at. */
        @Nullable
        Estimate remainder() {
            LossParts parts = parts();
            return parts == null || parts.remainder() == null ? null : parts.share(parts.remainder());
        }

        /** Models without a loss come last. */
        double size() {
            Estimate loss = loss();
            return loss == null ? Double.POSITIVE_INFINITY : Math.abs(loss.value());
        }
    }

    Table table(String title, List<String> notes) {
        List<Row> rows = new ArrayList<>();
        board.datasets().forEach(dataset -> addTiers(dataset, rows));
        if (rows.isEmpty()) {
            throw new UsageException(
                    "no result has the content held fixed, which this layout shows; posbias eval --content-fixed makes them");
        }
        List<String> all = new ArrayList<>(notes);
        all.addAll(NOTES);
        all.addAll(tests.untested());
        return new Columns<Row>(board.digits())
                .label("dataset", row -> row.result().dataset())
                .label("model", row -> row.result().model())
                .text("tier", Row::tier)
                .part(Row::loss, estimate("loss at back"))
                .part(Row::notReading, estimate("by not reading"))
                .part(Row::position, estimate("by position"))
                .when(
                        rows.stream().anyMatch(row -> row.remainder() != null),
                        more -> more.part(Row::remainder, estimate("not told apart")))
                .number(
                        board.measure(),
                        NumberFormat.POINTS,
                        row -> row.profile().queryMean())
                .text("questions", row -> row.fixed().queries())
                .text("verdict", row -> Verdict.words(row.profile().verdicts()))
                .table(title, rows, all);
    }

    private static Columns<Estimate> estimate(String name) {
        return new Columns<Estimate>()
                .number(name, NumberFormat.PERCENT, Estimate::value)
                .interval(NumberFormat.PERCENT, Estimate::interval);
    }

    private void addTiers(String dataset, List<Row> rows) {
        List<Row> sorted = board.results().stream()
                .filter(result -> result.dataset().equals(dataset))
                .flatMap(result -> row(result).stream())
                .sorted(Comparator.comparingDouble(Row::size))
                .toList();
        Result first = null;
        int tier = 0;
        for (Row row : sorted) {
            Boolean more = first == null ? Boolean.TRUE : tests.losesMore(row.result(), first, board.measure());
            if (Boolean.TRUE.equals(more)) {
                tier++;
                first = row.result();
            }
            Integer own = more == null || !tests.has(dataset) ? null : (Integer) tier;
            rows.add(new Row(row.result(), row.profile(), row.fixed(), own));
        }
    }

    private List<Row> row(Result result) {
        Profile profile = result.profile(board.measure(), Strata.ALL);
        ContentFixed fixed = profile == null ? null : profile.contentFixed();
        return profile == null || fixed == null ? List.of() : List.of(new Row(result, profile, fixed, null));
    }
}
