package io.posbias.study.build;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Setting;
import io.posbias.data.position.Bucketing;
import io.posbias.study.build.llm.ChatRole;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A recipe of a benchmark or training set, as {@link PipelineBook} reads it.
 *
 * @param citation empty for pipelines without a paper
 * @param language of the documents, as an ISO 639-1 code; empty to detect it
 * @param seed of stages without one
 * @param bucketing of the benchmark; empty for the usual one
 * @param roles language models by role
 */
public record Pipeline(
        @Setting(identifier = true) String name,
        @Setting(usual = "''") String description,
        @Setting(usual = "''") String citation,
        @Setting(usual = "en") String language,
        @Setting(usual = "42") int seed,
        @Setting(usual = "''") String bucketing,

        @Setting(usual = "{}") @JsonProperty(Pipeline.LANGUAGE_MODELS)
        Map<String, Object> roles,

        @Setting(usual = "[]") @JsonProperty(Pipeline.STAGES)
        List<Step> steps,

        Fields settings) {
    private static final String LANGUAGE_MODELS = "language-models";
    private static final String STAGES = "stages";

    /**
     * A stage of a pipeline.
     *
     * @param name its kind, unless the pipeline renames it
     * @param published the paper's counts by position, {@code all} for their sum; may be empty
     */
    public record Step(String name, String kind, Stage stage, Fields settings, Map<String, Long> published) {}

    void check() {
        if (steps.isEmpty()) {
            throw settings.bad(STAGES, "is empty", "a pipeline has at least one stage");
        }
        if (!bucketing.isEmpty()) {
            Bucketing.parse(bucketing);
        }
        ChatRole.of(languageModels(), role -> Optional.empty());
        Step first = steps.getFirst();
        if (!first.stage().producedFields().contains(Candidate.TEXT)) {
            throw settings.bad(
                    STAGES, "begins with " + first.name() + ", which makes no documents", "the first stage is sample");
        }
        Set<String> made = new HashSet<>();
        Set<String> names = new HashSet<>();
        Set<String> folders = new HashSet<>();
        for (Step step : steps) {
            if (!names.add(step.name())) {
                throw settings.bad(
                        STAGES, "has two stages called " + step.name(), "give one another name with 'as: NAME'");
            }
            step.stage().folder().ifPresent(folder -> {
                if (folders.stream().anyMatch(other -> areNested(folder, other))) {
                    throw settings.bad(
                            STAGES,
                            "has two stages that write the folder " + folder,
                            "give one another folder with 'to: NAME'");
                }
                folders.add(folder);
            });
            TreeSet<String> missing = new TreeSet<>(step.stage().requiredFields());
            missing.removeAll(made);
            if (!missing.isEmpty()) {
                throw settings.bad(
                        STAGES,
                        "has " + step.name() + ", which needs the field " + missing.first() + " of each candidate",
                        "no earlier stage makes it");
            }
            made.addAll(step.stage().producedFields());
        }
    }

    private static boolean areNested(String one, String other) {
        Path first = Path.of(one).normalize();
        Path second = Path.of(other).normalize();
        return first.startsWith(second) || second.startsWith(first);
    }

    public Fields languageModels() {
        return settings.record(LANGUAGE_MODELS);
    }

    public SequencedMap<String, @Nullable Object> record() {
        return settings.toMap();
    }
}
