package io.posbias.study.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.process.UsageException;
import io.posbias.model.retrieve.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PipelineTest {
    @TempDir
    Path folder;

    private Pipeline read(String stages, Map<String, @Nullable Object> changes) {
        Path file = Pipelines.write(folder.resolve("p.yaml"), "name: p\nstages:\n" + stages.indent(2));
        return PipelineBook.find(file.toString(), changes);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "- samlpe: {} | not a kind of stage",
                "- samlpe: {} | did you mean sample",
                "- {sample: {}, split: {}} | is a second stage",
                "- as: x | stands alone",
                "- sample: {nn: 5} | field \"stages[0].sample.nn\"",
                "- split: {by: thirds} | begins with split, which makes no documents",
                "[{sample: {}}, {tag: {of: part}}] | needs the field part",
                "[] | is empty",
            })
    void whatIsWrongIsOneLine(String stages, String said) {
        assertThatThrownBy(() -> read(stages, Map.of()))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(said)
                .hasMessageContaining("p.yaml");
    }

    /** The papers' pipelines name a reranker whose own code runs; its logits become votes. */
    @ParameterizedTest
    @CsvSource({"fineweb-posq, false-negatives.models", "posir, agree.models"})
    void onlyTheModelsThatTakeItMayRunCode(String pipeline, String setting) {
        Map<String, @Nullable Object> changes = PipelineBook.trustingCode(PipelineBook.find(pipeline, Map.of()));
        assertThat(changes).containsOnlyKeys(setting);
        List<Recipe> models = PipelineBook.find(pipeline, changes).steps().stream()
                .flatMap(step -> switch (step.stage()) {
                    case AgreeStage agree -> agree.models().stream();
                    case FalseNegativesStage found -> found.models().stream();
                    default -> Stream.<Recipe>of();
                })
                .filter(recipe -> recipe.record().containsKey("trust-remote-code"))
                .toList();
        assertThat(models).extracting(Recipe::name).containsExactly("bge-reranker-v2-minicpm-layerwise");
        assertThat(new StageModels(models, "sigmoid")
                        .scale(models.getFirst().retriever())
                        .applyAsDouble(0))
                .isEqualTo(0.5);
    }

    @Test
    void noModelOfAPipelineThatRunsCode() {
        assertThat(PipelineBook.trustingCode(PipelineBook.find("own-posq", Map.of())))
                .isEmpty();
    }

    @Test
    void aCountWithoutANumberIsOneLine() throws IOException {
        Files.writeString(folder.resolve(PipelineRecord.FILE), """
                schema: posbias/pipeline/1
                posbias: "1"
                pipeline: {}
                inputs: []
                language_models: {}
                stages:
                - {name: s, kind: sample, key: k, file: f, sha256: x,
                   counts: {kept: 6, dropped: {}, positions: {middle: }, notes: {}}}
                """);
        assertThatThrownBy(() -> PipelineRecord.read(folder))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll("pipeline.yaml:", "\"stages[0].counts.positions.middle\" is null");
    }

    @Test
    void twoStagesOfAKindNeedNames() {
        String stages = "- sample: {}\n- sample: {n: 5}\n";
        assertThatThrownBy(() -> read(stages, Map.of())).hasMessageContaining("two stages called sample");
    }

    /** Writing the outer folder would replace the inner one. */
    @ParameterizedTest
    @CsvSource({"a, a", "a/b, a", "a, a/b", "a, a/../a"})
    void twoStagesDoNotWriteOneFolderInTheOther(String first, String second) {
        String stages = """
                - sample: {}
                - questions: {}
                - write: {to: %s}
                - write: {to: %s}
                  as: again
                """.formatted(first, second);
        assertThatThrownBy(() -> read(stages, Map.of()))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("\"");
    }

    @Test
    void settingsCanBeSetAnew() {
        String stages = "- sample: {n: 5}\n- sample: {n: 6}\n  as: again\n";
        Pipeline changed = read(stages, Map.of("sample.n", 7, "again.n", 8, "name", "q", "sample.cut.size", 9));
        assertThat(changed.name()).isEqualTo("q");
        assertThat(changed.steps().get(0).settings().integer("n")).isEqualTo(7);
        assertThat(changed.steps().get(1).settings().integer("n")).isEqualTo(8);
        assertThatThrownBy(() -> read(stages, Map.of("smaple.n", 7)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("did you mean sample");
        assertThatThrownBy(() -> read(stages, Map.of("stages", List.of()))).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> read(stages, Map.of("sample", 7)))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("--set sample", "a setting");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sample.n | --set sample.n: field \"stages[0].sample.n\" is \"abc\"",
                "again.seed | --set again.seed: field \"stages[1].sample.seed\" is \"abc\"",
                "sample.nn | --set sample.nn: unknown field \"stages[0].sample.nn\"",
                "seed | --set seed: field \"seed\" is \"abc\"",
            })
    void aWrongSettingIsNamedAsItWasTyped(String path, String said) {
        String stages = "- sample: {n: 5}\n- sample: {n: 6}\n  as: again\n";
        assertThatThrownBy(() -> read(stages, Map.of("again.n", 8, path, "abc")))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(said);
    }

    @Test
    void settingsThatDoNotFitEachOtherAreBothNamed() {
        String stages = "- sample: {n: 5}\n";
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        changes.put("sample.edges", List.of(1, 2, 3));
        changes.put("sample.ratio", List.of(1));
        assertThatThrownBy(() -> read(stages, changes))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--set sample.edges, --set sample.ratio:");
        // What is wrong in the file stays the file's.
        assertThatThrownBy(() -> read("- sample: {n: x}\n", Map.of("sample.markup", "keep")))
                .isInstanceOf(BadInputException.class);
    }

    @Test
    void aNewStageIsARecordOfItsSettings() {
        StageBench bench = StageBench.in(folder)
                .candidates(
                        "{\"id\": \"a\", \"document\": \"d\", \"question\": \"who?\"}",
                        "{\"id\": \"b\", \"document\": \"d\", \"question\": \"who?\"}",
                        "{\"id\": \"c\", \"document\": \"d\", \"question\": \"why?\"}");
        Function<Fields, Stage> unique = PipelineBook.of(UniqueStage.class);
        StageBench.Outcome once = bench.run(unique.apply(Pipelines.fields("{}")));
        assertThat(once.kept()).containsExactly("a", "c");
        assertThat(once.dropped()).containsExactly(Map.entry("b", "asked before"));
        assertThat(bench.run(unique.apply(Pipelines.fields("{most: 2}"))).dropped())
                .isEmpty();
        assertThatThrownBy(() -> unique.apply(Pipelines.fields("{most: 0}"))).hasMessageContaining("\"most\" is 0");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                AgreeStage.class,
                AskStage.class,
                BalanceStage.class,
                CleanStage.class,
                FalseNegativesStage.class,
                JudgeStage.class,
                LocateStage.class,
                QuestionsStage.class,
                SampleStage.class,
                SplitStage.Equal.class,
                SplitStage.Recursive.class,
                SplitStage.Thirds.class,
                SummariseStage.class,
                TagStage.class,
                TranslateStage.class,
                WriteStage.class,
                Segments.class,
                EvidenceTexts.class
            })
    void theDocsNameEachSetting(Class<?> stage) throws IOException {
        String docs = Files.readString(Path.of("docs/construct.md"));
        assertThat(Stream.of(stage.getRecordComponents())
                        .filter(component -> !component.getType().isRecord() || component.getType() == LengthUnit.class)
                        .map(component ->
                                component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT)))
                .allSatisfy(setting -> assertThat(docs).containsPattern("`" + setting + "[`:]"));
    }

    static List<String> names() {
        return PipelineBook.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyPipelineInTheJarCanBeRead(String name) {
        Pipeline pipeline = PipelineBook.find(name, Map.of());
        assertThat(pipeline.name()).isEqualTo(name);
        assertThat(PipelineBook.text(name)).contains("name: " + name + "\n");
        assertThat(pipeline.description()).isNotBlank();
        assertThat(pipeline.steps().getLast().kind()).isEqualTo("write");
    }

    /** The paper's segments are of characters; a unit belongs to borders of sentences. */
    @Test
    void nullTakesASettingAway() {
        String stages = "- sample: {}\n- split: {by: thirds, borders: sentences, unit: words}";
        Map<String, @Nullable Object> changes = new LinkedHashMap<>(Map.of("split.borders", "characters"));
        assertThatThrownBy(() -> read(stages, changes)).hasMessageContaining("unit");
        changes.put("split.unit", null);
        assertThat(read(stages, changes).steps().getLast().settings().has("unit"))
                .isFalse();
    }
}
