package io.posbias.score.position;

import io.posbias.base.plot.CurveChart;
import io.posbias.base.plot.Curves;
import io.posbias.base.plot.Figure;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Detail;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.LossParts;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.measure.Power;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.TestOutcome;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.Answer;
import java.util.ArrayList;
import java.util.Collection;
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

    private static Columns<Map.Entry<String, ContentFixed>> models(String confidence, int digits) {
        Columns<ContentFixed> numbers = new Columns<ContentFixed>()
                .number("mean", NumberFormat.POINTS, ContentFixed::observed)
                .part(
                        ContentFixed::lossShare,
                        new Columns<Estimate>()
                                .text("loss at back [" + confidence + "]", loss -> loss(loss, digits))
                                .number("p", NumberFormat.P, Estimate::pValue))
                .part(
                        found -> found.outcome() == TestOutcome.TOO_FEW ? null : found.loss(),
                        new Columns<PositionLoss>().text("worst place", loss -> worst(loss.worst(), digits)))
                .part(ContentFixed::loss, new Columns<PositionLoss>().text("flips", PositionLoss::flips))
                .number("cPSI", NumberFormat.FRACTION, found -> found.cpsi().value())
                .joined("verdict", found -> Verdict.cell(found.verdicts()));
        return new Columns<Map.Entry<String, ContentFixed>>(digits)
                .label("model", Map.Entry::getKey)
                .part(Map.Entry::getValue, numbers);
    }

    private static String loss(Estimate loss, int digits) {
        return NumberFormat.PERCENT.print(loss.value(), digits) + " "
                + NumberFormat.POINTS.print(loss.interval(), digits);
    }

    private static String worst(PositionLoss.WorstPlace worst, int digits) {
        String points = NumberFormat.SIGNED_POINTS.print(-worst.loss(), digits);
        return points.startsWith("-") ? worst.place() + ": " + points : points;
    }

    /** One number, for CSV. */
    record ContentFixedNumber(
            String model,

            @Meaning(
                    "name of the number: `observed`, `cpsi`, `loss`, `recall_loss`, `worst_place_loss`, `front_only`, `back_only`,"
                            + " `position_points`, `not_reading_points`, `not_reading_points_guarded`, `remainder_points`,"
                            + " `front_minus_back`, `middle_minus_ends`, `natural`, `broken`, `place N`,"
                            + " `bucket NAME observed`, `bucket NAME content` or `bucket NAME position`")
            String number,

            @Meaning("queries behind the number") int queries,
            @Meaning("the number") @Nullable Double value,

            @Meaning("both ends of its interval; of a place that of its difference from the mean of all places")
            @Nullable
            Interval interval,

            @Meaning("of `cpsi` by draws around equal means, of contrasts by a t test over clusters") @Nullable
            Double pValue) {}

    public static final RecordCsv<ContentFixedNumber> NUMBERS = new RecordCsv<>(ContentFixedNumber.class);

    /** Numbers of a model on some queries, in order. */
    private record NumberList(String model, int queries, List<ContentFixedNumber> all) {
        NumberList with(String number, @Nullable Double value) {
            return with(number, value, null, null);
        }

        NumberList with(String number, @Nullable Double value, @Nullable Interval interval, @Nullable Double pValue) {
            all.add(new ContentFixedNumber(model, number, queries, value, interval, pValue));
            return this;
        }

        NumberList with(String number, @Nullable Estimate estimate) {
            return estimate == null
                    ? with(number, null, null, null)
                    : with(number, estimate.value(), estimate.interval(), estimate.pValue());
        }

        NumberList of(int others) {
            return new NumberList(model, others, all);
        }
    }

    private PositionTables() {}

    /** One row per model; on request places, contrasts and buckets. */
    public static List<Table> of(String dataset, Map<String, ContentFixed> found, Settings settings, Content content) {
        double confidence = settings.confidence();
        ContentFixed first = found.values().iterator().next();
        Detail detail = content.detail();
        List<String> notes = new ArrayList<>(List.of(legend(first)));
        found.forEach((model, own) -> notes(model, own, confidence, detail).forEach(notes::add));
        if (detail.explain()) {
            found.forEach((model, own) -> sentence(model, own, detail.digits()).ifPresent(notes::add));
            notes.addAll(rules(first, found.values(), settings));
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
        return Plural.of(first.queries(), "query") + " in " + Plural.of(first.clusters(), "cluster")
                + (effective == null ? "" : " (G* " + NumberFormat.LENGTH.print(effective) + ")") + ", evidence at "
                + first.k() + " places; loss: 1 - back / front; worst place: its points from the mean (--explain)";
    }

    private static List<String> rules(ContentFixed first, Collection<ContentFixed> all, Settings settings) {
        double confidence = settings.confidence();
        List<String> rules = new ArrayList<>(List.of(
                "each query has its evidence at " + first.k() + " places of its passage, by " + first.method()
                        + "; all other passages are unchanged",
                "back and front: the last and the first " + ContentFixed.ends(first.k())
                        + " places; worst place: the lowest mean, minus the mean of all places",
                "flips: queries in the top " + PositionLoss.TOP
                        + " at most places of the front only : of the back only; cPSI: 1 - min / max of the places' means",
                "intervals " + NumberFormat.percent(confidence) + ", clusters: "
                        + settings.unit().describe() + ", G*: effective clusters"));
        rules.addAll(Verdict.definitions(
                all.stream().flatMap(own -> own.verdicts().stream()), confidence, first.equivalence()));
        return rules;
    }

    private static List<String> notes(String model, ContentFixed found, double confidence, Detail detail) {
        List<String> notes = new ArrayList<>();
        notes.add(model + ": " + Answer.of(found, confidence).line());
        if (found.outcome() == TestOutcome.OPEN && detail.explain()) {
            notes.add(model + ": " + power("cPSI", found.power()));
        }
        return notes;
    }

    private static Table contrasts(Map<String, ContentFixed> found, Detail detail) {
        return new Columns<Map.Entry<String, ContentFixed>>(detail.digits())
                .label("model", Map.Entry::getKey)
                .part(
                        Map.Entry::getValue,
                        new Columns<ContentFixed>()
                                .text("queries", ContentFixed::queries)
                                .text("clusters", ContentFixed::clusters)
                                .number("G*", NumberFormat.LENGTH, ContentFixed::effectiveClusters)
                                .interval(
                                        NumberFormat.FRACTION,
                                        fixed -> fixed.cpsi().interval())
                                .number(
                                        "noise95",
                                        NumberFormat.FRACTION,
                                        fixed -> fixed.cpsi().noise95())
                                .estimate("front - back", NumberFormat.SIGNED_POINTS, ContentFixed::frontMinusBack)
                                .estimate("middle - ends", NumberFormat.SIGNED_POINTS, ContentFixed::middleMinusEnds)
                                .text("test", ContentFixed::outcome))
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
        String worst = found.outcome() == TestOutcome.TOO_FEW
                ? ""
                : "; worst place " + loss.worst().place() + ", "
                        + NumberFormat.POINTS.print(-loss.worst().loss(), digits) + " points "
                        + NumberFormat.POINTS.print(loss.worst().interval().times(-1), digits);
        return Optional.of(model + ": " + back + worst + top);
    }

    private static String share(int queries, PositionLoss.Flips of, int digits) {
        return NumberFormat.PERCENT.print((double) queries / of.queries(), digits) + " (" + queries + ")";
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

    private static <T> List<Map.Entry<String, T>> rows(
            Map<String, ContentFixed> found, Function<ContentFixed, List<T>> parts) {
        return found.entrySet().stream()
                .flatMap(model -> parts.apply(model.getValue()).stream().map(part -> Map.entry(model.getKey(), part)))
                .toList();
    }

    private static Table places(Map<String, ContentFixed> found, double confidence, Detail detail) {
        return new Columns<Map.Entry<String, ContentFixed.Place>>(detail.digits())
                .label("model", Map.Entry::getKey)
                .label("place", row -> row.getValue().place())
                .number("mean", NumberFormat.POINTS, row -> row.getValue().mean())
                .interval(NumberFormat.POINTS, row -> row.getValue().interval())
                .number("unread", NumberFormat.PERCENT, row -> row.getValue().unread())
                .table(
                        "Mean score by the place of the evidence",
                        rows(found, ContentFixed::places),
                        detail.explain()
                                ? List.of(
                                        "place 1: evidence first; interval: " + NumberFormat.percent(confidence)
                                                + ", of the difference from the mean over places",
                                        "unread: share of queries whose evidence begins past the model's limit")
                                : List.of());
    }

    /** The observed mean of each bucket as the sum of content and position. */
    private static Table buckets(Map<String, ContentFixed> found, double confidence, Detail detail) {
        return new Columns<Map.Entry<String, ContentFixed.Bucket>>(detail.digits())
                .label("model", Map.Entry::getKey)
                .label("bucket", row -> row.getValue().bucket())
                .text("queries", row -> row.getValue().queries())
                .number("observed", NumberFormat.POINTS, row -> row.getValue().observed())
                .number("= content", NumberFormat.POINTS, row -> row.getValue().content())
                .estimate(
                        "+ position",
                        NumberFormat.SIGNED_POINTS,
                        row -> row.getValue().position())
                .table(
                        "Content and position, by bucket",
                        rows(found, ContentFixed::buckets),
                        detail.explain()
                                ? List.of(
                                        "content: mean over places of the bucket's queries; position: observed - content,"
                                                + " 0 for a position-blind model; " + NumberFormat.percent(confidence)
                                                + " intervals")
                                : List.of());
    }

    /** All numbers in full precision. */
    public static Table raw(Map<String, ContentFixed> found) {
        List<ContentFixedNumber> rows = new ArrayList<>();
        found.forEach((model, own) -> {
            NumberList numbers = new NumberList(model, own.queries(), rows)
                    .with("observed", own.observed())
                    .with(
                            "cpsi",
                            own.cpsi().value(),
                            own.cpsi().interval(),
                            own.cpsi().pValue());
            addLoss(own.loss(), numbers);
            addParts(own.parts(), numbers);
            numbers.with("front_minus_back", own.frontMinusBack())
                    .with("middle_minus_ends", own.middleMinusEnds())
                    .with("natural", own.natural())
                    .with("broken", own.broken());
            own.places().forEach(place -> numbers.with("place " + place.place(), place.mean(), place.interval(), null));
            own.buckets()
                    .forEach(bucket -> numbers.of(bucket.queries())
                            .with("bucket " + bucket.bucket() + " observed", bucket.observed())
                            .with("bucket " + bucket.bucket() + " content", bucket.content())
                            .with("bucket " + bucket.bucket() + " position", bucket.position()));
        });
        return NUMBERS.table(rows);
    }

    /** Parts of the loss in points, with those of results that know them. */
    private static void addParts(@Nullable LossParts parts, NumberList numbers) {
        if (parts == null) {
            return;
        }
        LossParts.Part position = parts.position();
        LossParts.Part notReading = parts.notReading();
        numbers.of(parts.basis().questions())
                .with("position_points", position == null ? null : position.points())
                .with("not_reading_points", notReading == null ? null : notReading.points())
                .with("not_reading_points_guarded", parts.guarded())
                .with("remainder_points", parts.remainder());
    }

    private static void addLoss(@Nullable PositionLoss loss, NumberList numbers) {
        if (loss == null) {
            return;
        }
        numbers.with("loss", loss.score().loss())
                .with(
                        "recall_loss",
                        loss.recall() == null ? null : loss.recall().loss())
                .with("worst_place_loss", loss.worst().loss(), loss.worst().interval(), null);
        PositionLoss.Flips flips = loss.flips();
        if (flips != null) {
            double queries = flips.queries();
            numbers.of(flips.queries())
                    .with("front_only", flips.frontOnly() / queries)
                    .with("back_only", flips.backOnly() / queries);
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
