package io.posbias.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.measure.Profile;
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
 * @param retrieval what there is to tell of how passages were found
 * @param settings what was asked for
 * @param recipe the recipe as read, or what is known of a run that was made elsewhere
 * @param recipeSha256 the recipe's fingerprint
 * @param datasetSha256 digests of the benchmark's files
 * @param environment software and machine; not part of what was measured
 * @param seconds how long each step took; differs from run to run
 */
public record Result(
        String model,
        String family,
        String dataset,
        QueryCounts queries,
        List<Profile> profiles,
        @JsonUnwrapped Retrieval retrieval,
        Settings settings,
        Map<String, @Nullable Object> recipe,
        String recipeSha256,
        Map<String, String> datasetSha256,
        Map<String, Object> environment,
        Map<String, Double> seconds) {

    /** The kind of recipe that numbers printed by a paper have. */
    public static final String PUBLISHED = "published";

    /** In the environment: where the benchmark was when it was read, from the folder of result.json, with slashes. */
    private static final String DATASET_FOLDER = "dataset_folder";

    /** Copies the profiles. */
    public Result {
        profiles = List.copyOf(profiles);
    }

    /** The same result under another name of the benchmark. */
    public Result withDataset(String other) {
        return copy(model, other, profiles, settings, seconds);
    }

    /** The same result under another name of the model. */
    public Result called(String name) {
        return copy(name, dataset, profiles, settings, seconds);
    }

    /** The same result after more was measured. */
    public Result with(List<Profile> others, Settings asked, Map<String, Double> time) {
        return copy(model, dataset, others, asked, time);
    }

    /**
     * The same result, which remembers where its benchmark was: relative to its own folder, so that both can be moved and
     * no name of a user's folder is in it unless the two lie far apart.
     */
    public Result readFrom(Path benchmark, Path folder) {
        Map<String, Object> where = new LinkedHashMap<>(environment);
        Path from = folder.toAbsolutePath().normalize();
        Path to = benchmark.toAbsolutePath().normalize();
        Path way = Objects.equals(from.getRoot(), to.getRoot()) ? from.relativize(to) : to;
        where.put(DATASET_FOLDER, way.toString().replace('\\', '/'));
        return new Result(
                model,
                family,
                dataset,
                queries,
                profiles,
                retrieval,
                settings,
                recipe,
                recipeSha256,
                datasetSha256,
                where,
                seconds);
    }

    /**
     * Where the benchmark was when it was read; it may be elsewhere now.
     *
     * @param folder of this result
     * @return empty for results that do not say, and for benchmarks that posbias keeps itself
     */
    public Optional<Path> benchmark(Path folder) {
        return Optional.ofNullable(environment.get(DATASET_FOLDER))
                .map(way -> folder.toAbsolutePath().resolve(String.valueOf(way)).normalize());
    }

    private Result copy(String name, String benchmark, List<Profile> others, Settings asked, Map<String, Double> time) {
        return new Result(
                name,
                family,
                benchmark,
                queries,
                others,
                retrieval,
                asked,
                recipe,
                recipeSha256,
                datasetSha256,
                environment,
                time);
    }

    /** Whether these are numbers that a paper printed. */
    public boolean isPublished() {
        return PUBLISHED.equals(recipe.get("kind"));
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
