package io.posbias.score.result;

import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.TestOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code result.json}: results as JSON, described by docs/schema/result-5.schema.json. Numbers are fractions, not points.
 */
public final class ResultFile {
    /** The schema this version writes. */
    public static final String SCHEMA = "posbias/result/5";

    private static final List<String> EARLIER =
            List.of("posbias/result/1", "posbias/result/2", "posbias/result/3", "posbias/result/4");

    /** Outcomes of a profile's tests in the earliest versions. */
    private static final Set<String> DIRECTIONS = Set.of("primacy", "recency", "middle", "edges", "uneven");

    public static final String NAME = "result.json";

    private ResultFile() {}

    private record ResultList(String schema, List<Result> results) {}

    public static void write(Path file, List<Result> results) {
        IoErrors.run("write", file, () -> Files.write(file, toBytes(results)));
    }

    public static Record document(List<Result> results) {
        return new ResultList(SCHEMA, results);
    }

    public static byte[] toBytes(List<Result> results) {
        return Json.toBytes(document(results));
    }

    /**
     * Reads results.
     *
     * @throws PosbiasException if the file is missing, has another schema or lacks a field
     */
    public static List<Result> read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new PosbiasException("cannot read " + file + ": file not found");
        }
        return read(Json.readJson(file));
    }

    public static List<Result> read(Fields document) {
        Fields own = upgraded(document);
        own.refuseOtherSchema(SCHEMA, "this version of posbias reads " + String.join(", ", EARLIER) + " and " + SCHEMA);
        List<Result> results = Json.bind(own, ResultList.class).results();
        results.forEach(result -> {
            refuseWithoutAll(document, result);
            refuseOtherFiles(document, result);
        });
        return results;
    }

    /** Turns a document of an earlier version into one of this version: settings that it had not have the values then. */
    private static Fields upgraded(Fields document) {
        if (!EARLIER.contains(String.valueOf(document.raw("schema")))) {
            return document;
        }
        Map<String, @Nullable Object> changed = document.toMap();
        changed.put("schema", SCHEMA);
        changed.put(
                "results",
                document.records("results").stream()
                        .map(ResultFile::upgradedResult)
                        .toList());
        return new Fields(document.where(), changed);
    }

    private static Map<String, @Nullable Object> upgradedResult(Fields result) {
        Map<String, @Nullable Object> settings = result.record("settings").toMap();
        settings.putIfAbsent("confidence", 0.0);
        settings.putIfAbsent("equivalence", TestOutcome.EQUIVALENCE);
        settings.putIfAbsent("cluster", Clustering.By.NONE.toString());
        Map<String, @Nullable Object> changed = result.toMap();
        changed.put("settings", settings);
        changed.put(
                "profiles",
                result.records("profiles").stream()
                        .map(ResultFile::upgradedProfile)
                        .toList());
        result.records("profiles").stream()
                .limit(1)
                .map(profile -> profile.record("content_fixed"))
                .filter(fixed -> fixed.has("method") && !fixed.text("method").equals(ContentFixed.OF_BENCHMARK))
                .forEach(fixed -> changed.put("placing", placing(settings, fixed)));
        return changed;
    }

    private static Map<String, @Nullable Object> placing(Map<String, @Nullable Object> settings, Fields fixed) {
        Map<String, @Nullable Object> placing = new LinkedHashMap<>();
        placing.put("how", settings.get("content_fixed"));
        placing.put("method", fixed.text("method"));
        placing.put("measure", fixed.text("measure"));
        placing.put("seed", settings.get("seed"));
        return placing;
    }

    /** Renames the verdicts of tests to outcomes; {@link Result} decides the verdict by all of them. */
    private static Map<String, @Nullable Object> upgradedProfile(Fields profile) {
        Map<String, @Nullable Object> changed = profile.toMap();
        // Decided again, by other rules.
        changed.remove("verdict");
        if (profile.has("unread") && profile.record("unread").has("queries")) {
            Map<String, @Nullable Object> counts = profile.record("unread").toMap();
            counts.keySet().retainAll(Set.of("queries", "unread"));
            changed.put("unread", counts);
        } else {
            // A bucket and a share.
            changed.remove("unread");
        }
        for (String test : List.of("direction", "content_fixed")) {
            if (profile.has(test)) {
                Map<String, @Nullable Object> own = profile.record(test).toMap();
                Object outcome = own.remove("verdict");
                own.putIfAbsent("outcome", outcome);
                own.remove("read");
                if (test.equals("direction") && DIRECTIONS.contains(String.valueOf(own.get("outcome")))) {
                    // The tests of a profile cannot name one.
                    own.put("outcome", TestOutcome.DIFFER.toString());
                }
                if ("truncation".equals(own.get("outcome"))) {
                    // A direction that the questions which are read everywhere did not have.
                    double front =
                            profile.record(test).record("front_minus_back").number("value");
                    own.put("outcome", (front > 0 ? TestOutcome.PRIMACY : TestOutcome.RECENCY).toString());
                }
                changed.put(test, own);
            }
        }
        return changed;
    }

    private static void refuseWithoutAll(Fields document, Result result) {
        List<String> measures = result.measures();
        if (measures.isEmpty() || measures.stream().anyMatch(name -> result.profile(name, Strata.ALL) == null)) {
            throw document.bad(
                    "results",
                    "holds one of " + Printable.cut(result.model()) + " on " + Printable.cut(result.dataset())
                            + " without a profile of all queries",
                    "each measure has one, of stratum \"" + Strata.ALL + "\"");
        }
    }

    /** A file whose name is not read would be left out of figures and comparisons in silence. */
    private static void refuseOtherFiles(Fields document, Result result) {
        Set<String> names = result.provenance().filesSha256().keySet();
        boolean isWhole = names.isEmpty() || names.contains(CsvFiles.QUERIES);
        if (!isWhole || !ResultFolder.FILES.containsAll(names)) {
            throw document.bad(
                    "files_sha256",
                    "names " + Printable.cut(String.join(", ", names)),
                    "a result has digests of " + String.join(", ", ResultFolder.FILES));
        }
    }
}
