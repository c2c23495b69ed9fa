package io.posbias.model.inside;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.UsageException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of {@code posbias train}.
 *
 * @param data a benchmark's folder, or a file of pairs
 * @param settings a name in configs/training, or the path of a YAML file
 * @param changes values of single settings, which override {@code settings}
 * @param out folder of the trained model
 */
public record TrainingOrder(Path data, String settings, Map<String, Object> changes, Path out) {
    private static final String SETTINGS = "configs/training";
    private static final String SEED = "seed";

    /**
     * Reads the settings, without and with the changes.
     *
     * @param reader of the fields
     * @throws UsageException if a changed value is invalid
     */
    public <T> T read(Function<Fields, T> reader) {
        Fields read = Configs.find("settings", SETTINGS, settings, "posbias help train");
        T own = reader.apply(read);
        if (changes.isEmpty()) {
            return own;
        }
        SequencedMap<String, @Nullable Object> changed = read.toMap();
        changed.putAll(changes);
        try {
            return reader.apply(new Fields(read.where(), changed));
        } catch (BadInputException wrong) {
            throw new UsageException("--set or --sweep: " + wrong.problem());
        }
    }

    /** Returns an order for each value of a setting; the folder's name gets the value. */
    public List<TrainingOrder> sweep(String setting, List<String> values) {
        return values.stream()
                .map(value -> with(setting, Json.yamlValue("--sweep " + setting, value), value))
                .toList();
    }

    /** Returns an order for each of n seeds, from the own one on; the folder's name gets the seed. */
    public List<TrainingOrder> seeds(int n) {
        int first = read(fields -> fields.integer(SEED));
        if (first > Integer.MAX_VALUE - n) {
            throw new UsageException("--seeds " + n + ": there are not so many seeds from " + first + " on");
        }
        return IntStream.range(first, first + n)
                .mapToObj(seed -> with(SEED, seed, String.valueOf(seed)))
                .toList();
    }

    private TrainingOrder with(String setting, Object value, String suffix) {
        Map<String, Object> changed = new LinkedHashMap<>(changes);
        changed.put(setting, value);
        Path name = out.toAbsolutePath().normalize().getFileName();
        if (name == null) {
            throw new UsageException("--out " + out + " has no name, to which that of a model could be added");
        }
        return new TrainingOrder(data, settings, changed, out.resolveSibling(name + "-" + suffix));
    }

    public TrainingOrder {
        changes = Collections.unmodifiableMap(new LinkedHashMap<>(changes));
    }
}
