package io.posbias.diagnose;

import io.posbias.measure.Bias;
import io.posbias.measure.ContentFixed;
import io.posbias.measure.PositionLoss;
import io.posbias.measure.Power;
import io.posbias.measure.Truncation.Unread;
import io.posbias.measure.Verdict;
import io.posbias.plot.CurveChart;
import io.posbias.plot.Curves;
import io.posbias.plot.Figure;
import io.posbias.stats.Clusters;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import io.posbias.table.Cell;
import io.posbias.table.Mark;
import io.posbias.table.NumberFormat;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tables and figure of position with the content held fixed. */
public final class PositionTables {
    private static final Sheet<Map.Entry<String, ContentFixed>> MODELS = new Sheet<Map.Entry<String, ContentFixed>>()
            .plain("model", Map.Entry::getKey)
            .number("mean", NumberFormat.POINTS, row -> row.getValue().observed())
            .number(
                    "loss at back",
                    NumberFormat.PERCENT,
                    row -> of(row, own -> own.score().loss(), Estimate::value))
            .interval(
                    "loss at back",
                    NumberFormat.PERCENT,
                    row -> of(row, own -> own.score().loss(), Estimate::interval))
            .number("worst place", NumberFormat.POINTS, row -> of(row, PositionLoss::worst, worst -> -worst.loss()))
            .plain("flips", row -> of(row, PositionLoss::flips, PositionLoss.Flips::toString))
            .number("cPSI", NumberFormat.FRACTION, row -> row.getValue().cpsi().value())
            .plain("verdict", row -> verdict(row.getValue().verdict(), Unread.of(row.getValue())));

    private static final Sheet<Map.Entry<String, ContentFixed>> CONTRASTS = new Sheet<Map.Entry<String, ContentFixed>>()
            .plain("model", Map.Entry::getKey)
            .plain("queries", row -> row.getValue().queries())
            .plain("clusters", row -> row.getValue().clusters())
            .number("effective", NumberFormat.LENGTH, row -> row.getValue().effectiveClusters())
            .interval(
                    "cPSI", NumberFormat.FRACTION, row -> row.getValue().cpsi().interval())
            .number(
                    "noise95",
                    NumberFormat.FRACTION,
                    row -> row.getValue().cpsi().noise95())
            .number("p", NumberFormat.P, row -> row.getValue().cpsi().pValue())
            .estimate(
                    "front - back",
                    "front_back",
                    "front_back_p",
                    NumberFormat.SIGNED_POINTS,
                    row -> row.getValue().frontMinusBack())
            .estimate(
                    "middle - ends",
                    "middle_ends",
                    "middle_ends_p",
                    NumberFormat.SIGNED_POINTS,
                    row -> row.getValue().middleMinusEnds());

    private static <P, T> @Nullable T of(
            Map.Entry<String, ContentFixed> row, Function<PositionLoss, @Nullable P> part, Function<P, T> number) {
        PositionLoss loss = row.getValue().loss();
        P own = loss == null ? null : part.apply(loss);
        return own == null ? null : number.apply(own);
    }

    private record ContentFixedPlaceRow(String model, ContentFixed.Place place) {}

    private static final Sheet<ContentFixedPlaceRow> PLACES = new Sheet<ContentFixedPlaceRow>()
            .label("model", ContentFixedPlaceRow::model)
            .label("place", row -> row.place().place())
            .number("mean", NumberFormat.POINTS, row -> row.place().mean())
            .interval("interval", NumberFormat.POINTS, row -> row.place().interval())
            .number("unread", NumberFormat.PERCENT, row -> row.place().unread());

    private record ContentFixedBucketRow(String model, ContentFixed.Bucket bucket) {}

    private static final Sheet<ContentFixedBucketRow> BUCKETS = new Sheet<ContentFixedBucketRow>()
            .label("model", ContentFixedBucketRow::model)
            .label("bucket", row -> row.bucket().bucket())
            .plain("queries", row -> row.bucket().queries())
            .number("observed", NumberFormat.POINTS, row -> row.bucket().observed())
            .number("= content", NumberFormat.POINTS, row -> row.bucket().content())
            .estimate(
                    "+ position",
                    "position",
                    "position_p",
                    NumberFormat.SIGNED_POINTS,
                    row -> row.bucket().position());

