package io.posbias.report.plot;

import io.posbias.measure.BucketMean;
import io.posbias.measure.Profile;
import io.posbias.measure.Truncation;
import io.posbias.plot.Axes;
import io.posbias.plot.BucketAxis;
import io.posbias.plot.Curves;
import io.posbias.plot.Style;
import io.posbias.position.Bucketing;
import io.posbias.position.Strata;
import io.posbias.result.Result;
import io.posbias.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The results on one benchmark, as the drawings see them.
 *
 * @param dataset the benchmark's name
 * @param measure the measure that is drawn; every result has a profile of it
 * @param results in the order in which models are drawn
 * @param models the labels of the models of all benchmarks: a model's place gives its style, the same in every figure
 */
record Cells(String dataset, String measure, List<Result> results, List<String> models) {
    /** Measures are drawn in points. */
    static final double POINTS = 100;

    private static final String PUBLISHED = "*";

    Cells {
        results = List.copyOf(results);
        models = List.copyOf(models);
    }

    /** How a model is drawn wherever models are told apart. */
    Style style(Result result) {
        return Style.line(models.indexOf(label(result)));
    }

    /** The profile of a result in a stratum; null when it has none. */
    @Nullable
    Profile profile(Result result, String stratum) {
        return result.profile(measure, stratum);
    }

    /** The profile over all queries. */
    Profile overall(Result result) {
        return Objects.requireNonNull(profile(result, Strata.ALL), "every result has the stratum all");
    }

