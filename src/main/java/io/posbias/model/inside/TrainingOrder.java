package io.posbias.model.inside;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Arguments of {@code posbias train}.
 *
 * @param data a benchmark's folder, or a file of pairs
 * @param settings a name in configs/training, or the path of a YAML file
 * @param changes values of single settings, which override {@code settings}
 * @param out folder of the trained model
 */
public record TrainingOrder(Path data, String settings, Map<String, Object> changes, Path out) {
    /** File of pairs in a data folder without a benchmark. */
    public static final String PAIRS = "train.jsonl";

    /** Copies the changes. */
    public TrainingOrder {
        changes = Collections.unmodifiableMap(new LinkedHashMap<>(changes));
    }
}
