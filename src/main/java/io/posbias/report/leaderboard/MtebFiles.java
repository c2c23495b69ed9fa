package io.posbias.report.leaderboard;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.Staging;
import io.posbias.base.json.Json;
import io.posbias.data.convert.Catalog;
import io.posbias.data.convert.PosirNames;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Profile;
import io.posbias.score.result.Result;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Results in the layout of MTEB's results repository, {@code MODEL/REVISION/TASK.json} with {@code model_meta.json}, as
 * mteb 2.26 reads them: TaskResult and ModelMeta (scripts/peers/mteb_tasks.py). MTEB keeps unknown score keys: keys of posbias begin with {@code
 * posbias_}. The revision is the recipe's fingerprint.
 */
public final class MtebFiles {
    private static final String ORGANISATION = "posbias";
    private static final String OWN = "posbias_";
    private static final Pattern MEASURE = Pattern.compile("(.+?)(?:@(\\d+))?");

    private static final String CROSS = "cross-encoder";
    private static final String LATE = "late-interaction";
    private static final String SPARSE = "sparse";

    /** Licences that mteb's ModelMeta knows (2.26); it refuses a file with any other word. */
    private static final Set<String> LICENCES = Set.of(
            "afl-3.0",
            "apache-2.0",
            "bsd-3-clause",
            "cc-by-2.0",
            "cc-by-3.0",
            "cc-by-4.0",
            "cc-by-nc-3.0",
            "cc-by-nc-4.0",
            "cc-by-nc-nd-4.0",
            "cc-by-nc-sa-3.0",
            "cc-by-nc-sa-4.0",
            "cc-by-nd-4.0",
            "cc-by-sa-3.0",
            "cc-by-sa-4.0",
            "cc0-1.0",
            "gemma",
            "gpl-3.0",
            "lgpl-3.0",
            "mit",
            "mpl-2.0");

    private MtebFiles() {}

    /**
     * Writes a file for each result and one for each model.
     *
     * @return how many files were written
     */
    public static int write(Path folder, List<Result> results) {
        Catalog catalog = Catalog.read();
        Set<Path> models = new LinkedHashSet<>();
        for (Result result : results) {
            Path model = FileNames.directlyIn(
                    FileNames.directlyIn(folder, ORGANISATION + "__" + result.model()), revision(result));
            Staging.writeFile(
                    FileNames.directlyIn(model, task(result) + ".json"),
                    Json.toBytes(task(result, languages(result, catalog))));
            if (models.add(model)) {
                Staging.writeFile(model.resolve("model_meta.json"), Json.toBytes(meta(result)));
            }
        }
        return results.size() + models.size();
    }

    private static String revision(Result result) {
        return result.provenance().recipeSha256().isEmpty()
                ? "no_revision_available"
                : result.provenance().recipeSha256();
    }

    private static String task(Result result) {
        return result.dataset().replace("/", "__");
    }

    private static Set<String> languages(Result result, Catalog catalog) {
        Set<String> languages = new LinkedHashSet<>();
        catalog.find(result.dataset()).ifPresent(entry -> {
            DatasetCard card = entry.card();
            List.of(card.queryLanguage(), card.language())
                    .forEach(code -> PosirNames.ofIso639(code).ifPresent(languages::add));
        });
        return languages;
    }

    static Map<String, @Nullable Object> task(Result result, Set<String> languages) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put(
                "dataset_revision",
                Checksums.sha256(Json.toBytes(new TreeMap<>(result.provenance().datasetSha256()))));
        map.put("task_name", task(result));
        map.put("mteb_version", null);
        map.put("scores", Map.of("test", List.of(scores(result, languages))));
        // Nullable in mteb, and no part of what was measured: the same results are the same bytes.
        map.put("evaluation_time", null);
        map.put("kg_co2_emissions", null);
        return map;
    }

    private static Map<String, @Nullable Object> scores(Result result, Set<String> languages) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (String measure : result.measures()) {
            map.put(key(measure), result.overall(measure).queryMean());
        }
        String main = result.measures().contains(Measures.DEFAULT)
                ? Measures.DEFAULT
                : result.measures().getFirst();
        map.put("main_score", result.overall(main).queryMean());
        map.put("hf_subset", "default");
        map.put("languages", languages);
        for (String measure : result.measures()) {
            addPosition(key(measure), result.overall(measure), map);
        }
        return map;
    }

    private static void addPosition(String key, Profile profile, Map<String, @Nullable Object> map) {
        String suffix = "_" + key.replaceFirst("^" + OWN, "");
        Map<String, @Nullable Object> buckets = new LinkedHashMap<>();
        profile.buckets().forEach(bucket -> buckets.put(bucket.bucket(), bucket.mean()));
        map.put(OWN + "psi" + suffix, profile.psi().value());
        if (profile.psi().pValue() != null) {
            map.put(OWN + "psi_p_value" + suffix, profile.psi().pValue());
        }
        map.put(OWN + "buckets" + suffix, buckets);
    }

    private static String key(String measure) {
        Matcher matcher = MEASURE.matcher(measure);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no measure: " + measure);
        }
        String cutoff = matcher.group(2) == null ? "" : "_at_" + matcher.group(2);
        return Measures.mteb(matcher.group(1)).orElse(OWN + matcher.group(1)) + cutoff;
    }

    private static Map<String, @Nullable Object> meta(Result result) {
        Map<String, @Nullable Object> recipe = result.recipe();
        String type = type(recipe);
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("name", ORGANISATION + "/" + result.model());
        map.put("revision", revision(result));
        map.put("release_date", null);
        map.put("languages", null);
        map.put("n_parameters", null);
        map.put("memory_usage_mb", null);
        map.put("max_tokens", recipe.get("max-tokens"));
        map.put("embed_dim", recipe.get("dimension"));
        map.put(
                "license",
                recipe.get("licence") instanceof String licence && LICENCES.contains(licence) ? licence : null);
        map.put("open_weights", null);
        map.put("public_training_code", null);
        map.put("public_training_data", null);
        map.put("framework", List.of());
        map.put("reference", repository(recipe) == null ? null : "https://huggingface.co/" + repository(recipe));
        map.put("similarity_fn_name", type.equals(LATE) ? "MaxSim" : recipe.get("similarity"));
        map.put("model_type", List.of(type));
        map.put("use_instructions", null);
        map.put("training_datasets", null);
        map.put("adapted_from", repository(recipe));
        map.put("superseded_by", null);
        map.put("loader", null);
        return map;
    }

    /** One of mteb's words for a model; a worker's recipe says what it gives. */
    private static String type(Map<String, @Nullable Object> recipe) {
        Object kind = recipe.get("gives") == null ? recipe.get("kind") : recipe.get("gives");
        return switch (String.valueOf(kind)) {
            case "bm25", SPARSE -> SPARSE;
            case "causal-reranker", CROSS, "rerank-api" -> CROSS;
            case LATE -> LATE;
            default -> "dense";
        };
    }

    private static @Nullable Object repository(Map<String, @Nullable Object> recipe) {
        if (!(recipe.get("source") instanceof Map<?, ?> source)) {
            return null;
        }
        return source.get("hub") == null ? source.get("export") : source.get("hub");
    }
}