    /** The buckets' names, as the first result with any has them; empty when none has. */
    List<String> buckets() {
        return results.stream()
                .map(this::buckets)
                .filter(names -> !names.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private List<String> buckets(Result result) {
        return overall(result).buckets().stream().map(BucketMean::bucket).toList();
    }

    /** The results that have {@link #buckets()}: they can be on one axis. */
    List<Result> bucketed() {
        List<String> buckets = buckets();
        return results.stream()
                .filter(result -> !buckets.isEmpty() && buckets(result).equals(buckets))
                .toList();
    }

    /** The axis of {@link #buckets()}; a new one, for plots do not share axes. */
    BucketAxis bucketAxis() {
        return BucketAxis.of(buckets(), bucketed().getFirst().settings().buckets());
    }

    /** The bands of length in which some result has buckets, in their order; empty when there are none. */
    List<String> bands() {
        return bucketed().stream()
                .flatMap(result -> result.profiles().stream())
                .filter(profile -> profile.measure().equals(measure))
                .filter(profile -> !profile.buckets().isEmpty())
                .map(Profile::stratum)
                .filter(stratum -> !stratum.equals(Strata.ALL))
                .distinct()
                .toList();
    }

    /** Where an axis of means that begins at 0 ends: beyond all means and intervals, at 100 points at most. */
    double top(List<String> strata) {
        double top = drawn(strata).mapToDouble(Interval::high).max().orElse(0);
        return top <= 0 ? POINTS : Math.min(POINTS, Axes.roundUp(top, top));
    }

    /** Where an axis of means can begin that need not begin at 0: below all means and intervals. */
    double bottom(List<String> strata) {
        double bottom = drawn(strata).mapToDouble(Interval::low).min().orElse(0);
        return Axes.roundDown(bottom, top(strata) - bottom);
    }

    private Stream<Interval> drawn(List<String> strata) {
        return means(strata).stream().filter(mean -> mean.y() != null).map(Curves.Point::reach);
    }

    /** The bucket means that are drawn of some strata, those of empty buckets included. */
    List<Curves.Point> means(List<String> strata) {
        return bucketed().stream()
                .flatMap(result -> strata.stream().map(stratum -> profile(result, stratum)))
                .flatMap(profile -> points(profile).stream())
                .toList();
    }

    /** The bucket means of a profile in points, each in the middle of its place; none without a profile. */
    static List<Curves.Point> points(@Nullable Profile profile) {
        List<Curves.Point> points = new ArrayList<>();
        for (BucketMean bucket : profile == null ? List.<BucketMean>of() : profile.buckets()) {
            Double mean = bucket.mean();
            Interval interval = bucket.interval();
            points.add(new Curves.Point(
                    points.size() + 0.5,
                    mean == null ? null : (Double) (POINTS * mean),
                    interval == null ? null : interval.times(POINTS),
                    bucket.thin()));
        }
        return points;
    }

    /** What the bands of length are; empty when there are none. */
    String bandNote() {
        if (bands().isEmpty()) {
            return "";
        }
        List<Integer> edges = Bucketing.parse(bucketed().getFirst().settings().buckets())
                .strata()
                .edges();
        String cuts = edges.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return bands().getFirst() + " to " + bands().getLast() + ": length of the passage, cut at " + cuts + " tokens.";
    }

    /** "demo: nDCG@10 by position of the evidence". */
    String title(String what) {
        return dataset + ": " + what;
    }

    /** How a model is called: published numbers are marked, for the word is too long for labels. */
    static String label(Result result) {
        return result.model() + (result.isPublished() ? PUBLISHED : "");
    }

    /** What the mark of published numbers means; empty when there are none. */
    String publishedNote() {
        return results.stream().anyMatch(Result::isPublished) ? PUBLISHED + " as published." : "";
    }

    /**
     * What readers of bucket means must know: intervals, thin and empty buckets, who is missing.
     *
     * @param interval what shows intervals
     * @param thin what shows thin buckets
     * @param empty what shows empty ones
     */
    String bucketNote(List<String> strata, String interval, String thin, String empty) {
        List<Curves.Point> means = means(strata);
        List<String> notes = new ArrayList<>();
        if (means.stream().anyMatch(mean -> mean.interval() != null)) {
            notes.add(interval + ": " + confidence() + "bootstrap intervals of the bucket means.");
        }
        if (means.stream().anyMatch(mean -> mean.hollow() && mean.y() != null)) {
            notes.add(thin + ": fewer than " + bucketed().getFirst().settings().thinBelow() + " queries.");
        }
        if (means.stream().anyMatch(mean -> mean.y() == null)) {
            notes.add(empty + ": no queries.");
        }
        notes.add(publishedNote());
        notes.add(unseen(bucketed()));
        notes.add(missing(bucketed(), "they have other buckets or none"));
        return joined(notes);
    }

    /** Of which models evidence lay past the cut: what a model never saw says nothing of its bias. */
    static String unseen(List<Result> drawn) {
        List<String> models = new ArrayList<>();
        for (Result result : drawn) {
            int most = result.retrieval().truncations().stream()
                    .mapToInt(Truncation::startsPast)
                    .max()
                    .orElse(0);
            if (most > 0) {
                models.add(
                        label(result) + " (" + most + " of " + result.queries().judged() + " queries)");
            }
        }
        return models.isEmpty() ? "" : "Evidence truncated and never seen: " + String.join(", ", models) + ".";
    }

    /** Who is not among the results drawn, and why; empty when nobody is missing. */
    String missing(List<Result> drawn, String why) {
        List<String> missing = results.stream()
                .filter(result -> !drawn.contains(result))
                .map(Cells::label)
                .toList();
        return missing.isEmpty() ? "" : "Not drawn, for " + why + ": " + String.join(", ", missing) + ".";
    }

    /** Sentences as one paragraph; empty ones are left out. */
    static String joined(List<String> sentences) {
        return sentences.stream().filter(sentence -> !sentence.isEmpty()).collect(Collectors.joining(" "));
    }

    /** "95% ", or nothing when results differ in it. */
    String confidence() {
        List<Double> levels = results.stream()
                .map(result -> result.settings().confidence())
                .filter(level -> level > 0)
                .distinct()
                .toList();
        return levels.size() == 1 ? percent(levels.getFirst()) + "% " : "";
    }

    private static String percent(double level) {
        String text = String.format(Locale.ROOT, "%.1f", 100 * level);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /** A fraction with three decimals, as tables print PSI. */
    static String fraction(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
