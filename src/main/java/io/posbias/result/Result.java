package io.posbias.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.measure.Profile;
import io.posbias.measure.Truncation;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One cell of a results table: one model on one benchmark, and how the numbers came about.
 *
 * @param model the recipe's name
 * @param family under which heading reports put it
 * @param dataset the benchmark's name
 * @param queries how queries were counted
 * @param profiles one for each stratum of each measure
 * @param retrieval truncation, first stage, numbers and cost of the search
 */
public record Result(
        String model,
        String family,
        String dataset,
        QueryCounts queries,
        List<Profile> profiles,
        @JsonUnwrapped Retrieval retrieval,
        @JsonUnwrapped Provenance provenance) {

    /** The kind of recipe that numbers printed by a paper have. */
    public static final String PUBLISHED = "published";

    /** In the environment: where the benchmark was when it was read, from the folder of result.json, with slashes. */
    private static final String DATASET_FOLDER = "dataset_folder";

    /** Copies the profiles, and tells them what the model did not read. */
    public Result {
        List<Truncation> truncations = retrieval.truncations();
        profiles = profiles.stream().map(profile -> profile.with(truncations)).toList();
    }

    /** The settings of {@link #provenance}. */
    public Settings settings() {
        return provenance.settings();
    }

    /** The recipe of {@link #provenance}. */
    public Map<String, @Nullable Object> recipe() {
        return provenance.recipe();
    }

    /** The same result under another name of the model. */
    public Result called(String name) {
        return new Result(name, family, dataset, queries, profiles, retrieval, provenance);
    }

    /** The same result after more was measured. */
    public Result with(List<Profile> others, Settings asked, Map<String, Double> time) {
        return new Result(model, family, dataset, queries, others, retrieval, provenance.with(asked, time));
    }

    /**
     * The same result with profiles of some of its queries. How the queries of the whole were counted stays; what the model did
     * not read, and what a first stage missed, is not known of some.
     */
    public Result selected(List<Profile> others) {
        Provenance inNoFolder = provenance.withFiles(Map.of());
        return new Result(model, family, dataset, queries, others, Retrieval.NONE, inNoFolder);
    }

    /**
     * The same result, which remembers where its benchmark was: relative to its own folder, so that both can be moved and
     * no name of a user's folder is in it unless the two lie far apart.
     */
    public Result readFrom(Path benchmark, Path folder) {
        Map<String, Object> where = new LinkedHashMap<>(provenance.environment());
        Path from = folder.toAbsolutePath().normalize();
        Path to = benchmark.toAbsolutePath().normalize();
        Path way = Objects.equals(from.getRoot(), to.getRoot()) ? from.relativize(to) : to;
        where.put(DATASET_FOLDER, way.toString().replace('\\', '/'));
        return with(provenance.in(where));
    }

    /**
     * Where the benchmark was when it was read; it may be elsewhere now.
     *
     * @param folder of this result
     * @return empty for results that do not say, and for benchmarks that posbias keeps itself
     */
    public Optional<Path> benchmark(Path folder) {
        return Optional.ofNullable(provenance.environment().get(DATASET_FOLDER))
                .map(way -> folder.toAbsolutePath().resolve(String.valueOf(way)).normalize());
    }

    /** The same result beside other files. */
    Result withFiles(Map<String, String> sha256) {
        return with(provenance.withFiles(sha256));
    }

    /** The same result with some of its measures only, in the order of these. */
    public Result only(List<String> measures) {
        if (measures.equals(measures())) {
            return this;
        }
        List<Profile> some = measures.stream()
                .flatMap(measure ->
                        profiles.stream().filter(profile -> profile.measure().equals(measure)))
                .toList();
        return with(some, settings().with(measures), provenance.seconds());
    }

    private Result with(Provenance other) {
        return new Result(model, family, dataset, queries, profiles, retrieval, other);
    }

    /** Whether these are numbers that a paper printed. */
    public boolean isPublished() {
        return PUBLISHED.equals(recipe().get("kind"));
    }

    /** The profile of a measure in a stratum; null when there is none. */
    public @Nullable Profile profile(String measure, String stratum) {
        return profiles.stream()
                .filter(profile ->
                        profile.measure().equals(measure) && profile.stratum().equals(stratum))
                .findFirst()
                .orElse(null);
    }

    /** The measures that this result has profiles of, in their order. */
    public List<String> measures() {
        return profiles.stream().map(Profile::measure).distinct().toList();
    }

    /** The strata that this result has profiles of, in their order. */
    public List<String> strata() {
        return profiles.stream().map(Profile::stratum).distinct().toList();
    }
}
