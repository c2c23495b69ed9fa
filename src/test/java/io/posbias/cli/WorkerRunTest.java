package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.model.encode.worker.StandInWorker;
import io.posbias.score.measure.Profile;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models in another process, evaluated. */
class WorkerRunTest {
    @TempDir
    Path temp;

    private Path words = Path.of("");

    /** Enough where the numbers do not matter. */
    @BeforeEach
    void writeWords() {
        words = TwoWordBenchmark.write(temp.resolve("words"));
    }

    private Path recipe(String name, String gives, String lie, String more) throws IOException {
        String command = StandInWorker.command(gives, lie).stream()
                .map(word -> "  - '" + word + "'\n")
                .collect(Collectors.joining());
        return Files.writeString(
                temp.resolve(name + ".yaml"),
                "name: " + name + "\nkind: worker\ngives: " + gives + "\ntimeout: 20\ncommand:\n" + command + more);
    }

    private Result result() {
        return ResultFile.read(temp.resolve("out/result.json")).getFirst();
    }

    @Test
    void aDenseModelIsSearchedAndItsTruncationCounted() throws IOException {
        eval(recipe("letters", "dense", "", ""), "demo").ok();
        assertThat(result().retrieval().truncations().getFirst().cut()).isEqualTo(240);
        assertThat(result().retrieval().truncations().getFirst().known()).isTrue();
        Path first = Files.copy(temp.resolve("out/run.trec.gz"), temp.resolve("first.gz"));
        // Cached vectors give the same run, whatever the number of workers.
        Cli.run(
                        "eval --dataset demo --blind none --draws 0 --workers 2 --overwrite --no-cache --model",
                        temp.resolve("letters.yaml"),
                        "--out",
                        temp.resolve("two"))
                .ok();
        assertThat(temp.resolve("two/run.trec.gz")).hasSameBinaryContentAs(first);
    }

    /** The stand-in reads each span by itself, so late chunking is chunking. */
    @Test
    void aWorkerThatGivesSpansChunksLate() throws IOException {
        Path recipe = recipe("letters", "dense", "spans", "");
        // The words have no titles, which chunks repeat.
        eval(recipe + "+chunked:window=8").ok();
        List<Profile> chunked = result().profiles();
        Files.move(temp.resolve("out"), temp.resolve("chunked"));
        String late = "+late-chunked:window=8";
        eval(recipe + late).ok();
        assertThat(result().profiles()).isEqualTo(chunked);
        Files.move(temp.resolve("out"), temp.resolve("late"));
        eval(recipe + late + ",overlap=9").fails(2, "overlap");
        eval(recipe("without", "dense", "", "") + late).fails(1, "without", "spans");
        eval(recipe("scores", "cross-encoder", "", "") + late).fails(2, "late-chunked");
    }

    @Test
    void aRerankerScoresCandidates() throws IOException {
        eval(recipe("overlap", "cross-encoder", "", "depth: 5\n")).ok();
        assertThat(result().retrieval().firstStage()).isNotNull();
        assertThat(result().retrieval().truncations().getFirst().unit()).isEqualTo("pairs");
    }

    /** Letters by their numbers are the same vectors without zeros. */
    @Test
    void sparseVectorsAreSearchedAsDenseOnesByTheirProduct() throws IOException {
        eval(recipe("letters", "dense", "dot", "similarity: dot\nnormalise: false\n"), "demo")
                .ok();
        Result dense = result();
        Files.move(temp.resolve("out"), temp.resolve("dense"));
        Path recipe = recipe("terms", "sparse", "", "");
        eval(recipe, "demo").ok();
        assertThat(result().profiles()).isEqualTo(dense.profiles());
        assertThat(result().retrieval().truncations().getFirst().cut())
                .isEqualTo(dense.retrieval().truncations().getFirst().cut());
        assertThat(Cli.run("models check", recipe).ok().out()).contains("dimension", "26");
        eval(recipe("product", "sparse", "", "similarity: dot\n")).fails(1, "product.yaml", "similarity");
    }

