package io.posbias.study.build;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.LanguageGuess;
import io.posbias.data.dataset.PlainDocuments;
import io.posbias.data.position.Bucketing;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.study.build.llm.ChatRole;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A recipe of a benchmark or training set: {@code configs/pipelines/NAME.yaml} or the user's file.
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
    private static final String FOLDER = "configs/pipelines";
    private static final String LANGUAGE_MODELS = "language-models";
    private static final String STAGES = "stages";
    private static final String AS = "as";
    private static final String PUBLISHED = "published";
    private static final String TRUST = "trust-remote-code";

    /**
     * A stage of a pipeline.
     *
     * @param name its kind, unless the pipeline renames it
     * @param published the paper's counts by position, {@code all} for their sum; may be empty
     */
    public record Step(String name, String kind, Stage stage, Fields settings, Map<String, Long> published) {
        @Setting.Reader
        static Step read(Fields stages, String place) {
            Fields record = stages.record(place);
            List<String> kinds = record.names().stream()
                    .filter(name -> !name.equals(AS) && !name.equals(PUBLISHED))
                    .toList();
            if (kinds.size() != 1) {
                throw record.bad(
                        kinds.isEmpty() ? AS : kinds.get(1),
                        kinds.isEmpty() ? "stands alone" : "is a second stage",
                        "each entry of stages is one stage, for example 'sample: {n: 1000}'");
            }
            String kind = kinds.getFirst();
            Map<String, Long> published = new LinkedHashMap<>();
            Fields counts = record.record(PUBLISHED);
            counts.names().forEach(position -> published.put(position, (long) counts.number(position)));
            return new Step(record.text(AS, kind), kind, Stages.read(kind, record), record.record(kind), published);
        }
    }

    public static List<String> names() {
        return Configs.names(FOLDER);
    }

    /**
     * Reads a pipeline by name or from a YAML file.
     *
     * @param changes values by {@code STAGE.SETTING} or {@code language-models.ROLE}
     * @throws UsageException if a change is the cause of an error
     */
    public static Pipeline find(String nameOrFile, Map<String, @Nullable Object> changes) {
        Fields read = Configs.find("pipeline", FOLDER, nameOrFile, "posbias construct list");
        try {
            return of(read, changes);
        } catch (BadInputException wrong) {
            // A change is a cause if the error differs without it.
            String causes = changes.keySet().stream()
                    .filter(path -> !Objects.equals(wrong.getMessage(), problemWithout(path, read, changes)))
                    .map(path -> "--set " + path)
                    .collect(Collectors.joining(", "));
            throw causes.isEmpty() ? wrong : new UsageException(causes + ": " + wrong.problem());
        }
    }

    /**
     * Reads a pipeline as {@link #find(String, Map)}; one without a language gets that of its documents.
     *
     * @throws UsageException if the language of the documents is not clear
     */
    public static Pipeline find(
            String nameOrFile,
            Map<String, @Nullable Object> changes,
            Supplier<PlainDocuments> documents,
            Session session) {
        Pipeline pipeline = find(nameOrFile, changes);
        if (!pipeline.language.isEmpty()) {
            return pipeline;
        }
        LanguageGuess guess = documents.get().language();
        if (!guess.isSure()) {
            throw new UsageException("the language of the documents is not clear (" + guess + "): give --language");
        }
        session.say("note: " + guess.note());
        Map<String, @Nullable Object> all = new LinkedHashMap<>(changes);
        all.put("language", guess.code());
        return find(nameOrFile, all);
    }

    private static Pipeline of(Fields read, Map<String, @Nullable Object> changes) {
        return of(new Fields(read.where(), PipelineChanges.apply(read.toMap(), changes)));
    }

    private static @Nullable String problemWithout(String path, Fields read, Map<String, @Nullable Object> changes) {
        Map<String, @Nullable Object> others = new LinkedHashMap<>(changes);
        others.remove(path);
        try {
            of(read, others);
            return null;
        } catch (PosbiasException wrong) {
            return wrong.getMessage();
        }
    }

    /** Returns the checked pipeline's file with its comments. */
    public static String text(String nameOrFile) {
        Pipeline pipeline = find(nameOrFile, Map.of());
        if (!Configs.isFile(nameOrFile)) {
            return new String(Configs.read(FOLDER + "/" + pipeline.name() + ".yaml"), StandardCharsets.UTF_8);
        }
        Path file = FileNames.path(nameOrFile);
        return IoErrors.call("read", file, () -> Files.readString(file));
    }

    private static Pipeline of(Fields fields) {
        Pipeline pipeline = Json.settings(fields, Pipeline.class);
        pipeline.check();
        return pipeline;
    }

    private void check() {
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

    /**
     * Returns changes that let the models named by stages run the Python code of their repositories; empty if none of
     * them takes it. Files of recipes say it themselves.
     */
    public Map<String, @Nullable Object> trustingCode() {
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        for (Step step : steps) {
            step.settings().toMap().forEach((setting, value) -> {
                Object trusting = value instanceof List<?> models
                        ? models.stream().map(Pipeline::trustingCode).toList()
                        : trustingCode(value);
                if (trusting != null && !trusting.equals(value)) {
                    changes.put(step.name() + "." + setting, trusting);
                }
            });
        }
        return changes;
    }

    private static @Nullable Object trustingCode(@Nullable Object model) {
        if (!(model instanceof String named) || !RecipeBook.builtIn().contains(named)) {
            return model;
        }
        Recipe recipe = RecipeBook.find(named);
        return RecipeBook.takes(recipe, TRUST)
                ? RecipeBook.with(recipe, Map.of(TRUST, true)).record()
                : model;
    }

    public Fields languageModels() {
        return settings.record(LANGUAGE_MODELS);
    }

    public SequencedMap<String, @Nullable Object> record() {
        return settings.toMap();
    }
}
