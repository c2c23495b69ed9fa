package io.posbias.cli;

import static io.posbias.cli.SchemaCheck.check;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import io.posbias.base.json.Json;
import io.posbias.base.process.Sessions;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.model.chat.FakeChat;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.api.FakeApi;
import io.posbias.model.encode.worker.RecordedWorker;
import io.posbias.model.inside.TinyModels;
import io.posbias.run.placing.RelocatedTexts;
import io.posbias.run.placing.Relocation;
import io.posbias.score.measure.TestOutcome;
import io.posbias.study.calibrate.Calibration;
import io.posbias.study.calibrate.Calibration.CalibrationCheck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SchemaTest {
    @TempDir
    Path temp;

    private static String run(Object... words) {
        return Cli.run(words).ok().out();
    }

    private Path write(Object... words) {
        Path out = temp.resolve("out");
        run(words, "--out", out, "--overwrite");
        return out;
    }

    /** From recorded answers of the worker. */
    private Path writeInside(String recording, Object... words) throws IOException {
        Path out = temp.resolve("out");
        new Posbias(temp, RecordedWorker.environment(temp, recording))
                .run(words, "--out", out, "--overwrite")
                .ok();
        return out;
    }

    private String result(Object... words) throws IOException {
        return Files.readString(write(words, "--model bm25").resolve("bm25/result.json"));
    }

    @ParameterizedTest
    @CsvSource({"models-1, models", "pipelines-1, construct"})
    void lists(String schema, String command) throws IOException {
        check(schema, run(command, "list", "--format json"));
    }

    private Path reference() {
        return DemoModels.dense(temp.resolve("refs"));
    }

    @Test
    void probes() throws IOException {
        String pair = "{\"id\": \"%s\", \"query\": \"a b\", \"text1\": \"a b c\", \"text2\": \"%s\"}";
        Path one = Files.writeString(temp.resolve("one.jsonl"), pair.formatted("x", "c"));
        Path two = Files.write(temp.resolve("two.jsonl"), List.of(pair.formatted("x", "c"), pair.formatted("y", "a")));
        Path grid = Files.writeString(
                temp.resolve("grid.jsonl"),
                "{\"id\": \"x\", \"query\": \"a\", \"text1\": \"a\","
                        + " \"tags\": {\"heads_band\": \"1\", \"words_band\": \"131-160\"}}");
        check("probe-result-1", result("probe run --pairs", one, "--pairs", two, "--pairs", grid));
    }

    /** Of models with vectors, of a model's inside, and without a folder for each model: tested below. */
    private static final Set<String> OTHERS = Set.of(
            "diagnose segments",
            "diagnose segments --layers",
            "diagnose segments --segments",
            "diagnose tokens",
            "diagnose second-evidence");

    static Stream<Arguments> diagnoses() {
        return Studies.all().entrySet().stream()
                .filter(study -> study.getKey().startsWith("diagnose ") && !OTHERS.contains(study.getKey()))
                .map(study -> Arguments.of(study.getKey(), study.getValue().schema()));
    }

    @ParameterizedTest
    @MethodSource("diagnoses")
    void diagnoses(String diagnosis, String schema) throws IOException {
        String few = Studies.takes(diagnosis, "--n") ? " --n 4" : "";
        check(schema, result(diagnosis + " --dataset demo" + few));
    }

    @Test
    void saliency() throws IOException {
        Path out = write("diagnose saliency --dataset demo --n 4 --no-cache --model bm25," + reference());
        check("diagnose-result-2", Files.readString(out.resolve("reference-primacy-2/result.json")));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void saliencyByGradient() throws IOException {
        Path out = writeInside(
                "schema-gradients",
                "diagnose saliency --dataset demo --n 4 --no-cache --method contribution,gradient --model",
                TinyModels.writeBert(temp.resolve("tiny"), StandIns.WORDS));
        String json = Files.readString(out.resolve("gradient/tiny-bert/result.json"));
        check("diagnose-result-2", json);
        assertThat(SchemaCheck.takes(SchemaCheck.read("diagnose-result-2"), json.replace("\"token\"", "\"word\"")))
                .isFalse();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void tokens() throws IOException {
        Path model = TinyModels.writeBert(temp.resolve("tiny"), StandIns.WORDS);
        Path pairs = Files.writeString(
                temp.resolve("pairs.jsonl"),
                "{\"id\": \"x\", \"query\": \"a b\", \"text1\": \"a b c\", \"text2\": \"c\", \"evidence\": \"a\"}\n");
        Path out = writeInside("schema-tokens", "diagnose tokens --pairs", pairs, "--model", model);
        check("diagnose-result-2", Files.readString(out.resolve("tiny-bert/result.json")));
    }

    @Test
    void saliencyOfTokensAndOfOnePair() throws IOException {
        Path out =
                write("diagnose saliency --dataset demo --n 1 --no-cache --method contribution --model", reference());
        String json = Files.readString(out.resolve("reference-primacy-2/result.json"));
        check("diagnose-result-2", json);
        Schema schema = SchemaCheck.read("diagnose-result-2");
        assertThat(json).doesNotContain("\"sd\"");
        assertThat(SchemaCheck.takes(schema, json.replace("\"unit\"", "\"window\": 10, \"stride\": 10, \"unit\"")))
                .isFalse();
        assertThat(SchemaCheck.takes(schema, json.replace("\"dataset\"", "\"moving\": [], \"dataset\"")))
                .isFalse();
    }

    @Test
    void segments() throws IOException {
        Path out = write("diagnose segments --dataset demo --n 5 --min-words 2 --no-cache --model", reference());
        String json = Files.readString(out.resolve("reference-primacy-2/result.json"));
        assertThat(json).contains("\"interval\" : null", "\"difference\" : null");
        check("segments-1", json);
    }

    @Test
    void segmentCurves() throws IOException {
        Path out = write(
                "diagnose segments --segments 4 --dataset demo --n 5 --min-words 20 --no-cache --model", reference());
        check("segment-curves-1", Files.readString(out.resolve("reference-primacy-2/result.json")));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void layers() throws IOException {
        Path out = writeInside(
                "schema-layers",
                "diagnose segments --layers --controls 2 --dataset demo --n 5 --min-words 2 --model",
                TinyModels.writeBert(temp.resolve("tiny"), StandIns.WORDS));
        String json = Files.readString(out.resolve("tiny-bert/result.json"));
        check("layers-1", json);
        assertThat(SchemaCheck.takes(SchemaCheck.read("layers-1"), json.replace("\"mean\"", "\"average\"")))
                .isFalse();
    }

    @Test
    void forecast() throws IOException {
        Object[] command = {"eval --dry-run --results", temp.resolve("out"), "--format json"};
        check("plan-2", run(command, "--dataset demo --model bm25," + reference()));
        String absent = run(command, "--dataset nq --model bge-m3,bge-reranker-v2-m3");
        assertThat(absent).contains("\"seconds\" : null");
        check("plan-2", absent);
    }

    @Test
    void positionsOfEvidence() throws IOException {
        Object[] command = {"diagnose evidence --dataset demo --format json"};
        check("evidence-positions-1", run(command));
        check("evidence-positions-1", run(command, "--model bm25 --n 20"));
    }

    @Test
    void secondEvidence() throws IOException {
        Object[] command = {"diagnose second-evidence --dataset demo --format json"};
        check("second-evidence-1", run(command));
        check("second-evidence-1", run(command, "--model bm25 --margin 0.5 --n 20 --buckets relative:30"));
    }

    @Test
    void calibration() throws IOException {
        Calibration.CalibratedEncoder flat =
                calibrated(new Calibration.Raw("nDCG@10", 300, 0.1, 0.2, 0.3, TestOutcome.OPEN), CalibrationCheck.OK);
        Calibration.CalibratedEncoder none =
                calibrated(new Calibration.Raw("nDCG@10", 300, null, null, null, null), CalibrationCheck.WRONG);
        Calibration calibration = new Calibration(
                RelocatedTexts.Choice.of(Relocation.ROTATION), 50, 42, Engine.quiet(2, Sessions.in(temp)));
        String passed = json(calibration.document(List.of(flat)));
        check("calibration-2", passed);
        String failed = json(calibration.document(List.of(flat, none)));
        assertThat(failed).contains("\"verdict\" : null", "\"psi\" : null");
        check("calibration-2", failed);
        Schema schema = SchemaCheck.read("calibration-2");
        assertThat(SchemaCheck.takes(schema, failed.replace("\"passed\" : false", "\"passed\" : true")))
                .isFalse();
        assertThat(SchemaCheck.takes(schema, passed.replace("\"passed\" : true", "\"passed\" : false")))
                .isFalse();
    }

    private static Calibration.CalibratedEncoder calibrated(Calibration.Raw profile, CalibrationCheck check) {
        Estimate none = new Estimate(0, new Interval(-1, 1), 1);
        return new Calibration.CalibratedEncoder(
                "planted",
                "reference-flat",
                "flat",
                null,
                profile,
                new Calibration.Fixed(150, 30, none, none, TestOutcome.EVEN),
                check);
    }

    private static String json(Object document) {
        return new String(Json.toBytes(document), StandardCharsets.UTF_8);
    }

    @Test
    void reader() throws IOException {
        Path data = Files.createDirectory(temp.resolve("probes"));
        for (String probe : List.of("foil", "poison")) {
            Files.write(
                    data.resolve(probe + ".jsonl"),
                    Stream.of("one", "two")
                            .map(id -> "{\"id\": \"" + id + "\", \"query\": \"Where is " + id
                                    + "?\", \"text1\": \"It is here.\", \"text2\": \"No " + probe
                                    + ".\", \"evidence\": \"It is here.\","
                                    + " \"tags\": {\"tail\": \"here\", \"poison_by\": \"type-matched\"}}")
                            .toList());
        }
        try (FakeApi server = FakeChat.serve(question -> question.contains("Model Answer: here")
                ? "yes"
                : question.startsWith("Query: ") ? "NO" : question.contains("Document: It") ? "here" : "there")) {
            Cli.Ended ended = new Posbias(temp, Map.of())
                    .run("probe rag --data", data, "--llm", server.address(), "--llm-model m --format json")
                    .ok();
            check("rag-result-1", ended.out());
        }
    }
}
