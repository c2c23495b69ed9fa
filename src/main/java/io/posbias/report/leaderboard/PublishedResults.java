package io.posbias.report.leaderboard;

import io.posbias.Configs;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.dataset.convert.PosirNames;
import io.posbias.measure.BucketMean;
import io.posbias.measure.Measures;
import io.posbias.measure.Profile;
import io.posbias.measure.Psi;
import io.posbias.measure.Units;
import io.posbias.position.Bucketing;
import io.posbias.position.Strata;
import io.posbias.result.Provenance;
import io.posbias.result.QueryCounts;
import io.posbias.result.Result;
import io.posbias.result.Retrieval;
import io.posbias.result.Settings;
import io.posbias.table.CsvRows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the papers printed, as results: data/published inside the jar. Numbers of queries are not printed there and are
 * as 0; PSI is the printed one.
 */
public final class PublishedResults {
    /** The field of a recipe that names the published rows of the same model, by paper. */
    private static final String LINK = "published-as";

    private static final String POSQ = "data/published/posq-table1.csv";
    private static final String POSIR = "data/published/posir-10-models-eval-metrics.json";
    private static final String POSIR_TABLE_2 = "data/published/posir-table2.csv";
    private static final String TRAINING = "data/published/training-distribution-posq.csv";
    private static final String COLDER = "data/published/colder-retrieval.csv";
    private static final double POINTS = 100;

    /** The families that the SQuAD-PosQ paper ran on the tiny subsets, because they take long. */
    private static final Set<String> ON_TINY = Set.of("late-interaction", "reranker");

    /** The measures of ColDeR's tables, and their columns. */
    static final List<String> COLDER_MEASURES = List.of(Measures.DEFAULT, "R@10");

    private static final List<String> COLDER_COLUMNS = List.of("ndcg_at_10", "recall_at_10");

    /** Where the training data of a model had its evidence: beginning, middle, end, or uniformly everywhere. */
    static final List<String> TRAINED_ON = List.of("MB", "MM", "ME", "MU");

    /** The paper's table shortens one name that its result file spells out. */
    private static final Map<String, String> SHORT_NAMES =
            Map.of("KaLM-Embedding-12B", "KaLM-Embedding-Gemma3-12B-2511");

    private PublishedResults() {}

    private static final List<PosqColumns> POSQ_COLUMNS = List.of(
            new PosqColumns(
                    "squad-posq", Bucketing.SQUAD_POSQ, "squad_posq_", List.of("0", "100", "200", "300", "400", "500")),
            new PosqColumns(
                    "fineweb-posq", Bucketing.FINEWEB_POSQ, "fineweb_posq_", List.of("beginning", "middle", "end")));

    /** Columns of Table 1 that belong to one benchmark. */
    private record PosqColumns(String dataset, String bucketing, String prefix, List<String> buckets) {
        boolean in(Fields row) {
            return row.has(prefix + "psi");
        }

        Result result(Fields row) {
            List<String> names = Bucketing.parse(bucketing).positions().buckets();
            List<BucketMean> means = new ArrayList<>();
            double sum = 0;
            for (int i = 0; i < buckets.size(); i++) {
                double mean = row.parsedNumber(prefix + buckets.get(i)) / POINTS;
                means.add(new BucketMean(names.get(i), 0, mean, false));
                sum += mean;
            }
            Psi printed = Psi.of(row.parsedNumber(prefix + "psi"));
            String family = row.text("family");
            String set = ON_TINY.contains(family) ? dataset + Leaderboard.TINY : dataset;
            Profile profile =
                    new Profile(Paper.POSQ.measure(), Strata.ALL, 0, null, sum / means.size(), printed, means);
            return published(Paper.POSQ, row.text("model"), family, set, bucketing, List.of(profile));
        }
    }

    /**
     * Table 1 of the SQuAD-PosQ paper: BM25 and dense models on {@code squad-posq} and {@code fineweb-posq}, late interaction
     * and rerankers on their tiny subsets (section 4.1).
     */
    public static List<Result> posq() {
        List<Result> results = new ArrayList<>();
        for (Fields row : rows(POSQ)) {
            POSQ_COLUMNS.stream()
                    .filter(columns -> columns.in(row))
                    .map(columns -> columns.result(row))
                    .forEach(results::add);
        }
        return results;
    }

    /**
     * The PosIR authors' own output at full precision: ten models on {@code posir/LANG} and, cross-lingual,
     * {@code posir/LANG-eng-Latn}. The mean over all queries stands for the stratum all, the mean of bin means for Q1 to
     * Q4, as they computed them.
     */
    public static List<Result> posir() {
        Fields models = Json.parse(Path.of(POSIR), Configs.read(POSIR));
        List<Result> results = new ArrayList<>();
        for (String model : models.names()) {
            Fields pairs = models.record(model);
            for (String pair : pairs.names()) {
                Fields numbers = pairs.record(pair);
                List<Profile> profiles = new ArrayList<>();
                profiles.add(profile(Strata.ALL, numbers.number("nDCG@10"), null, numbers.number("PSI")));
                for (String band : Bucketing.parse(Bucketing.POSIR).strata().bands()) {
                    double mean = numbers.number("nDCG@10(" + band + ")");
                    profiles.add(profile(band, null, mean, numbers.number("PSI(" + band + ")")));
                }
                results.add(published(Paper.POSIR, model, "dense", posirDataset(pair), Bucketing.POSIR, profiles));
            }
        }
        return results;
    }