    /** One number, for CSV. */
    private record ContentFixedNumberRow(
            String model,
            String number,
            int queries,
            @Nullable Double value,
            @Nullable Interval interval,
            @Nullable Double pValue) {
        static ContentFixedNumberRow of(String model, String number, int queries, @Nullable Estimate estimate) {
            return estimate == null
                    ? new ContentFixedNumberRow(model, number, queries, null, null, null)
                    : new ContentFixedNumberRow(
                            model, number, queries, estimate.value(), estimate.interval(), estimate.pValue());
        }
    }

    private static final Sheet<ContentFixedNumberRow> NUMBERS = new Sheet<ContentFixedNumberRow>()
            .plain("model", ContentFixedNumberRow::model)
            .plain("number", ContentFixedNumberRow::number)
            .means(
                    "which number: `observed`, `cpsi`, `loss`, `recall_loss`, `worst_place_loss`, `front_only`, `back_only`,"
                            + " `front_minus_back`, `middle_minus_ends`, `natural`, `broken`, `place N`,"
                            + " `bucket NAME observed`, `bucket NAME content` or `bucket NAME position`")
            .plain("queries", ContentFixedNumberRow::queries)
            .means("queries that it is of", "count")
            .number("value", NumberFormat.FRACTION, ContentFixedNumberRow::value)
            .means("the number")
            .interval("interval", NumberFormat.FRACTION, ContentFixedNumberRow::interval)
            .means("both ends of its interval; of a place that of its difference from the mean of all places")
            .number("p_value", NumberFormat.P, ContentFixedNumberRow::pValue)
            .means("of `cpsi` by draws around equal means, of contrasts by a t test over clusters");

    private PositionTables() {}

    /** The verdict, coloured on a terminal. */
    public static Cell verdict(Enum<?> verdict) {
        return verdict(verdict, null);
    }

    /** The verdict with a note on truncated evidence. */
    public static Cell verdict(Enum<?> verdict, @Nullable Unread unread) {
        Mark mark = verdict == Bias.NONE || verdict == Verdict.NONE
                ? Mark.SOUND
                : verdict == Bias.UNDECIDED || verdict == Verdict.UNDECIDED ? Mark.UNSURE : Mark.BIASED;
        return new Cell(verdict + Unread.note(verdict, unread), Double.NaN, mark);
    }

    /** One row per model. */
    public static Table models(String title, Map<String, ContentFixed> found, double confidence) {
        List<ContentFixed> all = List.copyOf(found.values());
        ContentFixed first = all.getFirst();
        List<String> notes = new ArrayList<>();
        found.forEach((model, own) -> sentence(model, own).ifPresent(notes::add));
        notes.addAll(List.of(
                "each query with its evidence at " + first.k() + " places of its own passage, by " + first.method()
                        + "; all other passages as they are",
                "loss at back: 1 - back / front, of the mean over the first " + ContentFixed.ends(first.k())
                        + " places and the last; worst place: its mean minus that of all places; flips: queries found in the"
                        + " top " + PositionLoss.TOP
                        + " at most places of the front alone : of the back alone; cPSI: 1 - min / max"
                        + " over the places' means; intervals " + NumberFormat.percent(confidence)
                        + ", clusters: queries that share a passage"));
        all.stream()
                .map(ContentFixed::verdict)
                .distinct()
                .sorted()
                .forEach(verdict ->
                        notes.add("verdict " + verdict + ": " + verdict.meaning(confidence, first.equivalence())));
        found.forEach((model, own) -> notes.addAll(notes(model, own)));
        return MODELS.table(title, List.copyOf(found.entrySet()), notes);
    }

    private static List<String> notes(String model, ContentFixed found) {
        List<String> notes = new ArrayList<>();
        if (found.verdict() == Bias.TOO_FEW) {
            notes.add(model + ": " + tooFew(found.clusters(), found.effectiveClusters()));
        }
        ContentFixed.Read read = found.read();
        if (read != null) {
            Estimate ends = read.frontMinusBack();
            notes.add(model + " does not read the evidence at some places of " + (found.queries() - read.queries())
                    + " queries; front - back of the other " + read.queries() + ": "
                    + (ends == null
                            ? NumberFormat.NONE
                            : NumberFormat.SIGNED_POINTS.print(ends.value()) + " "
                                    + NumberFormat.SIGNED_POINTS.print(ends.interval())));
        }
        if (found.verdict() == Bias.UNDECIDED) {
            notes.add(model + ": " + power("cPSI", found.power()));
        }
        return notes;
    }

