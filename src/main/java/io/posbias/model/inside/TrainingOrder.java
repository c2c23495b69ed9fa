package io.posbias.model.inside;

import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

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

    private static final String SETTINGS = "configs/training";
    private static final String SEED = "seed";

    /** Reads the settings without the changes. */
    public Fields read() {
        return Configs.find("settings", SETTINGS, settings, "posbias help train");
    }

    /** Returns an order for each value of a setting; the folder's name gets the value. */
    public List<TrainingOrder> sweep(String setting, List<String> values) {
        return values.stream()
                .map(value -> with(setting, Json.yamlValue("--sweep " + setting, value), value))
                .toList();
    }

    /** Returns an order for each of n seeds, from the own one on; the folder's name gets the seed. */
    public List<TrainingOrder> seeds(int n) {
        int first = changes.get(SEED) instanceof Integer own ? own : read().integer(SEED);
        return IntStream.range(first, Math.addExact(first, n))
                .mapToObj(seed -> with(SEED, seed, String.valueOf(seed)))
                .toList();
    }

    private TrainingOrder with(String setting, Object value, String suffix) {
        Map<String, Object> changed = new LinkedHashMap<>(changes);
        changed.put(setting, value);
        Path name = Objects.requireNonNull(out.toAbsolutePath().normalize().getFileName(), "checked by the command");
        return new TrainingOrder(data, settings, changed, out.resolveSibling(name + "-" + suffix));
    }

    /** Copies the changes. */
    public TrainingOrder {
        changes = Collections.unmodifiableMap(new LinkedHashMap<>(changes));
    }
}