    /**
     * Table 1 of the paper on training distributions: eight models on {@code squad-posq}, three of them on
     * {@code fineweb-posq}, each trained four times. Its mean is taken for a mean over positions.
     */
    static List<Result> training() {
        List<Result> results = new ArrayList<>();
        for (Fields row : rows(TRAINING)) {
            List<String> words = List.of(row.text("Benchmark / model").split(" / ", 2));
            PosqColumns benchmark = POSQ_COLUMNS.stream()
                    .filter(columns -> columns.dataset().equals(words.getFirst().toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow();
            for (String trained : TRAINED_ON) {
                Double mean = Double.valueOf(row.text(trained + " nDCG"));
                double psi = row.parsedNumber(trained + " PSI");
                results.add(published(
                        Paper.TRAINING,
                        words.getLast() + " " + trained,
                        "dense",
                        benchmark.dataset(),
                        benchmark.bucketing(),
                        List.of(profile(Strata.ALL, null, mean, psi))));
            }
        }
        return results;
    }

    /** Tables 2 and A.3 of "Collapse of Dense Retrievers": six models on {@code nq} and {@code redocred}. */
    static List<Result> colder() {
        List<Result> results = new ArrayList<>();
        for (Fields row : rows(COLDER)) {
            List<Profile> profiles = new ArrayList<>();
            for (int i = 0; i < COLDER_MEASURES.size(); i++) {
                profiles.add(new Profile(
                        COLDER_MEASURES.get(i),
                        Strata.ALL,
                        0,
                        row.parsedNumber(COLDER_COLUMNS.get(i)),
                        null,
                        Psi.undefined("not printed"),
                        List.of()));
            }
            results.add(published(Paper.COLDER, row.text("model"), "dense", row.text("dataset"), "", profiles));
        }
        return results;
    }

    /**
     * What a paper calls the model of a result: a published result's own name, or the one its recipe gives; the result's
     * name where the recipe gives none.
     */
    static String nameIn(Paper paper, Result result) {
        if (!result.isPublished()
                && result.recipe().get(LINK) instanceof Map<?, ?> names
                && names.get(paper.toString()) instanceof String name) {
            return name;
        }
        return result.model();
    }

    /** Whether a published row is of the model that made a result: the result's recipe says so. */
    static boolean isOf(Result own, Result published) {
        return own.recipe().get(LINK) instanceof Map<?, ?> names
                && published
                        .model()
                        .equals(names.get(String.valueOf(published.recipe().get("paper"))));
    }

    /** "eng-eng" is posir/eng-Latn, "fra-eng" posir/fra-Latn-eng-Latn. */
    private static String posirDataset(String pair) {
        List<String> languages = Arrays.stream(pair.split("-", 2))
                .map(PosirNames::folder)
                .distinct()
                .toList();
        return "posir/" + String.join("-", languages);
    }

    private static Profile profile(
            String stratum, @Nullable Double queryMean, @Nullable Double bucketMean, double psi) {
        return new Profile(Measures.DEFAULT, stratum, 0, queryMean, bucketMean, Psi.of(psi), List.of());
    }

    /** The mean nDCG@10 of models on MMTEB's retrieval tasks, as a fraction, by their names in {@link #posir()}. */
    public static Map<String, Double> mmteb() {
        Map<String, Double> means = new LinkedHashMap<>();
        for (Fields row : rows(POSIR_TABLE_2)) {
            String model = row.text("model");
            means.put(SHORT_NAMES.getOrDefault(model, model), row.parsedNumber("mmteb_retrieval") / POINTS);
        }
        return means;
    }

    static List<Fields> rows(String name) {
        return CsvRows.read(Path.of(name), Configs.read(name));
    }

    static Result published(
            Paper paper, String model, String family, String dataset, String bucketing, List<Profile> profiles) {
        Map<String, @Nullable Object> recipe = new LinkedHashMap<>();
        recipe.put("name", model);
        recipe.put("kind", Result.PUBLISHED);
        recipe.put("paper", paper.toString());
        return new Result(
                model,
                family,
                dataset,
                new QueryCounts(0, 0, 0, 0, 0),
                profiles,
                Retrieval.NONE,
                new Provenance(
                        new Settings(0, List.of(paper.measure()), bucketing, 0, 0, 0, 0, Units.By.NONE, null),
                        recipe,
                        "",
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        Map.of()));
    }
}
