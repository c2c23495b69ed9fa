package io.posbias.report.page;

import io.posbias.base.json.Json;
import io.posbias.base.plot.Viridis;
import io.posbias.base.process.Version;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.text.Printable;
import io.posbias.data.position.Strata;
import io.posbias.report.BenchmarkLossTables;
import io.posbias.report.leaderboard.Families;
import io.posbias.report.leaderboard.PairwiseTests;
import io.posbias.report.leaderboard.PairwiseTests.Tested;
import io.posbias.report.mitigate.Mitigation;
import io.posbias.report.profile.RetrievalNotes;
import io.posbias.report.profile.Strip;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Effect;
import io.posbias.score.measure.LossParts;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.measure.Verdict;
import io.posbias.score.over.BenchmarkLosses;
import io.posbias.score.result.Answer;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Data of page.js. Numbers are fractions with eight decimals, null if unknown; fifteen decimals would double the page. */
final class PageData {
    private static final double DECIMALS = 1e8;
    private static final Pattern NOT_IN_SCRIPTS = Pattern.compile("[<>&\\x{2028}\\x{2029}]");

    private PageData() {}

    static String json(List<Result> results, String measure, ResultPage.Sections sections) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("posbias", Version.text());
        data.put("measure", measure);
        data.put("models", models(results));
        data.put(
                "results",
                results.stream()
                        .map(result -> result(result, measure, sections.tests()))
                        .toList());
        data.put("meanings", meanings(results));
        data.put("clusters", clusters(results));
        data.put("draws", draws(results, measure));
        data.put("level", NumberFormat.level(sections.tests().confidence()));
        data.put(
                "strategies",
                sections.strategies().stream().map(PageData::strategy).toList());
        data.put("drilldowns", sections.drilldowns());
        BenchmarkLosses losses = sections.losses();
        data.put("losses", losses == null ? null : new BenchmarkLossTables(losses).document());
        data.put("lead", sections.lead());
        return escape(shown(Json.mapper().valueToTree(data)).toString());
    }

    private static List<String> meanings(List<Result> results) {
        return results.stream()
                .flatMap(result -> Verdict.definitions(
                        result.profiles().stream().flatMap(profile -> profile.verdicts().stream()),
                        result.settings().confidence(),
                        result.settings().equivalence())
                        .stream())
                .distinct()
                .sorted()
                .toList();
    }

    private static String clusters(List<Result> results) {
        return joined(results.stream().map(result -> result.settings().unit().describe()));
    }

    private static String draws(List<Result> results, String measure) {
        return joined(results.stream()
                .map(result -> result.profile(measure, Strata.ALL))
                .filter(profile -> profile != null && profile.psi().noise95() != null)
                .map(profile -> Psi.draws(profile.isOfSingles())));
    }

    private static String joined(Stream<String> texts) {
        return texts.distinct().sorted().collect(Collectors.joining(" or "));
    }

    /** Escapes names and texts for readers: a browser obeys characters that reorder a line. */
    private static JsonNode shown(JsonNode node) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (node.isArray()) {
            ArrayNode list = nodes.arrayNode(node.size());
            node.forEach(value -> list.add(shown(value)));
            return list;
        }
        if (node.isObject()) {
            ObjectNode record = nodes.objectNode();
            node.properties().forEach(field -> record.set(Printable.lines(field.getKey()), shown(field.getValue())));
            return record;
        }
        return node.isString() ? nodes.stringNode(Printable.lines(node.asString())) : node;
    }

    static String escape(String json) {
        return NOT_IN_SCRIPTS
                .matcher(json)
                .replaceAll(
                        found -> String.format("\\\\u%04x", (int) found.group().charAt(0)));
    }

    /** Ordered as in figures, so that colours agree. */
    private static List<String> models(List<Result> results) {
        return Families.USUAL.ordered(results).stream()
                .map(PageData::label)
                .distinct()
                .toList();
    }

    private static String label(Result result) {
        return result.isPublished() ? result.model() + " (published)" : result.model();
    }

    private static Map<String, @Nullable Object> result(Result result, String measure, PairwiseTests tests) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("model", result.model());
        map.put("label", label(result));
        map.put("published", result.isPublished());
        map.put("family", result.family());
        map.put("dataset", result.dataset());
        map.put("unanswered", result.queries().unanswered());
        map.put("notes", RetrievalNotes.of(result));
        map.put(
                "profiles",
                result.profiles().stream()
                        .map(profile -> {
                            Map<String, @Nullable Object> own = profile(result, profile);
                            if (profile.measure().equals(measure)) {
                                own.put("better", better(result, profile, tests));
                            }
                            return own;
                        })
                        .toList());
        map.put("settings", result.settings());
        map.put("recipe", result.provenance().recipeSha256());
        map.put("files", result.provenance().datasetSha256());
        map.put("posbias", result.provenance().environment().get("posbias"));
        return map;
    }

    private static Map<String, @Nullable Object> strategy(Mitigation row) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("dataset", row.dataset());
        map.put("model", row.model());
        map.put("strategy", row.strategy());
        map.put("mean", rounded(row.profile().queryMean()));
        map.put("psi", rounded(row.profile().printedPsi().value()));
        map.put("vectors", rounded(row.cost().vectorsPerPassage()));
        Mitigation.StrategyChange change = row.change();
        if (change != null) {
            Effect effect = change.effect();
            map.put("outcome", change.toString());
            map.put("mean_change", estimate(effect.comparison().difference()));
            map.put("mean_p", rounded(change.holmMean()));
            map.put("psi_change", row.profile().hasThinPsi() ? null : change(effect.psi()));
            map.put("psi_p", rounded(change.holmPsi()));
            map.put("worst_change", change(effect.worst().difference()));
            map.put("harmonic_change", change(effect.harmonic().difference()));
        }
        return map;
    }

    private static @Nullable List<@Nullable Object> change(@Nullable Estimate difference) {
        return difference == null ? null : estimate(difference);
    }

    private static @Nullable List<@Nullable Object> part(LossParts parts, LossParts.@Nullable Part part) {
        return part == null ? null : estimate(parts.share(part.points()));
    }

    /** Class of a verdict in the page, which colours it. */
    private static String kind(@Nullable Verdict verdict) {
        return verdict == null || verdict.isUnsure() ? "" : verdict.isSound() ? "fair" : "bias";
    }

    private static Map<String, @Nullable Object> profile(Result result, Profile profile) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("measure", profile.measure());
        map.put("stratum", profile.stratum());
        map.put("queries", profile.queries());
        map.put("query_mean", estimate(profile.queryMean(), profile.queryInterval()));
        map.put("bucket_mean", estimate(profile.bucketMean(), profile.bucketInterval()));
        Psi psi = profile.printedPsi();
        map.put("psi", estimate(psi.value(), psi.interval()));
        map.put("undefined", psi.undefined());
        map.put("corrected", rounded(psi.corrected()));
        map.put("noise95", rounded(psi.noise95()));
        map.put("p", rounded(psi.pValue()));
        ContentFixed fixed = profile.contentFixed();
        map.put("verdict", profile.verdicts().isEmpty() ? null : Verdict.words(profile.verdicts()));
        map.put("kind", kind(profile.verdict()));
        map.put("answer", Answer.of(result, profile).words());
        if (fixed != null) {
            map.put("cpsi", estimate(fixed.cpsi().value(), fixed.cpsi().interval()));
            map.put("ends", estimate(fixed.frontMinusBack()));
            PositionLoss loss = fixed.loss();
            if (loss != null) {
                map.put("loss", change(fixed.lossShare()));
                map.put(
                        "worst",
                        estimate(-loss.worst().loss(), loss.worst().interval().times(-1)));
                LossParts parts = fixed.parts();
                if (parts != null) {
                    map.put("position_loss", part(parts, parts.position()));
                    map.put("reading_loss", part(parts, parts.notReading()));
                }
                map.put("flips", loss.flips() == null ? null : loss.flips().toString());
            }
            map.put(
                    "places",
                    fixed.places().stream()
                            .map(place -> estimate(place.mean(), place.interval()))
                            .toList());
        }
        map.put("buckets", profile.buckets().stream().map(PageData::bucket).toList());
        Strip strip = Strip.of(result, profile);
        map.put("strip", strip.cells().stream().map(PageData::cell).toList());
        map.put("strip_text", strip.text());
        return map;
    }

    private static List<@Nullable Object> cell(Strip.Cell cell) {
        List<@Nullable Object> numbers = new ArrayList<>();
        Double mean = cell.mean();
        numbers.add(rounded(mean));
        numbers.add(rounded(cell.hatched()));
        numbers.add(mean == null ? null : Html.colour(mean));
        numbers.add(mean != null && Viridis.isDark(mean) ? 1 : 0);
        return numbers;
    }

    /** Models that are better, for each column of the leaderboard with tests. */
    private static Map<String, Set<String>> better(Result result, Profile profile, PairwiseTests tests) {
        Map<String, Tested> columns = new LinkedHashMap<>();
        columns.put("query_mean", new Tested.Mean());
        columns.put("psi", new Tested.Psi());
        profile.buckets()
                .forEach(bucket -> columns.put("bucket " + bucket.bucket(), new Tested.Bucket(bucket.bucket())));
        Map<String, Set<String>> better = new LinkedHashMap<>();
        columns.forEach((column, number) -> {
            Set<String> own = tests.better(result, profile.measure(), profile.stratum(), number);
            if (own != null) {
                better.put(column, own);
            }
        });
        return better;
    }

    private static List<@Nullable Object> bucket(BucketMean bucket) {
        List<@Nullable Object> numbers = new ArrayList<>();
        numbers.add(bucket.bucket());
        numbers.add(bucket.queries());
        Interval interval = bucket.interval() == null ? bucket.tInterval() : bucket.interval();
        numbers.addAll(estimate(bucket.mean(), interval == null || !interval.hasWidth() ? null : interval));
        numbers.add(bucket.thin() ? 1 : 0);
        return numbers;
    }

    private static List<@Nullable Object> estimate(Estimate estimate) {
        return estimate(estimate.value(), estimate.interval());
    }

    private static List<@Nullable Object> estimate(@Nullable Double value, @Nullable Interval interval) {
        List<@Nullable Object> numbers = new ArrayList<>();
        numbers.add(rounded(value));
        numbers.add(interval == null ? null : rounded(interval.low()));
        numbers.add(interval == null ? null : rounded(interval.high()));
        return numbers;
    }

    private static @Nullable Double rounded(@Nullable Double value) {
        return value == null ? null : (Double) rounded(value.doubleValue());
    }

    static double rounded(double value) {
        return Math.round(value * DECIMALS) / DECIMALS;
    }
}
