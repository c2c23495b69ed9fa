package io.posbias.report;

import io.posbias.probe.SegmentCosines;
import io.posbias.probe.SegmentSimilarity;
import io.posbias.stats.Interval;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cosines of whole texts and their segments, as JSON, and those of each text, as CSV. */
public final class SegmentFiles {
    /** The schema of the JSON. */
    public static final String SCHEMA = "posbias/segments/1";

    private SegmentFiles() {}

    /** A model's result on all benchmarks, to be written as JSON. */
    public static Map<String, Object> document(
            SegmentTables.Setup setup, String model, String recipeSha256, List<SegmentTables.Cell> cells) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        document.put("model", model);
        document.put("recipe_sha256", recipeSha256);
        document.put("words_above", setup.above());
        document.put("words_below", setup.below());
        document.put("seed", setup.seed());
        document.put("lengths", setup.lengths());
        document.put("confidence", setup.confidence());
        document.put("datasets", cells.stream().map(SegmentFiles::toMap).toList());
        return document;
    }

    private static Map<String, Object> toMap(SegmentTables.Cell cell) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("dataset", cell.dataset().name());
        map.put("dataset_sha256", cell.dataset().sha256());
        map.put("passages", cell.dataset().passages());
        map.put("fit", cell.dataset().fit());
        map.put("drawn", cell.cosines().size());
        Map<String, Object> cut = new LinkedHashMap<>();
        cut.put("max_tokens", cell.cut().maxTokens());
        cut.put("known", cell.cut().known());
        cut.put("whole_texts", cell.similarity().bands().getFirst().cut());
        cut.put("segments", cell.cut().segments());
        map.put("cut", cut);
        map.put(
                "bands",
                cell.similarity().bands().stream().map(SegmentFiles::toMap).toList());
        return map;
    }

    private static Map<String, Object> toMap(SegmentSimilarity.Band band) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("words", band.words());
        map.put("n", band.n());
        map.put("whole_texts_cut", band.cut());
        map.put("beginning", toMap(band.beginning()));
        map.put("middle", toMap(band.middle()));
        map.put("end", toMap(band.end()));
        map.put("tests", List.of(ProbeFiles.toMap(band.lessMiddle()), ProbeFiles.toMap(band.lessEnd())));
        return map;
    }

    private static Map<String, @Nullable Object> toMap(SegmentSimilarity.Mean mean) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("mean", mean.value());
        Interval interval = mean.interval();
        map.put("interval", interval == null ? null : List.of(interval.low(), interval.high()));
        return map;
    }

    /** One line for each passage with its cosines. */
    public static String csv(List<SegmentTables.Cell> cells) {
        return CsvTable.lines(lines -> {
            lines.accept(List.of("dataset", "passage", "words", "cut", "beginning", "middle", "end"));
            for (SegmentTables.Cell cell : cells) {
                for (SegmentCosines one : cell.cosines()) {
                    lines.accept(List.of(
                            cell.dataset().name(),
                            one.passage(),
                            String.valueOf(one.words()),
                            String.valueOf(one.cut()),
                            String.valueOf(one.beginning()),
                            String.valueOf(one.middle()),
                            String.valueOf(one.end())));
                }
            }
        });
    }
}
