package io.posbias.score.result;

import io.posbias.data.dataset.DatasetCard;
import io.posbias.score.measure.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a run: equal keys, equal rankings, and equal scores with the content held fixed.
 *
 * @param model by name, and digest of the recipe and the model's files
 * @param benchmark digests of its files
 * @param k depth
 * @param excludesSelf true if rankings leave out the passage with the query's own identifier
 * @param singleEvidence how queries with a second evidence were recognised and left out; null if they were not
 * @param placing method, queries, places, seed and measure of content-fixed scores; null for none, and for a benchmark
 *     whose own queries hold the content fixed
 */
public record RunKey(
        EvaluatedModel model,
        String dataset,
        Map<String, String> benchmark,
        int k,
        boolean excludesSelf,
        @Nullable String singleEvidence,
        @Nullable Placing placing) {
    public RunKey {
        benchmark = Map.copyOf(benchmark);
    }

    /**
     * @param settings of the benchmark
     * @param placing of scores by place; null for none
     */
    public static RunKey of(
            EvaluatedModel model,
            DatasetCard card,
            Map<String, String> files,
            Settings settings,
            @Nullable Placing placing) {
        return new RunKey(
                model, card.name(), files, settings.k(), excludesSelf(settings), settings.singleEvidence(), placing);
    }

    public static RunKey of(Result result) {
        Provenance made = result.provenance();
        return new RunKey(
                result.evaluatedModel(),
                result.dataset(),
                made.datasetSha256(),
                result.settings().k(),
                excludesSelf(result.settings()),
                result.settings().singleEvidence(),
                made.placing());
    }

    private static boolean excludesSelf(Settings settings) {
        return Boolean.TRUE.equals(settings.excludeSelf());
    }

    /** Returns true if a run of this key has all that the wanted one has. */
    public boolean serves(RunKey wanted) {
        return differences(wanted).isEmpty() && (wanted.placing == null || placing != null);
    }

    /** Returns what of a wanted run this one cannot be: "k 100, the finished result has 10"; empty if nothing. */
    List<String> differences(RunKey wanted) {
        List<String> all = new ArrayList<>();
        if (!model.name().equals(wanted.model.name()) || !dataset.equals(wanted.dataset)) {
            return List.of("belongs to another model or dataset: " + model.name() + " on " + dataset);
        }
        List<String> changes = EvaluatedModel.changes(wanted.model.recipe(), model.recipe());
        boolean same = wanted.model.sha256().isEmpty()
                ? changes.isEmpty()
                : model.sha256().equals(wanted.model.sha256());
        if (!same) {
            all.add(
                    changes.isEmpty()
                            ? "was made with other model files or code"
                            : "was made with another recipe or run: " + String.join(", ", changes));
        }
        if (!benchmark.equals(wanted.benchmark)) {
            all.add("was made with other files of the dataset: " + changed(wanted.benchmark, benchmark));
        }
        if (k != wanted.k) {
            all.add("has k " + k + ", not " + wanted.k);
        }
        if (excludesSelf != wanted.excludesSelf) {
            all.add((excludesSelf ? "leaves out" : "includes") + " the passages with the identifiers of their queries");
        }
        if (!Objects.equals(singleEvidence, wanted.singleEvidence)) {
            all.add(
                    singleEvidence == null
                            ? "includes queries with a second evidence"
                            : "leaves out queries with a second evidence (" + singleEvidence + ")");
        }
        if (placing != null && wanted.placing != null && !placing.equals(wanted.placing)) {
            all.add("holds the content fixed by " + placing + ", not " + wanted.placing);
        }
        return all;
    }

    /** Returns the names of files that differ or that one side lacks, separated by commas. */
    public static String changed(Map<String, String> first, Map<String, String> second) {
        List<String> names = new ArrayList<>(first.keySet());
        second.keySet().stream().filter(name -> !first.containsKey(name)).forEach(names::add);
        return String.join(
                ", ",
                names.stream()
                        .filter(name -> !Objects.equals(first.get(name), second.get(name)))
                        .sorted()
                        .toList());
    }

    /**
     * Placing of a run's evidence for the scores of content-fixed.csv. Equal placings of equal runs have equal scores.
     *
     * @param how queries, places and method, as {@code contentFixed} in settings
     * @param method of placing the evidence
     * @param measure of the scores
     * @param seed of the sample of queries
     */
    public record Placing(String how, String method, String measure, long seed) {
        @Override
        public String toString() {
            return how + ", " + measure + ", seed " + seed;
        }
    }
}
