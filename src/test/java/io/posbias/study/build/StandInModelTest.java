package io.posbias.study.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Json;
import io.posbias.base.process.Sessions;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.chat.Sampling;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.api.TokenPrice;
import io.posbias.study.build.StandInModel.Fault;
import io.posbias.study.build.StandInModel.Manner;
import io.posbias.study.build.text.Draw;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandInModelTest {
    private static final String QUESTIONS = """
            - sample: {}
            - summarise: {model: writer}
            - split: {size: 40}
            - ask: {model: writer}
            - tag: {}
            - judge: {model: writer}
            """;

    private static final String THIRDS = """
            - sample: {}
            - ask: {model: writer, of: document}
            - locate: {model: writer}
            - tag: {of: span}
            - judge: {model: writer, texts: cut}
            """;

    @TempDir
    Path folder;

    private Path documents(int n) {
        StringBuilder lines = new StringBuilder();
        for (int d = 0; d < n; d++) {
            int document = d;
            String text = IntStream.range(0, 12)
                    .mapToObj(s -> "The " + word(document, s, 0) + " of " + word(document, s, 1) + " was found in the "
                            + word(document, s, 2) + " by " + word(document, s, 3) + " with a " + word(document, s, 4)
                            + ".")
                    .collect(Collectors.joining(" "));
            lines.append(new String(Json.toLine(Map.of("id", "d" + d, "text", text)), StandardCharsets.UTF_8));
        }
        return Pipelines.write(folder.resolve("docs.jsonl"), lines.toString());
    }

    private static String word(int document, int sentence, int place) {
        return "w" + Long.toString(Draw.priority(document, sentence + "/" + place) >>> 40, 36);
    }

    private PipelineRecord run(StandInModel model, int documents, String stages, CallLimit limit) {
        Construction plain = Pipelines.construction(folder, List.of(documents(documents)), "en", stages);
        ChatSettings settings = ChatSettings.of("--llm", model.address(), "stand-in", Optional.empty(), Sampling.GREEDY)
                .at(new TokenPrice(1, 1));
        Engine engine = new Engine(Device.CPU, 1, 0, false, limit, Sessions.in(folder.resolve("home")));
        return new Construction(
                        plain.pipeline(),
                        plain.inputs(),
                        plain.textField(),
                        plain.out(),
                        engine,
                        Map.of("writer", settings),
                        16)
                .run();
    }

    private PipelineRecord run(StandInModel model, String stages) {
        return run(model, 30, stages, CallLimit.none());
    }

    private static Map<String, Long> dropped(PipelineRecord record, String stage) {
        return record.stages().stream()
                .filter(finished -> finished.name().equals(stage))
                .findFirst()
                .orElseThrow()
                .counts()
                .dropped();
    }

    private Set<String> questions(PipelineRecord record) {
        return Pipelines.kept(folder, record, record.stages().size() - 1).stream()
                .map(candidate -> candidate.text(Candidate.QUESTION))
                .collect(Collectors.toSet());
    }

    @Test
    void withoutALanguageModelQuestionsComeFromTheText() {
        String stages = """
                - sample: {}
                - split: {size: 40}
                - ask: {model: nobody, without-model: extractive, prompt: question-segment}
                - locate: {}
                """;
        try (StandInModel model = new StandInModel(Manner.GOOD)) {
            PipelineRecord record = run(model, stages);
            assertThat(record.stages().getLast().counts().kept()).isGreaterThan(30);
            assertThat(model.calls()).isEmpty();
            assertThat(run(model, stages.replace("nobody", "writer"))
                            .stages()
                            .getLast()
                            .counts()
                            .kept())
                    .isPositive();
            assertThat(model.calls()).containsOnlyKeys("question-segment");
        }
    }

    @Test
    void allOffTargetQuestionsAreRemovedByTheirLabels() {
        try (StandInModel model = new StandInModel(Manner.with(Fault.OFF_TARGET, 0.3))) {
            PipelineRecord record = run(model, THIRDS.replace("{of: span}", "{of: span, keep: on-target}"));
            assertThat(model.planted(Fault.OFF_TARGET)).hasSizeBetween(6, 40);
            assertThat(questions(record))
                    .hasSizeGreaterThan(10)
                    .doesNotContainAnyElementsOf(model.planted(Fault.OFF_TARGET));
            long gone = dropped(record, "tag").values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            assertThat(gone)
                    .as("precision")
                    .isLessThan(2L * model.planted(Fault.OFF_TARGET).size());
        }
    }

    @Test
    void malformedRepliesRefusalsAndProseAreCounted() {
        Manner bad = new Manner(
                Map.of(Fault.MALFORMED, 0.5, Fault.REFUSAL, 0.1, Fault.PROSE, 0.1, Fault.BUSY, 0.1), Duration.ZERO);
        try (StandInModel model = new StandInModel(bad)) {
            PipelineRecord record = run(model, QUESTIONS);
            assertThat(model.planted(Fault.BUSY)).isNotEmpty();
            assertThat(dropped(record, "summarise")).containsOnlyKeys("the model refused");
            assertThat(dropped(record, "ask"))
                    .containsOnlyKeys("the model refused", "the reply is not a JSON list of records");
            assertThat(dropped(record, "judge")).containsKey("the reply is not a number from 0 to 4");
            assertThat(record.stages().getLast().counts().kept()).isPositive();
        }
    }

    /** With 1 USD per million tokens, and 1,000 tokens that a reply may have, a cent is enough for a few calls at a time. */
    @ParameterizedTest
    @CsvSource({"--max-cost, 2147483647, 0.02", "--max-calls, 20, 1000"})
    void aBudgetThatRunsOutStopsAndGoesOnWithoutAskingTwice(String option, int most, double usd) throws IOException {
        byte[] whole;
        int calls;
        try (StandInModel model = new StandInModel(Manner.GOOD)) {
            whole = Files.readAllBytes(folder.resolve("out")
                    .resolve(run(model, 12, QUESTIONS, CallLimit.none())
                            .stages()
                            .getLast()
                            .file()));
            calls = model.calls().values().stream().mapToInt(Integer::intValue).sum();
        }
        io.posbias.base.files.Staging.delete(folder.resolve("out"));
        io.posbias.base.files.Staging.delete(folder.resolve("home"));
        try (StandInModel model = new StandInModel(Manner.GOOD)) {
            int stops = 0;
            while (stops < 50) {
                try {
                    run(model, 12, QUESTIONS, new CallLimit(most, usd));
                    break;
                } catch (CallLimit.ReachedException reached) {
                    assertThat(reached).hasMessageStartingWith("stopped by " + option + " in stage ");
                    stops++;
                }
            }
            assertThat(stops).isBetween(2, 49);
            assertThat(model.calls().values().stream()
                            .mapToInt(Integer::intValue)
                            .sum())
                    .isEqualTo(calls);
        }
        assertThat(folder.resolve("out/stages/06-judge.jsonl")).hasBinaryContent(whole);
    }

    @Test
    void sixteenRequestsAreUnderWayAtATime() {
        try (StandInModel model = new StandInModel(new Manner(Map.of(), Duration.ofMillis(50)))) {
            CallRate.measure(model.address(), folder.resolve("home"), 16, 200);
            assertThat(model.mostUnderWay()).isEqualTo(16);
            assertThat(model.calls().get("relevance")).isEqualTo(400);
        }
    }
}