    /** The contrasts behind the verdict. */
    public static Table contrasts(Map<String, ContentFixed> found) {
        return CONTRASTS.table(
                "Clusters, cPSI and contrasts",
                List.copyOf(found.entrySet()),
                List.of(
                        "middle - ends names no verdict: the middle has text near the evidence on both sides and the ends on one,"
                                + " which a model sees that reads a window of text and no positions"));
    }

    /** Describes the loss of a model in one sentence; empty for results of earlier versions. */
    public static Optional<String> sentence(String model, ContentFixed found) {
        PositionLoss loss = found.loss();
        if (loss == null) {
            return Optional.empty();
        }
        PositionLoss.EndLoss score = loss.score();
        Estimate end = score.loss();
        String ends = NumberFormat.POINTS.print(score.front()) + " -> " + NumberFormat.POINTS.print(score.back());
        String back = end == null
                ? "scores " + ends + " from front to back"
                : (end.value() < 0 ? "gains " : "loses ")
                        + NumberFormat.PERCENT.print(Math.abs(end.value())) + " at the back "
                        + NumberFormat.PERCENT.print(
                                end.value() < 0 ? end.interval().times(-1) : end.interval())
                        + " (" + ends + ")";
        PositionLoss.Flips flips = loss.flips();
        String found10 = flips == null
                ? ""
                : "; found in front only " + share(flips.frontOnly(), flips) + ", at the back only "
                        + share(flips.backOnly(), flips);
        return Optional.of(model + ": " + back + "; worst place " + loss.worst().place() + ", "
                + NumberFormat.POINTS.print(-loss.worst().loss()) + " points "
                + NumberFormat.POINTS.print(loss.worst().interval().times(-1)) + found10);
    }

    private static String share(int queries, PositionLoss.Flips of) {
        return NumberFormat.PERCENT.print((double) queries / of.queries()) + " (" + queries + ")";
    }

    /** Explains a missing verdict. */
    public static String tooFew(int clusters, @Nullable Double effective) {
        String known = effective == null ? "" : String.format(Locale.ROOT, ", %.1f effective", effective);
        return "no verdict: " + clusters + " clusters" + known + "; a verdict needs " + Clusters.FEW + ", "
                + Clusters.FEW_EFFECTIVE + " effective";
    }

    /**
     * Describes the minimum detectable effects.
     *
     * @param index name of the PSI
     */
    public static String power(String index, Power power) {
        List<String> least = Stream.of(
                        power.psi() == null ? null : index + " of " + NumberFormat.FRACTION.print(power.psi()),
                        power.frontMinusBack() == null
                                ? null
                                : "front - back of " + NumberFormat.POINTS.print(power.frontMinusBack()) + " points")
                .filter(Objects::nonNull)
                .toList();
        List<String> queries = Stream.of(
                        power.queriesForPsi() == null
                                ? null
                                : String.format(Locale.ROOT, "%,d for %s", power.queriesForPsi(), index),
                        power.queriesForFrontMinusBack() == null
                                ? null
                                : String.format(Locale.ROOT, "%,d for front - back", power.queriesForFrontMinusBack()))
                .filter(Objects::nonNull)
                .toList();
        return (least.isEmpty()
                        ? "nothing would be detected"
                        : "would detect " + String.join(", or ", least) + ", with " + Math.round(100 * Power.POWER)
                                + "% power")
                + (queries.isEmpty() ? "" : "; queries that what is seen would need: " + String.join(", ", queries));
    }

    /** One row per place and model. */
    public static Table places(Map<String, ContentFixed> found, double confidence) {
        List<ContentFixedPlaceRow> rows = new ArrayList<>();
        found.forEach((model, own) -> own.places().forEach(place -> rows.add(new ContentFixedPlaceRow(model, place))));
        return PLACES.table(
                "Mean score by the place of the evidence",
                rows,
                List.of(
                        "place 1: evidence first; interval: " + NumberFormat.percent(confidence)
                                + ", of the difference from the mean over places",
                        "unread: the share of queries whose evidence begins past what the model reads"));
    }

