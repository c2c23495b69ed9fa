package io.posbias.data.dataset;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The benchmark of a result: fields of its file.
 *
 * @param datasetSha256 digests of the files, by name
 * @param pooled queries per benchmark if several are pooled, in their order; else empty
 */
public record DataOrigin(
        String dataset,
        Map<String, String> datasetSha256,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> pooled) {
    /** @param ids of the queries that count, with repetitions; those of a pool as {@link DatasetPool#of} makes them */
    public static DataOrigin of(Dataset dataset, List<String> ids) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        dataset.parts().forEach(part -> counts.put(part, 0));
        if (!counts.isEmpty()) {
            ids.stream().distinct().forEach(id -> counts.merge(DatasetPool.part(id), 1, Integer::sum));
        }
        return new DataOrigin(dataset.name(), dataset.checksums(), counts);
    }

    /**
     * Of benchmarks that are searched separately.
     *
     * @param counts queries by benchmark
     */
    public static DataOrigin of(String name, List<Dataset> parts, Map<String, Integer> counts) {
        return new DataOrigin(name, DatasetPool.checksums(parts), parts.size() > 1 ? counts : Map.of());
    }

    /** Formats the counts as a note of a table; empty for a single benchmark. */
    public List<String> note() {
        return pooled.isEmpty()
                ? List.of()
                : List.of(pooled.entrySet().stream()
                        .map(part -> part.getKey() + " " + part.getValue())
                        .collect(Collectors.joining(", ", "queries of each dataset: ", "")));
    }
}
