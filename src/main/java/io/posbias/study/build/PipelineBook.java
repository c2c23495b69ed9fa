package io.posbias.study.build;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Suggestions;
import io.posbias.data.dataset.LanguageGuess;
import io.posbias.data.dataset.PlainDocuments;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads pipelines: {@code configs/pipelines/NAME.yaml} or the user's files, and the kinds of stages in their usual order. */
public final class PipelineBook {
    private static final String FOLDER = "configs/pipelines";
    private static final String AS = "as";
    private static final String PUBLISHED = "published";
    private static final String TRUST = "trust-remote-code";
    private static final TypeReference<LinkedHashMap<String, @Nullable Object>> RECORD = new TypeReference<>() {};
    private static final Map<String, Function<Fields, Stage>> KINDS = kinds();

    private static Map<String, Function<Fields, Stage>> kinds() {
        Map<String, Function<Fields, Stage>> kinds = new LinkedHashMap<>();
        kinds.put("questions", of(QuestionsStage.class));
        kinds.put("sample", of(SampleStage.class));
        kinds.put("summarise", of(SummariseStage.class));
        kinds.put("configure", of(ConfigureStage.class));
        kinds.put("split", SplitStage::of);
        kinds.put("ask", of(AskStage.class));
        kinds.put("locate", of(LocateStage.class));
        kinds.put("tag", of(TagStage.class));
        kinds.put("agree", of(AgreeStage.class));
        kinds.put("audit", of(AuditStage.class));
        kinds.put("second-evidence", of(SecondEvidenceStage.class));
        kinds.put("judge", of(JudgeStage.class));
        kinds.put("balance", of(BalanceStage.class));
        kinds.put("false-negatives", of(FalseNegativesStage.class));
        kinds.put("hard-negatives", of(HardNegativesStage.class));
        kinds.put("translate", of(TranslateStage.class));
        kinds.put("clean", of(CleanStage.class));
        kinds.put("write", of(WriteStage.class));
        return Collections.unmodifiableMap(kinds);
    }

    static <T extends Record & Stage> Function<Fields, Stage> of(Class<T> type) {
        return settings -> RecipeBook.READER.settings(settings, type);
    }

    private PipelineBook() {}

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
        if (!pipeline.language().isEmpty()) {
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

    /** Applies changes for one run: {@code sample.n=100}, {@code language-models.writer.model=llama}; null takes a setting away. */
    private static Pipeline of(Fields read, Map<String, @Nullable Object> changes) {
        ObjectNode changed = Json.mapper().valueToTree(read.toMap());
        changes.forEach((path, value) -> set(changed, path, value));
        return of(new Fields(read.where(), Json.mapper().convertValue(changed, RECORD)));
    }

    private static void set(ObjectNode pipeline, String path, @Nullable Object value) {
        String[] names = path.split("\\.", 2);
        Map<String, ObjectNode> stages = stages(pipeline);
        ObjectNode stage = stages.get(names[0]);
        JsonNode field = pipeline.path(names[0]);
        if (names.length == 1 && stage != null) {
            throw new UsageException("--set " + path + ": add a setting of the stage, for example " + path
                    + ".SETTING=VALUE; 'posbias construct info PIPELINE' shows them");
        }
        Set<String> fields = new LinkedHashSet<>(Json.names(Pipeline.class));
        if (names.length == 1 ? fields.contains(path) && !field.isArray() : field.isObject()) {
            put(pipeline, path, value);
        } else if (stage != null) {
            put(stage, names[1], value);
        } else {
            fields.remove("stages");
            fields.addAll(stages.keySet());
            throw new UsageException("--set " + path + ": " + Suggestions.unknown("stage or field", names[0], fields));
        }
    }

    private static void put(ObjectNode record, String path, @Nullable Object value) {
        String[] names = path.split("\\.", 2);
        if (names.length == 2) {
            JsonNode deeper = record.path(names[0]);
            put(deeper.isObject() ? deeper.asObject() : record.putObject(names[0]), names[1], value);
        } else if (value == null) {
            record.remove(path);
        } else {
            record.set(path, Json.mapper().valueToTree(value));
        }
    }

    private static Map<String, ObjectNode> stages(ObjectNode pipeline) {
        Map<String, ObjectNode> stages = new LinkedHashMap<>();
        for (JsonNode stage : pipeline.path("stages")) {
            stage.properties().forEach(entry -> {
                if (entry.getValue().isObject() && !PUBLISHED.equals(entry.getKey())) {
                    stages.putIfAbsent(
                            stage.path(AS).asString(entry.getKey()),
                            entry.getValue().asObject());
                }
            });
        }
        return stages;
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
        Pipeline pipeline = Json.settings(fields, Pipeline.class, Pipeline.Step.class, PipelineBook::step);
        pipeline.check();
        return pipeline;
    }

    private static Pipeline.Step step(Fields stages, String place) {
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
        return new Pipeline.Step(record.text(AS, kind), kind, read(kind, record), record.record(kind), published);
    }

    /**
     * Reads the settings of a stage.
     *
     * @throws io.posbias.base.json.BadInputException if the kind is unknown or a setting is wrong
     */
    static Stage read(String kind, Fields in) {
        Function<Fields, Stage> make = KINDS.get(kind);
        if (make == null) {
            throw in.bad(kind, "is not a kind of stage", Suggestions.unknown("stage", kind, KINDS.keySet()));
        }
        return make.apply(in.record(kind));
    }

    /**
     * Returns changes that let the models named by stages run the Python code of their repositories; empty if none of
     * them takes it. Files of recipes say it themselves.
     */
    public static Map<String, @Nullable Object> trustingCode(Pipeline pipeline) {
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        for (Pipeline.Step step : pipeline.steps()) {
            step.settings().toMap().forEach((setting, value) -> {
                Object trusting = value instanceof List<?> models
                        ? models.stream().map(PipelineBook::trustingCode).toList()
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
}
