package io.posbias.study.build;

import io.posbias.base.json.Json;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Suggestions;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** Changes of settings for one run: {@code sample.n=100}, {@code language-models.writer.model=llama}; null takes a setting away. */
final class PipelineChanges {
    private static final TypeReference<LinkedHashMap<String, @Nullable Object>> RECORD = new TypeReference<>() {};

    private PipelineChanges() {}

    static SequencedMap<String, @Nullable Object> apply(
            SequencedMap<String, @Nullable Object> pipeline, Map<String, @Nullable Object> changes) {
        SequencedMap<String, @Nullable Object> changed = Json.mapper().convertValue(pipeline, RECORD);
        changes.forEach((path, value) -> set(changed, path, value));
        return changed;
    }

    private static void set(Map<String, @Nullable Object> pipeline, String path, @Nullable Object value) {
        int dot = path.indexOf('.');
        String first = dot < 0 ? path : path.substring(0, dot);
        if (dot < 0) {
            if (stages(pipeline).get(first) != null) {
                throw new UsageException("--set " + path + ": add a setting of the stage, for example " + path
                        + ".SETTING=VALUE; 'posbias construct info PIPELINE' shows them");
            }
            if (!Json.names(Pipeline.class).contains(first) || pipeline.get(first) instanceof List) {
                throw unknown(path, first, pipeline);
            }
            change(pipeline, first, value);
            return;
        }
        Map<String, @Nullable Object> record = pipeline.get(first) instanceof Map<?, ?> map
                ? cast(map)
                : stages(pipeline).get(first);
        if (record == null) {
            throw unknown(path, first, pipeline);
        }
        put(record, path.substring(dot + 1), value);
    }

    private static void change(Map<String, @Nullable Object> record, String name, @Nullable Object value) {
        if (value == null) {
            record.remove(name);
        } else {
            record.put(name, value);
        }
    }

    private static void put(Map<String, @Nullable Object> record, String path, @Nullable Object value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            change(record, path, value);
            return;
        }
        String first = path.substring(0, dot);
        Map<String, @Nullable Object> deeper =
                record.get(first) instanceof Map<?, ?> map ? cast(map) : new LinkedHashMap<>();
        record.put(first, deeper);
        put(deeper, path.substring(dot + 1), value);
    }

    private static Map<String, Map<String, @Nullable Object>> stages(Map<String, @Nullable Object> pipeline) {
        Map<String, Map<String, @Nullable Object>> stages = new LinkedHashMap<>();
        if (pipeline.get("stages") instanceof List<?> entries) {
            for (Object entry : entries) {
                if (entry instanceof Map<?, ?> stage) {
                    stage.forEach((kind, settings) -> {
                        if (settings instanceof Map<?, ?> map && !"published".equals(kind)) {
                            Object name = stage.get("as");
                            stages.putIfAbsent(String.valueOf(name == null ? kind : name), cast(map));
                        }
                    });
                }
            }
        }
        return stages;
    }

    private static UsageException unknown(String path, String first, Map<String, @Nullable Object> pipeline) {
        Set<String> known = new LinkedHashSet<>(Json.names(Pipeline.class));
        known.remove("stages");
        known.addAll(stages(pipeline).keySet());
        return new UsageException("--set " + path + ": " + Suggestions.unknown("stage or field", first, known));
    }

    @SuppressWarnings("unchecked") // what YAML gives: keys are strings
    private static Map<String, @Nullable Object> cast(Map<?, ?> map) {
        return (Map<String, @Nullable Object>) map;
    }
}
