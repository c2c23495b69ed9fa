package io.posbias.build;

import io.posbias.Suggestions;
import io.posbias.UsageException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Settings of a pipeline set anew for one run: {@code sample.n=100}, {@code language-models.writer.model=llama}. */
final class PipelineChanges {
    private PipelineChanges() {}

    /** A copy of a pipeline's record with the changes. */
    static SequencedMap<String, @Nullable Object> apply(
            SequencedMap<String, @Nullable Object> pipeline, Map<String, Object> changes) {
        SequencedMap<String, @Nullable Object> changed = copy(pipeline);
        changes.forEach((path, value) -> set(changed, path, value));
        return changed;
    }

    private static void set(Map<String, @Nullable Object> pipeline, String path, Object value) {
        int dot = path.indexOf('.');
        String first = dot < 0 ? path : path.substring(0, dot);
        if (dot < 0) {
            if (stage(pipeline, first) != null) {
                throw new UsageException("--set " + path + ": name a setting of the stage too, such as " + path
                        + ".SETTING=VALUE; 'posbias construct info PIPELINE' shows them");
            }
            if (!Pipeline.FIELDS.contains(first) || pipeline.get(first) instanceof List) {
                throw unknown(path, first, pipeline);
            }
            pipeline.put(first, value);
            return;
        }
        Map<String, @Nullable Object> record =
                pipeline.get(first) instanceof Map<?, ?> map ? cast(map) : stage(pipeline, first);
        if (record == null) {
            throw unknown(path, first, pipeline);
        }
        put(record, path.substring(dot + 1), value);
    }

    private static void put(Map<String, @Nullable Object> record, String path, Object value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            record.put(path, value);
            return;
        }
        String first = path.substring(0, dot);
        Map<String, @Nullable Object> deeper =
                record.get(first) instanceof Map<?, ?> map ? cast(map) : new LinkedHashMap<>();
        record.put(first, deeper);
        put(deeper, path.substring(dot + 1), value);
    }

    private static @Nullable Map<String, @Nullable Object> stage(Map<String, @Nullable Object> pipeline, String name) {
        if (!(pipeline.get("stages") instanceof List<?> stages)) {
            return null;
        }
        for (Object entry : stages) {
            if (entry instanceof Map<?, ?> stage) {
                for (Map.Entry<?, ?> setting : stage.entrySet()) {
                    boolean named =
                            stage.containsKey("as") ? name.equals(stage.get("as")) : name.equals(setting.getKey());
                    if (named
                            && setting.getValue() instanceof Map<?, ?> settings
                            && !"published".equals(setting.getKey())) {
                        return cast(settings);
                    }
                }
            }
        }
        return null;
    }

    private static UsageException unknown(String path, String first, Map<String, @Nullable Object> pipeline) {
        Set<String> known = new LinkedHashSet<>(Pipeline.FIELDS);
        known.remove("stages");
        if (pipeline.get("stages") instanceof List<?> stages) {
            stages.forEach(entry -> {
                if (entry instanceof Map<?, ?> stage) {
                    known.add(String.valueOf(
                            stage.containsKey("as")
                                    ? stage.get("as")
                                    : stage.keySet().iterator().next()));
                }
            });
        }
        return new UsageException("--set " + path + ": " + Suggestions.unknown("stage or field", first, known));
    }

    @SuppressWarnings("unchecked") // what YAML gives: keys are strings
    private static Map<String, @Nullable Object> cast(Map<?, ?> map) {
        return (Map<String, @Nullable Object>) map;
    }

    private static SequencedMap<String, @Nullable Object> copy(Map<String, @Nullable Object> map) {
        SequencedMap<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(key, deep(value)));
        return copy;
    }

    private static @Nullable Object deep(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Map<?, ?> map -> copy(cast(map));
            case List<?> list -> list.stream().map(PipelineChanges::deep).toList();
            default -> value;
        };
    }
}
