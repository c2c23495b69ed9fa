package io.posbias.inside;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@code posbias train} is told.
 *
 * @param data a benchmark's folder, or a file of pairs
 * @param settings a name in configs/training, or the path of a YAML file
 * @param changes values of single settings, which go before those of {@code settings}
 * @param out folder of the trained model
 */
public record TrainingOrder(Path data, String settings, Map<String, Object> changes, Path out) {
    /** A file of pairs in a folder of data that is no benchmark. */
    public static final String PAIRS = "train.jsonl";

    /** Copies the changes. */
    public TrainingOrder {
        changes = Collections.unmodifiableMap(new LinkedHashMap<>(changes));
    }
}
