package io.posbias.score.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.files.FileNames;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.position.Strata;
import io.posbias.rank.SearchStat;
import io.posbias.score.measure.Measure;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Result of one model on one benchmark, with its provenance.
 *
 * @param retrieval truncation, first stage, statistics and cost of the search
 */
public record Result(
        String model,
        String family,
        String dataset,
        QueryCounts queries,
        List<Profile> profiles,
        @JsonUnwrapped Retrieval retrieval,
        @JsonUnwrapped Provenance provenance) {

    /** Recipe kind of published results. */
    public static final String PUBLISHED = "published";

    /** The kind of recipe that a run from a file has. */
    public static final String RUN = "run";

    /** The kind of recipe that a search in Java has. */
    public static final String SEARCH = "search";

    /** The kind of a position-blind recipe. */
    private static final String BLIND = "bm25";

    private static final Set<String> NO_RECIPES = Set.of(PUBLISHED, RUN, SEARCH);

    /** A file of a part's corpus, in the provenance of a pooled result. */
    private static final Pattern POOLED_CORPUS = Pattern.compile("(.+)/corpus[./].*");

    private static final String DATASET_FOLDER = "dataset_folder";

    /** Decides the verdicts of the profiles. */
    public Result {
        boolean isBlind = isBlindKind(provenance.recipe().get("kind"));
        profiles = profiles.stream().map(profile -> profile.judged(isBlind)).toList();
    }

    /** Returns true for the kind of recipe of models that only count words, and so see no positions. */
    public static boolean isBlindKind(@Nullable Object kind) {
        return BLIND.equals(kind);
    }

    /** Returns true for a position-blind model. */
    public boolean isBlind() {
        return isBlindKind(recipe().get("kind"));
    }

    public Settings settings() {
        return provenance.settings();
    }

    public Map<String, @Nullable Object> recipe() {
        return provenance.recipe();
    }

    /** Returns the model, as it would be evaluated again. */
    public EvaluatedModel evaluatedModel() {
        return new EvaluatedModel(model, family, recipe(), provenance.recipeSha256());
    }

    public Result called(String name) {
        return new Result(name, family, dataset, queries, profiles, retrieval, provenance);
    }

    /** Returns the result with other profiles. */
    public Result with(List<Profile> others, Settings asked, Map<String, Double> time) {
        return new Result(model, family, dataset, queries, others, retrieval, provenance.with(asked, time));
    }

    /**
     * Returns the result with profiles of some queries. Counts are those of all queries; truncation and first stage are
     * unknown.
     */
    public Result selected(List<Profile> others) {
        Provenance inNoFolder = provenance.withFiles(Map.of());
        return new Result(model, family, dataset, queries, others, Retrieval.NONE, inNoFolder);
    }

    /**
     * Returns the result with the path of its benchmark, relative to its folder so that both can be moved and no user name
     * is stored.
     */
    public Result withDatasetFolder(Path benchmark, Path folder) {
        Map<String, Object> where = new LinkedHashMap<>(provenance.environment());
        Path from = folder.toAbsolutePath().normalize();
        Path to = benchmark.toAbsolutePath().normalize();
        Path way = Objects.equals(from.getRoot(), to.getRoot()) ? from.relativize(to) : to;
        where.put(DATASET_FOLDER, FileNames.slashed(way));
        return with(provenance.in(where));
    }

    /**
     * Folder of the benchmark at evaluation.
     *
     * @return empty if unknown or kept by posbias
     */
    public Optional<Path> benchmark(Path folder) {
        return Optional.ofNullable(provenance.environment().get(DATASET_FOLDER))
                .map(way -> folder.toAbsolutePath().resolve(String.valueOf(way)).normalize());
    }

    /** Names of the benchmarks behind the scores: the parts of a pooled result, otherwise its own. */
    public List<String> datasets() {
        List<String> pooled = provenance.datasetSha256().keySet().stream()
                .map(POOLED_CORPUS::matcher)
                .filter(Matcher::matches)
                .map(corpus -> corpus.group(1))
                .distinct()
                .toList();
        return pooled.isEmpty() ? List.of(dataset) : pooled;
    }

    /** Returns this with the files and the times of a result of the same run. */
    public Result after(Result earlier) {
        Map<String, Double> seconds = new LinkedHashMap<>(earlier.provenance.seconds());
        seconds.putAll(provenance.seconds());
        return with(profiles, settings(), seconds).withFiles(earlier.provenance.filesSha256());
    }

    Result withFiles(Map<String, String> sha256) {
        return with(provenance.withFiles(sha256));
    }

    /** Returns the result with some of its measures, in this order. */
    public Result only(List<Measure> measures) {
        if (measures.equals(settings().measures())) {
            return this;
        }
        List<Profile> some = measures.stream()
                .flatMap(measure ->
                        profiles.stream().filter(profile -> profile.measure().equals(measure.toString())))
                .toList();
        return with(some, settings().withMeasures(measures), provenance.seconds());
    }

    /** Returns true if all numbers are equal; time and environment may differ. */
    public boolean isSame(Result other) {
        return settings().equals(other.settings())
                && queries.equals(other.queries)
                && profiles.equals(other.profiles)
                && retrieval.equals(other.retrieval);
    }

    /** Returns the result with the placing of its scores by place. */
    public Result with(RunKey.Placing placing) {
        return with(provenance.with(placing));
    }

    private Result with(Provenance other) {
        return new Result(model, family, dataset, queries, profiles, retrieval, other);
    }

    public boolean isPublished() {
        return PUBLISHED.equals(recipe().get("kind"));
    }

    /** Returns true if posbias ran the model by its recipe, false for runs from files, own searches and printed numbers. */
    public boolean isOfRecipe() {
        return !NO_RECIPES.contains(String.valueOf(recipe().get("kind")));
    }

    /** Returns sentences on what may give the numbers another meaning: judgements, passages, vectors, scores. */
    public List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        String lacking = lackingQueries();
        if (!lacking.isEmpty()) {
            doubts.add(model + " " + lacking + ", which score 0");
        }
        addOnBenchmark(doubts);
        Arrays.stream(SearchStat.values())
                .flatMap(stat -> stat.sentence(retrieval.searchStats()).stream())
                .map(sentence -> model + ": " + sentence)
                .forEach(doubts::add);
        if (queries.tied() != null) {
            doubts.add(model + ": all ranked passages of " + Plural.of(queries.tied(), "query")
                    + " have the same score: ranked by their identifiers");
        }
        if (queries.alike() != null) {
            doubts.add(model + " ranks the same passages with the same scores for all " + queries.alike() + " queries");
        }
        return doubts;
    }

    /** Says how many of the judged queries a run lacks; empty for none. */
    public String lackingQueries() {
        int count = (int) SearchStat.LACKING.in(retrieval.searchStats(), 0);
        return count == 0
                ? ""
                : String.format(Locale.ROOT, "lacks %,d of ", count) + Plural.grouped(queries.judged(), "query");
    }

    private void addOnBenchmark(List<String> doubts) {
        Integer own = queries.alsoPassages();
        if (own != null) {
            String all =
                    model + ": " + Plural.of(own, "query") + " of " + dataset + " have the identifier of a passage, ";
            doubts.add(
                    settings().excludeSelf() != null
                            ? all + "which their rankings leave out"
                            : all
                                    + "which they may find; if it is the query itself, --exclude-self leaves it out as BEIR"
                                    + " and MTEB do");
        }
        Qrels.Counts counts = queries.judgements();
        if (counts == null) {
            return;
        }
        if (counts.absentPassages() + counts.absentQueries() > 0) {
            doubts.add(dataset + ": left out " + Plural.of(counts.absentPassages(), "judgement")
                    + " of absent passages and " + counts.absentQueries() + " of absent queries");
        }
        if (counts.unanswerable() > 0) {
            doubts.add(dataset + ": " + Plural.of(counts.unanswerable(), "query")
                    + " without a relevant passage: score 0, as in BEIR");
        }
        Integer second = counts.secondEvidence();
        if (second != null) {
            doubts.add(dataset + ": left out " + second + " of " + (queries.judged() + second)
                    + " questions, which another sentence answers, too (single evidence: "
                    + settings().singleEvidence() + ")");
        }
        if (counts.repeated() > 0) {
            doubts.add(dataset + ": " + Plural.of(counts.repeated(), "repeated judgement") + " counted once");
        }
    }

    /** Returns the profile of a measure in a stratum, or null. */
    public @Nullable Profile profile(String measure, String stratum) {
        return profiles.stream()
                .filter(profile ->
                        profile.measure().equals(measure) && profile.stratum().equals(stratum))
                .findFirst()
                .orElse(null);
    }

    /** Returns the profile of a measure of the result over all queries. */
    public Profile overall(String measure) {
        return Objects.requireNonNull(profile(measure, Strata.ALL), "every result has the stratum all");
    }

    public List<String> measures() {
        return profiles.stream().map(Profile::measure).distinct().toList();
    }

    public List<String> strata() {
        return profiles.stream().map(Profile::stratum).distinct().toList();
    }
}
