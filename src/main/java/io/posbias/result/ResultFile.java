package io.posbias.result;

import io.posbias.Fields;
import io.posbias.IoErrors;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.position.Strata;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code result.json}: results as JSON, described by docs/schema/result-2.schema.json. Numbers are fractions, not points.
 */
public final class ResultFile {
    /** The schema this version writes. */
    public static final String SCHEMA = "posbias/result/2";

    private static final String FIRST_SCHEMA = "posbias/result/1";

    public static final String NAME = "result.json";

    private ResultFile() {}

    private record ResultList(String schema, List<Result> results) {}

    public static void write(Path file, List<Result> results) {
        IoErrors.run("write", file, () -> Files.write(file, toBytes(results)));
    }

    public static byte[] toBytes(List<Result> results) {
        return Json.toBytes(new ResultList(SCHEMA, results));
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
        if (!FIRST_SCHEMA.equals(document.raw("schema"))) {
            document.refuseOtherSchema(SCHEMA, "this version of posbias reads " + FIRST_SCHEMA + " and " + SCHEMA);
        }
        List<Result> results = Json.bind(document, ResultList.class).results();
        results.forEach(result -> refuseWithoutAll(document, result));
        return results;
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
}
