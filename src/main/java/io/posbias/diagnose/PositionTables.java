package io.posbias.diagnose;

import io.posbias.Plural;
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
import io.posbias.table.Detail;
import io.posbias.table.Mark;
import io.posbias.table.NumberFormat;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
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
    /**
     * Contents of the tables.
     *
     * @param places true to add the means by place
     * @param statistics true to add clusters, contrasts, and content and position by bucket
     */
    public record Content(boolean places, boolean statistics, Detail detail) {}

    private static Sheet<Map.Entry<String, ContentFixed>> models(String confidence, int digits) {
        return new Sheet<Map.Entry<String, ContentFixed>>()
                .label("model", Map.Entry::getKey)
                .number("mean", NumberFormat.POINTS, row -> row.getValue().observed())
                .plain(
                        "loss at back [" + confidence + "]",
                        row -> of(row, own -> own.score().loss(), loss -> loss(loss, digits)))
                .plain("worst place", row -> of(row, PositionLoss::worst, worst -> worst(worst, digits)))
                .plain("flips", row -> of(row, PositionLoss::flips, PositionLoss.Flips::toString))
                .number(
                        "cPSI",
                        NumberFormat.FRACTION,
                        row -> row.getValue().cpsi().value())
                .number("p", NumberFormat.P, row -> row.getValue().cpsi().pValue())
                .plain("verdict", row -> verdict(row.getValue().verdict(), Unread.of(row.getValue())))
                .joined()
                .digits(digits);
    }

    private static String loss(Estimate loss, int digits) {
        return NumberFormat.PERCENT.print(loss.value(), digits) + " "
                + NumberFormat.POINTS.print(loss.interval(), digits);
    }

    private static String worst(PositionLoss.WorstPlace worst, int digits) {
        String points = NumberFormat.SIGNED_POINTS.print(-worst.loss(), digits);
        return points.startsWith("-") ? worst.place() + ": " + points : points;
    }

    private static final Sheet<Map.Entry<String, ContentFixed>> CONTRASTS = new Sheet<Map.Entry<String, ContentFixed>>()
            .label("model", Map.Entry::getKey)
            .plain("queries", row -> row.getValue().queries())
            .plain("clusters", row -> row.getValue().clusters())
            .number("G*", NumberFormat.LENGTH, row -> row.getValue().effectiveClusters())
            .interval(
                    "cPSI", NumberFormat.FRACTION, row -> row.getValue().cpsi().interval())
            .number(
                    "noise95",
                    NumberFormat.FRACTION,
                    row -> row.getValue().cpsi().noise95())
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
                    "name of the number: `observed`, `cpsi`, `loss`, `recall_loss`, `worst_place_loss`, `front_only`, `back_only`,"
                            + " `front_minus_back`, `middle_minus_ends`, `natural`, `broken`, `place N`,"
                            + " `bucket NAME observed`, `bucket NAME content` or `bucket NAME position`")
            .plain("queries", ContentFixedNumberRow::queries)
            .means("queries behind the number", "count")
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

    /** One row per model; on request places, contrasts and buckets. */
    public static List<Table> of(String dataset, Map<String, ContentFixed> found, double confidence, Content content) {
        ContentFixed first = found.values().iterator().next();
        Detail detail = content.detail();
        List<String> notes = new ArrayList<>(List.of(legend(first)));
        found.forEach((model, own) -> notes(model, own, detail).forEach(notes::add));
        if (detail.explain()) {
            found.forEach((model, own) -> sentence(model, own, detail.digits()).ifPresent(notes::add));
            notes.addAll(rules(first, found.values(), confidence));
        }
        List<Table> tables = new ArrayList<>();
        tables.add(models(NumberFormat.percent(confidence), detail.digits())
                .table(
                        dataset + ", " + first.measure() + " in points: position with the content held fixed",
                        List.copyOf(found.entrySet()),
                        notes));
        if (content.places()) {
            tables.add(places(found, confidence, detail));
        }
        if (content.statistics()) {
            tables.add(contrasts(found, detail));
            if (found.values().stream().anyMatch(own -> !own.buckets().isEmpty())) {
                tables.add(buckets(found, confidence, detail));
            }
        }
        return tables;
    }

    private static String legend(ContentFixed first) {
        Double effective = first.effectiveClusters();
        return first.queries() + " queries in " + first.clusters() + " clusters"
                + (effective == null ? "" : " (G* " + NumberFormat.LENGTH.print(effective) + ")") + ", evidence at "
                + first.k() + " places; loss: 1 - back / front; worst place: its points from the mean (--explain)";
    }

    private static List<String> rules(ContentFixed first, Collection<ContentFixed> all, double confidence) {
        List<String> rules = new ArrayList<>(List.of(
                "each query has its evidence at " + first.k() + " places of its passage, by " + first.method()
                        + "; all other passages are unchanged",
                "back and front: the last and the first " + ContentFixed.ends(first.k())
                        + " places; worst place: the lowest mean, minus the mean of all places",
                "flips: queries in the top " + PositionLoss.TOP
                        + " at most places of the front only : of the back only; cPSI: 1 - min / max of the places' means",
                "intervals " + NumberFormat.percent(confidence)
                        + ", clusters: queries that share a passage, G*: effective clusters"));
        all.stream()
                .sorted(Comparator.comparing(ContentFixed::verdict))
                .map(own -> own.verdict() + ": " + own.verdict().meaning(confidence, own.equivalence()))
                .distinct()
                .forEach(rules::add);
        return rules;
    }

    private static List<String> notes(String model, ContentFixed found, Detail detail) {
        List<String> notes = new ArrayList<>();
        if (found.verdict() == Bias.TOO_FEW) {
            notes.add(model + ": " + tooFew(found.clusters(), found.effectiveClusters()));
        }
        ContentFixed.Read read = found.read();
        if (read != null && (found.verdict() == Bias.TRUNCATION || detail.explain())) {
            Estimate ends = read.frontMinusBack();
            notes.add(model + " does not read the evidence at some places of "
                    + Plural.of(found.queries() - read.queries(), "query") + "; front - back of the other "
                    + read.queries() + ": "
                    + (ends == null
                            ? NumberFormat.TOO_FEW
                            : NumberFormat.SIGNED_POINTS.print(ends.value(), detail.digits()) + " "
                                    + NumberFormat.SIGNED_POINTS.print(ends.interval(), detail.digits())));
        }
        if (found.verdict() == Bias.UNDECIDED && detail.explain()) {
            notes.add(model + ": " + power("cPSI", found.power()));
        }
        return notes;
    }

    private static Table contrasts(Map<String, ContentFixed> found, Detail detail) {
        return CONTRASTS
                .digits(detail.digits())
                .table(
                        "Clusters, cPSI and contrasts",
                        List.copyOf(found.entrySet()),
                        detail.explain()
                                ? List.of(
                                        "middle - ends decides no verdict: the middle has context on both sides, the ends"
                                                + " on one, so a position-blind model that reads a window of text prefers the middle")
                                : List.of());
    }

    /** Describes the loss of a model in one sentence; empty for results of earlier versions. */
    private static Optional<String> sentence(String model, ContentFixed found, int digits) {
        PositionLoss loss = found.loss();
        if (loss == null) {
            return Optional.empty();
        }
        PositionLoss.EndLoss score = loss.score();
        Estimate end = score.loss();
        String ends = NumberFormat.POINTS.print(score.front(), digits) + " -> "
                + NumberFormat.POINTS.print(score.back(), digits);
        String back = end == null
                ? "scores " + ends + " from front to back"
                : (end.value() < 0 ? "gains " : "loses ") + NumberFormat.PERCENT.print(Math.abs(end.value()), digits)
                        + " at the back (" + ends + ")";
        PositionLoss.Flips flips = loss.flips();
        String top = flips == null
                ? ""
                : "; found in front only " + share(flips.frontOnly(), flips, digits) + ", at the back only "
                        + share(flips.backOnly(), flips, digits);
        return Optional.of(model + ": " + back + "; worst place " + loss.worst().place() + ", "
                + NumberFormat.POINTS.print(-loss.worst().loss(), digits) + " points "
                + NumberFormat.POINTS.print(loss.worst().interval().times(-1), digits) + top);
    }

    private static String share(int queries, PositionLoss.Flips of, int digits) {
        return NumberFormat.PERCENT.print((double) queries / of.queries(), digits) + " (" + queries + ")";
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
                + (queries.isEmpty()
                        ? ""
                        : "; queries needed to detect the observed effects: " + String.join(", ", queries));
    }

    private static Table places(Map<String, ContentFixed> found, double confidence, Detail detail) {
        List<ContentFixedPlaceRow> rows = new ArrayList<>();
        found.forEach((model, own) -> own.places().forEach(place -> rows.add(new ContentFixedPlaceRow(model, place))));
        return PLACES.digits(detail.digits())
                .table(
                        "Mean score by the place of the evidence",
                        rows,
                        detail.explain()
                                ? List.of(
                                        "place 1: evidence first; interval: " + NumberFormat.percent(confidence)
                                                + ", of the difference from the mean over places",
                                        "unread: share of queries whose evidence begins past the model's limit")
                                : List.of());
    }

    /** The observed mean of each bucket as the sum of content and position. */
    private static Table buckets(Map<String, ContentFixed> found, double confidence, Detail detail) {
        List<ContentFixedBucketRow> rows = new ArrayList<>();
        found.forEach(
                (model, own) -> own.buckets().forEach(bucket -> rows.add(new ContentFixedBucketRow(model, bucket))));
        return BUCKETS.digits(detail.digits())
                .table(
                        "Content and position, by bucket",
                        rows,
                        detail.explain()
                                ? List.of(
                                        "content: mean over places of the bucket's queries; position: observed - content,"
                                                + " 0 for a position-blind model; " + NumberFormat.percent(confidence)
                                                + " intervals")
                                : List.of());
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
                "Each query with its evidence at " + first.k() + " places of its passage, by " + first.method()
                        + ". Bands: intervals of the difference from the mean over places.");
    }
}