    /** What was encoded before the worker ended is in the cache. */
    @Test
    void aWorkerThatEndsLosesNothing() throws IOException {
        Path recipe = recipe("letters", "dense", "dies later", "texts-per-request: 20\n");
        eval(recipe, "demo").fails(1, "letters: worker", "exit code 9");
        assertThat(temp.resolve("out")).doesNotExist();
        List<Path> segments;
        try (var files = Files.walk(temp.resolve("home/vectors"))) {
            segments =
                    files.filter(file -> file.toString().endsWith(".vectors")).toList();
        }
        assertThat(segments)
                .isNotEmpty()
                .allSatisfy(file -> assertThat(Files.size(file)).isPositive());
    }

    /** Also of one in a strategy, and of a first stage. */
    @ParameterizedTest
    @ValueSource(strings = {"", "+chunked:window=32", "+fused:with=bm25"})
    void aChangedScriptIsAnotherModel(String strategy) throws IOException {
        Path script = Files.writeString(temp.resolve("script.py"), "one");
        Path recipe = recipe("letters", "dense", "", "");
        Files.writeString(recipe, "  - script.py\n", StandardOpenOption.APPEND);
        eval(recipe + strategy).ok();
        assertThat(eval(recipe + strategy).ok().err()).contains("finished before");
        Files.writeString(script, "two");
        eval(recipe + strategy).fails(1, "other model files");
    }

