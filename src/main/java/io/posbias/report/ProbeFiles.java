package io.posbias.report;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ProbeResult;
import io.posbias.probe.ScoredItem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What probes found, as JSON, and the scores behind it, as CSV. */
public final class ProbeFiles {
    /** The schema of the JSON. */
    public static final String SCHEMA = "posbias/probe-result/1";

    private ProbeFiles() {}

    /**
     * By what and of what scores are: scores of equal digests are the same.
     *
     * @param recipeSha256 of the model's recipe
     * @param itemsSha256 of what was scored; null where that was no list of items
     */
    public record Scored(String recipeSha256, @Nullable String itemsSha256) {
        /** Reads the digests of a result; null where it has none. */
        public static @Nullable Scored of(Fields result) {
            return result.has("recipe_sha256") && result.has("items_sha256")
                    ? new Scored(result.text("recipe_sha256"), result.text("items_sha256"))
                    : null;
        }

        void put(Map<String, Object> document) {
            document.put("recipe_sha256", recipeSha256);
            if (itemsSha256 != null) {
                document.put("items_sha256", itemsSha256);
            }
        }
    }

    /** A model's result as a JSON document in UTF-8. */
    public static byte[] toBytes(
            String model, Scored by, Map<String, String> dataSha256, double confidence, ProbeResult result) {
        return Json.toBytes(toMap(model, by, dataSha256, confidence, result));
    }

    private static Map<String, Object> toMap(
            String model, Scored by, Map<String, String> dataSha256, double confidence, ProbeResult result) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        document.put("model", model);
        by.put(document);
        document.put("data_sha256", dataSha256);
        document.put("confidence", confidence);
        document.put("tests", result.tests().stream().map(ProbeFiles::toMap).toList());
        document.put("grid", result.grid().stream().map(ProbeFiles::toMap).toList());
        return document;
    }

    /** The results of some models as a JSON array in UTF-8. */
    public static byte[] toBytes(
            Map<String, Scored> by,
            Map<String, String> dataSha256,
            double confidence,
            Map<String, ProbeResult> results) {
        List<Map<String, Object>> documents = new ArrayList<>();
        results.forEach((model, result) ->
                documents.add(toMap(model, Objects.requireNonNull(by.get(model)), dataSha256, confidence, result)));
        return Json.toBytes(documents);
    }

    static Map<String, @Nullable Object> toMap(PairTest test) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("probe", test.probe());
        map.put("comparison", test.comparison());
        map.put("n", test.n());
        map.put("first_mean", test.first());
        map.put("second_mean", test.second());
        map.put("difference", test.difference() == null ? null : ProfileFields.estimate(test.difference()));
        map.put("t", test.t());
        map.put("higher", test.higher());
        map.put("ties", test.ties());
        map.put("effect_size", test.effect());
        return map;
    }

    private static Map<String, Object> toMap(ProbeResult.GridCell cell) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("heads", cell.heads());
        map.put("words", cell.words());
        map.put("n", cell.n());
        map.put("mean", cell.mean());
        return map;
    }

    /** One line for each item with its scores. */
    public static String csv(List<ScoredItem> items) {
        return CsvTable.lines(lines -> {
            lines.accept(List.of("probe", "id", "tags", "score1", "score2"));
            for (ScoredItem scored : items) {
                String tags = new TreeMap<>(scored.item().tags())
                        .entrySet().stream()
                                .map(tag -> tag.getKey() + "=" + tag.getValue())
                                .collect(Collectors.joining(";"));
                Double second = scored.score2();
                lines.accept(List.of(
                        scored.item().probe(),
                        scored.item().id(),
                        tags,
                        String.valueOf(scored.score1()),
                        second == null ? "" : second.toString()));
            }
        });
    }

    /**
     * The scores that {@link #csv} wrote of the same items.
     *
     * @throws PosbiasException if the file does not hold their scores, one line each in their order
     */
    public static List<ScoredItem> read(Path file, List<ProbeItem> items) {
        List<Fields> rows = CsvRows.read(file);
        if (rows.size() != items.size()) {
            throw new PosbiasException(file + " holds " + rows.size() + " scores where " + items.size() + " belong");
        }
        List<ScoredItem> scored = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Fields row = rows.get(i);
            ProbeItem item = items.get(i);
            Double second = row.has("score2") ? (Double) row.parsedNumber("score2") : null;
            if (!row.text("id", "").equals(item.id()) || (second == null) != (item.text2() == null)) {
                throw row.bad("id", "is not " + item.id() + " with its scores", "--overwrite writes the file anew");
            }
            scored.add(new ScoredItem(item, row.parsedNumber("score1"), second));
        }
        return scored;
    }
}
