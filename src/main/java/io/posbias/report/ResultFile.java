package io.posbias.report;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code result.json}: results as JSON, described by docs/schema/result-2.schema.json. Numbers are fractions, not points.
 */
public final class ResultFile {
    /** The schema this version writes. */
    public static final String SCHEMA = "posbias/result/2";

    /** The schema before intervals; results of it are read as they are. */
    private static final String FIRST_SCHEMA = "posbias/result/1";

    /** The file's usual name. */
    public static final String NAME = "result.json";

    private ResultFile() {}

    /** Writes results to a file. */
    public static void write(Path file, List<Result> results) {
        try {
            Files.write(file, toBytes(results));
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", file, refused), refused);
        }
    }

    /** Results as a JSON document in UTF-8. */
    public static byte[] toBytes(List<Result> results) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        document.put("results", results.stream().map(ResultFile::toMap).toList());
        return Json.toBytes(document);
    }

    /**
     * Reads results.
     *
     * @throws PosbiasException if the file is missing, is no result file or is of a schema this version does not know
     */
    public static List<Result> read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new PosbiasException("cannot read " + file + ": no such file");
        }
        Fields document = Json.readJson(file);
        if (!FIRST_SCHEMA.equals(document.raw("schema"))) {
            document.refuseOtherSchema(SCHEMA, "this version of posbias reads " + FIRST_SCHEMA + " and " + SCHEMA);
        }
        return document.records("results").stream().map(ResultFile::read).toList();
    }

    private static Map<String, @Nullable Object> toMap(Result result) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("model", result.model());
        map.put("family", result.family());
        map.put("dataset", result.dataset());
        map.put("queries", counts(result.queries()));
        map.put("profiles", result.profiles().stream().map(ProfileFields::write).toList());
        RetrievalFields.write(result.retrieval(), map);
        map.put("settings", settings(result.settings()));
        map.put("recipe", result.recipe());
        map.put("recipe_sha256", result.recipeSha256());
        map.put("dataset_sha256", result.datasetSha256());
        map.put("environment", result.environment());
        map.put("seconds", result.seconds());
        return map;
    }

    private static Map<String, Object> counts(QueryCounts counts) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("judged", counts.judged());
        map.put("unjudged", counts.unjudged());
        map.put("in_several_buckets", counts.inSeveral());
        map.put("in_no_bucket", counts.inNone());
        map.put("unanswered", counts.unanswered());
        return map;
    }

    private static Map<String, Object> settings(Settings settings) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("k", settings.k());
        map.put("measures", settings.measures());
        map.put("buckets", settings.buckets());
        map.put("thin_below", settings.thinBelow());
        map.put("draws", settings.draws());
        map.put("seed", settings.seed());
        map.put("confidence", settings.confidence());
        return map;
    }

    private static Result read(Fields fields) {
        return new Result(
                fields.text("model"),
                fields.text("family", "other"),
                fields.text("dataset"),
                readCounts(fields.record("queries")),
                fields.records("profiles").stream().map(ProfileFields::read).toList(),
                RetrievalFields.read(fields),
                readSettings(fields.record("settings")),
                fields.record("recipe").toMap(),
                fields.text("recipe_sha256", ""),
                texts(fields.record("dataset_sha256")),
                raw(fields.record("environment")),
                numbers(fields.record("seconds")));
    }

    private static QueryCounts readCounts(Fields fields) {
        return new QueryCounts(
                fields.integer("judged", 0),
                fields.integer("unjudged", 0),
                fields.integer("in_several_buckets", 0),
                fields.integer("in_no_bucket", 0),
                fields.integer("unanswered", 0));
    }

    private static Settings readSettings(Fields fields) {
        return new Settings(
                fields.integer("k", 0),
                fields.texts("measures"),
                fields.text("buckets", ""),
                fields.integer("thin_below", 0),
                fields.integer("draws", 0),
                (long) fields.number("seed", 0),
                fields.number("confidence", 0));
    }

    private static Map<String, String> texts(Fields fields) {
        Map<String, String> map = new LinkedHashMap<>();
        fields.names().forEach(name -> map.put(name, fields.text(name)));
        return map;
    }

    private static Map<String, Double> numbers(Fields fields) {
        Map<String, Double> map = new LinkedHashMap<>();
        fields.names().forEach(name -> map.put(name, fields.number(name)));
        return map;
    }

    private static Map<String, Object> raw(Fields fields) {
        Map<String, Object> map = new LinkedHashMap<>();
        fields.toMap().forEach((name, value) -> {
            if (value != null) {
                map.put(name, value);
            }
        });
        return map;
    }
}