    /** One row per bucket and model: the observed mean as the sum of content and position. */
    public static Table buckets(Map<String, ContentFixed> found, double confidence) {
        List<ContentFixedBucketRow> rows = new ArrayList<>();
        found.forEach(
                (model, own) -> own.buckets().forEach(bucket -> rows.add(new ContentFixedBucketRow(model, bucket))));
        return BUCKETS.table(
                "What of the profile is content, what is position",
                rows,
                List.of(
                        "content: the mean over places of the bucket's own queries; position: the rest, which is 0 for a"
                                + " model that does not see positions; " + NumberFormat.percent(confidence)
                                + " intervals"));
    }

    /** Columns of {@link #raw}, for the reference pages. */
    public static Sheet<?> columns() {
        return NUMBERS;
    }

    /** All numbers in full precision. */
    public static Table raw(Map<String, ContentFixed> found) {
        List<ContentFixedNumberRow> rows = new ArrayList<>();
        found.forEach((model, own) -> {
            rows.add(new ContentFixedNumberRow(model, "observed", own.queries(), own.observed(), null, null));
            rows.add(new ContentFixedNumberRow(
                    model,
                    "cpsi",
                    own.queries(),
                    own.cpsi().value(),
                    own.cpsi().interval(),
                    own.cpsi().pValue()));
            addLoss(model, own, rows);
            rows.add(ContentFixedNumberRow.of(model, "front_minus_back", own.queries(), own.frontMinusBack()));
            rows.add(ContentFixedNumberRow.of(model, "middle_minus_ends", own.queries(), own.middleMinusEnds()));
            rows.add(ContentFixedNumberRow.of(model, "natural", own.queries(), own.natural()));
            rows.add(ContentFixedNumberRow.of(model, "broken", own.queries(), own.broken()));
            own.places()
                    .forEach(place -> rows.add(new ContentFixedNumberRow(
                            model, "place " + place.place(), own.queries(), place.mean(), place.interval(), null)));
            own.buckets().forEach(bucket -> {
                String name = "bucket " + bucket.bucket() + " ";
                rows.add(new ContentFixedNumberRow(
                        model, name + "observed", bucket.queries(), bucket.observed(), null, null));
                rows.add(new ContentFixedNumberRow(
                        model, name + "content", bucket.queries(), bucket.content(), null, null));
                rows.add(ContentFixedNumberRow.of(model, name + "position", bucket.queries(), bucket.position()));
            });
        });
        return NUMBERS.raw(rows);
    }

    private static void addLoss(String model, ContentFixed own, List<ContentFixedNumberRow> rows) {
        PositionLoss loss = own.loss();
        if (loss == null) {
            return;
        }
        rows.add(ContentFixedNumberRow.of(
                model, "loss", own.queries(), loss.score().loss()));
        rows.add(ContentFixedNumberRow.of(
                model,
                "recall_loss",
                own.queries(),
                loss.recall() == null ? null : loss.recall().loss()));
        rows.add(new ContentFixedNumberRow(
                model,
                "worst_place_loss",
                own.queries(),
                loss.worst().loss(),
                loss.worst().interval(),
                null));
        PositionLoss.Flips flips = loss.flips();
        if (flips != null) {
            double queries = flips.queries();
            rows.add(new ContentFixedNumberRow(
                    model, "front_only", flips.queries(), flips.frontOnly() / queries, null, null));
            rows.add(new ContentFixedNumberRow(
                    model, "back_only", flips.queries(), flips.backOnly() / queries, null, null));
        }
    }

    /** Mean score by place, one line per model. */
    public static Figure figure(String dataset, Map<String, ContentFixed> found) {
        Map<String, List<Curves.Point>> lines = new LinkedHashMap<>();
        found.forEach((model, own) -> lines.put(
                model,
                own.places().stream()
                        .map(place -> new Curves.Point(
                                place.place(),
                                100 * place.mean(),
                                place.interval() == null
                                        ? null
                                        : place.interval().times(100),
                                false))
                        .toList()));
        ContentFixed first = found.values().iterator().next();
        return CurveChart.lines(
                "content-fixed",
                "content held fixed: " + dataset,
                lines,
                "place of the evidence",
                first.measure() + " in points",
                "Each query with its evidence at " + first.k() + " places of its own passage, by " + first.method()
                        + ". Bands: intervals of the difference from the mean over places.");
    }
}
