package io.posbias.report.plot;

import io.posbias.base.plot.Axes;
import io.posbias.base.plot.BucketAxis;
import io.posbias.base.plot.Curves;
import io.posbias.base.plot.Style;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.NumberFormat;
import io.posbias.data.position.Bucketing;
import io.posbias.data.position.Positions.CharacterEdges;
import io.posbias.data.position.Positions.RelativeBins;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.measure.Truncation;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Results on one benchmark, for figures.
 *
 * @param measure each result has a profile of it
 * @param models labels of the models of all benchmarks; a model's index gives its style in every figure
 */
record Cells(String dataset, String measure, List<Result> results, List<String> models) {
    static final double POINTS = 100;

    private static final String PUBLISHED = "*";

    Cells {
        results = List.copyOf(results);
        models = List.copyOf(models);
    }

    Style style(Result result) {
        return Style.line(models.indexOf(label(result)));
    }

    @Nullable
    Profile profile(Result result, String stratum) {
        return result.profile(measure, stratum);
    }

    Profile overall(Result result) {
        return result.overall(measure);
    }

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

    List<Result> bucketed() {
        List<String> buckets = buckets();
        return results.stream()
                .filter(result -> !buckets.isEmpty() && buckets(result).equals(buckets))
                .toList();
    }

    BucketAxis bucketAxis() {
        return bucketAxis(buckets(), bucketed().getFirst().settings().bucketing());
    }

    /** @param bucketing which may have other buckets */
    static BucketAxis bucketAxis(List<String> buckets, Bucketing bucketing) {
        boolean isSame = bucketing.positions().buckets().equals(buckets);
        if (isSame && bucketing.positions() instanceof RelativeBins bins) {
            return BucketAxis.percent(bins.bins());
        }
        if (isSame && bucketing.positions() instanceof CharacterEdges edges) {
            Stream<String> open = edges.closed() ? Stream.empty() : Stream.of("\u221e");
            return BucketAxis.starts(Stream.concat(edges.edges().stream().map(String::valueOf), open)
                    .toList());
        }
        return BucketAxis.named(buckets);
    }

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

    double top(List<String> strata) {
        double top = drawn(strata).mapToDouble(Interval::high).max().orElse(0);
        return top <= 0 ? POINTS : Math.min(POINTS, Axes.roundUp(top, top));
    }

    double bottom(List<String> strata) {
        double bottom = drawn(strata).mapToDouble(Interval::low).min().orElse(0);
        return Axes.roundDown(bottom, top(strata) - bottom);
    }

    private Stream<Interval> drawn(List<String> strata) {
        return means(strata).stream().filter(mean -> mean.y() != null).map(Curves.Point::reach);
    }

    List<Curves.Point> means(List<String> strata) {
        return bucketed().stream()
                .flatMap(result -> strata.stream().map(stratum -> profile(result, stratum)))
                .flatMap(profile -> points(profile).stream())
                .toList();
    }

    static List<Curves.Point> points(@Nullable Profile profile) {
        List<Curves.Point> points = new ArrayList<>();
        for (BucketMean bucket : profile == null ? List.<BucketMean>of() : profile.buckets()) {
            Double mean = bucket.mean();
            Interval interval = bucket.interval();
            points.add(new Curves.Point(
                    points.size() + 0.5,
                    mean == null ? null : (Double) (POINTS * mean),
                    interval == null || !interval.hasWidth() ? null : interval.times(POINTS),
                    bucket.thin()));
        }
        return points;
    }

    String bandNote() {
        if (bands().isEmpty()) {
            return "";
        }
        List<Integer> edges =
                bucketed().getFirst().settings().bucketing().strata().edges();
        String cuts = edges.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return bands().getFirst() + " to " + bands().getLast() + ": length of the passage, cut at " + cuts + " tokens.";
    }

    String title(String what) {
        return dataset + ": " + what;
    }

    static String label(Result result) {
        return result.model() + (result.isPublished() ? PUBLISHED : "");
    }

    String publishedNote() {
        return results.stream().anyMatch(Result::isPublished) ? PUBLISHED + " as published." : "";
    }

    String bucketNote(List<String> strata) {
        List<Curves.Point> means = means(strata);
        List<String> notes = new ArrayList<>();
        if (means.stream().anyMatch(mean -> mean.interval() != null)) {
            notes.add("Bands: " + confidence() + "intervals of the bucket means.");
        }
        if (means.stream().anyMatch(mean -> mean.hollow() && mean.y() != null)) {
            notes.add("Hollow: fewer than " + bucketed().getFirst().settings().thinBelow() + " queries.");
        }
        if (means.stream().anyMatch(mean -> mean.y() == null)) {
            notes.add("Gaps: no queries.");
        }
        notes.add(publishedNote());
        notes.add(unseen(bucketed()));
        notes.add(missing(bucketed(), "they have other buckets or none"));
        return joined(notes);
    }

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

    String missing(List<Result> drawn, String why) {
        List<String> missing = results.stream()
                .filter(result -> !drawn.contains(result))
                .map(Cells::label)
                .toList();
        return missing.isEmpty() ? "" : "Not drawn, for " + why + ": " + String.join(", ", missing) + ".";
    }

    static String joined(List<String> sentences) {
        return sentences.stream().filter(sentence -> !sentence.isEmpty()).collect(Collectors.joining(" "));
    }

    String draws() {
        return bucketed().stream()
                .map(result -> Psi.draws(overall(result).isOfSingles()))
                .distinct()
                .sorted()
                .collect(Collectors.joining(" or "));
    }

    String confidence() {
        List<Double> levels = results.stream()
                .map(result -> result.settings().confidence())
                .filter(level -> level > 0)
                .distinct()
                .toList();
        return levels.size() == 1 ? NumberFormat.percent(levels.getFirst()) + " " : "";
    }

    static String fraction(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