    @Test
    void aChangedProgramIsAnotherModelIfItIsAScript() throws IOException {
        String command = StandInWorker.command("dense", "").stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        Path program = Files.writeString(temp.resolve("model.sh"), "#!/bin/sh\nexec " + command + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Path recipe = Files.writeString(
                temp.resolve("script.yaml"), "name: script\nkind: worker\ngives: dense\ncommand: [model.sh]\n");
        eval(recipe).ok();
        Files.writeString(program, "# other weights\n", StandardOpenOption.APPEND);
        eval(recipe).fails(1, "other model files");
    }

    @Test
    void aChangedScriptOfAFirstStageIsAnotherModel() throws IOException {
        Path script = Files.writeString(temp.resolve("script.py"), "one");
        Path first = recipe("letters", "dense", "", "");
        Files.writeString(first, "  - script.py\n", StandardOpenOption.APPEND);
        Path second = recipe("overlap", "cross-encoder", "", "depth: 5\nfirst-stage: " + first + "\n");
        eval(second).ok();
        Files.writeString(script, "two");
        eval(second).fails(1, "other model files");
    }

    /** A stand-in for Python, which writes down its arguments and answers as {@link StandInWorker} does. */
    private Cli.Ended evalWithPython(String gives, String lie, String model, Object... more) throws IOException {
        String command = StandInWorker.command(gives, lie).stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        Path python = Files.writeString(
                temp.resolve("python"),
                "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + temp.resolve("arguments") + "'\nexec " + command
                        + " \"$@\"\n");
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
        return Cli.run(
                Map.of("POSBIAS_HOME", temp.resolve("home").toString(), "POSBIAS_PYTHON", python.toString()),
                Stream.concat(
                                Stream.of(
                                        "eval --blind none --draws 0 --overwrite --dataset",
                                        words,
                                        "--model",
                                        model,
                                        "--out",
                                        temp.resolve("out")),
                                Stream.of(more))
                        .toArray());
    }

    private List<String> arguments() throws IOException {
        List<String> all = Files.readAllLines(temp.resolve("arguments"));
        assertThat(all.getFirst()).endsWith("sentence_transformers.py");
        return all.subList(1, all.size());
    }

    /** MTEB's registry knows prompts of models whose files may name none; the worker prefers those of the files. */
    @Test
    void promptsOfKnownModelsAreTheWorkersArguments() throws IOException {
        evalWithPython("dense", "", "st:intfloat/multilingual-e5-small").ok();
        assertThat(arguments())
                .containsExactly(
                        "--model",
                        "intfloat/multilingual-e5-small",
                        "--known-query-prompt",
                        "query: ",
                        "--known-passage-prompt",
                        "passage: ");
        evalWithPython("dense", "", "st:nobody/knows").ok();
        assertThat(arguments()).containsExactly("--model", "nobody/knows");
        // The registry also says what a model gives, and a folder's files do.
        evalWithPython("sparse", "", "st:naver/splade-code-06B").ok();
        Path sparse = Files.createDirectories(temp.resolve("splade"));
        Files.writeString(sparse.resolve("config_sentence_transformers.json"), "{\"model_type\": \"SparseEncoder\"}");
        evalWithPython("sparse", "", "st:" + sparse).ok();
        evalWithPython("cross-encoder", "", "st:ByteDance/ListConRanker").ok();
        assertThat(result().retrieval().firstStage()).isNotNull();
    }

    /** FlagEmbedding's reranker with a head per layer, by its recipe, its name on the Hub and as a folder. */
    @Test
    void aLayerwiseRerankerIsAskedForALayer() throws IOException {
        for (String name : List.of("bge-reranker-v2-minicpm-layerwise", "BAAI/bge-reranker-v2-minicpm-layerwise")) {
            evalWithPython("cross-encoder", "", name, "--trust-remote-code").ok();
            assertThat(arguments())
                    .containsExactly(
                            "--model",
                            "BAAI/bge-reranker-v2-minicpm-layerwise",
                            "--cutoff-layer",
                            "28",
                            "--max-tokens",
                            "8192",
                            "--trust-remote-code");
        }
        Path folder = Files.createDirectories(temp.resolve("layerwise"));
        Files.writeString(folder.resolve("config.json"), "{\"architectures\": [\"LayerWiseMiniCPMForCausalLM\"]}");
        evalWithPython("cross-encoder", "", "st:" + folder).ok();
        assertThat(arguments()).containsExactly("--model", folder.toString(), "--cutoff-layer", "28");
        assertThat(result().recipe()).containsEntry("gives-logits", true);
    }

    /** Only the user knows what queries ask for. */
    @Test
    void aTemplateForInstructionsIsFilledOrAskedFor() throws IOException {
        String model = "st:intfloat/e5-mistral-7b-instruct";
        evalWithPython("dense", "asks", model).fails(1, "e5-mistral-7b-instruct", "--instruction");
        assertThat(Files.readString(temp.resolve("arguments")))
                .contains("--instruction-template\nInstruct: {instruction}\nQuery: ");
        evalWithPython("dense", "asks", model, "--instruction", "Find").ok();
        assertThat(Files.readString(temp.resolve("arguments")))
                .contains("--query-prompt\nInstruct: Find\nQuery: ")
                .doesNotContain("template");
    }

    /** A folder of a prompt's or a model's name changes nothing. */
    @Test
    void aWordOfTheCommandIsNoPathByChance() throws IOException {
        Path recipe = recipe("letters", "dense", "", "  - --query-prompt\n  - query\n");
        eval(recipe).ok();
        Path query = Files.createDirectories(temp.resolve("query"));
        assertThat(eval(recipe).ok().err()).contains("finished before");
        Files.writeString(query.resolve("other"), "");
        assertThat(eval(recipe).ok().err()).contains("finished before");
        assertThat(Cli.run(
                                Map.of("POSBIAS_HOME", temp.resolve("home").toString()),
                                "eval --blind none --draws 0 --no-cache --dataset demo --model",
                                recipe,
                                "--out",
                                temp.resolve("again"))
                        .ok()
                        .err())
                .contains("\"query\" is a text; ./query");
    }

    /** Names of posbias's models and benchmarks beside files of the same names; the run that a file bm25 may be is ./bm25. */
    @Test
    @Tag("slow")
    void namesBesideFilesOfTheirNameAreSaid() throws Exception {
        Files.writeString(temp.resolve("bm25"), "not a run");
        Files.createDirectories(temp.resolve("demo"));
        Object[] command = {
            "eval --dataset demo --blind none --draws 0 --first-stage bm25 --model",
            recipe("overlap", "cross-encoder", "", "depth: 5\n"),
            "--out",
            temp.resolve("out")
        };
        assertThat(Child.run(temp, Map.of(), command).ok().err())
                .contains("note: bm25 is that of 'posbias models list'; ./bm25 is here")
                .contains("note: demo is that of 'posbias data list'; ./demo is here");
        Path clone = Files.createDirectories(temp.resolve("BAAI/bge-m3"));
        Files.writeString(clone.resolve("config.json"), "{}");
        assertThat(Child.run(temp, Map.of(), "models info BAAI/bge-m3").err()).contains("hf:BAAI/bge-m3 is the model");
    }

    /** Stopped by Ctrl-Z for longer than a worker may take, posbias goes on with it. */
    @Test
    @Tag("slow")
    void timeInWhichPosbiasWasStoppedIsNotTheWorkers() throws Exception {
        Path recipe = recipe("letters", "dense", "stops posbias", "");
        Files.writeString(recipe, Files.readString(recipe).replace("timeout: 20", "timeout: 3"));
        Child.run(
                        temp,
                        Map.of(),
                        "eval --blind none --draws 0 --dataset demo --model",
                        recipe,
                        "--out",
                        temp.resolve("out"))
                .ok();
    }

    /** A program that was killed cannot end what it started. */
    @Test
    @Tag("slow")
    void posbiasEndsWithTheProgramThatReadsItsOutput() throws Exception {
        Path recipe = recipe("letters", "dense", "hangs", "");
        Files.writeString(recipe, Files.readString(recipe).replace("timeout: 20", "timeout: 600"));
        Child parent = Child.startBy(
                "POSBIAS_PARENT=$$ \"$@\" & wait",
                temp,
                Map.of(),
                "eval --blind none --draws 0 --dataset demo --model",
                recipe,
                "--out",
                temp.resolve("out"));
        List<ProcessHandle> below = new ArrayList<>();
        parent.until(() -> {
            below.clear();
            ProcessHandle.of(parent.pid())
                    .ifPresent(handle -> handle.descendants().forEach(below::add));
            // posbias and its worker.
            return below.size() == 2;
        });
        parent.kill();
        for (ProcessHandle one : below) {
            one.onExit().get(20, TimeUnit.SECONDS);
        }
        assertThat(parent.err()).contains("posbias: interrupted; ");
        assertThat(temp.resolve("out")).doesNotExist();
    }

    private Cli.Ended eval(Object model) {
        return eval(model, words);
    }

    private Cli.Ended eval(Object model, Object dataset) {
        return Cli.run(
                Map.of("POSBIAS_HOME", temp.resolve("home").toString()),
                "eval --blind none --draws 0 --dataset",
                dataset,
                "--model",
                model,
                "--out",
                temp.resolve("out"));
    }

    @Test
    void settingsAreChecked() throws IOException {
        eval(recipe("letters", "dense", "", "depth: 5\n")).fails(1, "letters.yaml", "depth", "gives: dense");
        eval(recipe("letters", "dense", "", "gives-logits: true\n")).fails(1, "letters.yaml", "gives-logits");
        Path nul = Files.writeString(
                temp.resolve("nul.yaml"), "name: nul\nkind: worker\ngives: dense\ncommand: [python3, \"a\\0\"]\n");
        eval(nul).fails(1, "nul.yaml", "command", "NUL");
        Cli.run("eval --dataset demo --workers 2 --model bm25").fails(2, "--workers", "bm25");
        Cli.run("eval --dataset demo --model st:no/such/folder").fails(2, "st:no/such/folder");
    }
}
