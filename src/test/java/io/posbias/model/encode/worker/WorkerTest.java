package io.posbias.model.encode.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerTest {
    @TempDir
    Path temp;

    private Engine engine() {
        return Engine.quiet(2, Sessions.in(temp));
    }

    private static WorkerSettings settings(WorkerSettings.Gives gives, String lie, int workers) {
        String word = gives.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return new WorkerSettings(
                gives, StandInWorker.command(word, lie), 3, lie.equals("hangs") ? 1 : 60, workers, false, false);
    }

    private static List<TextEncoder.Encoded> encode(TextEncoder encoder, List<String> texts) {
        List<TextEncoder.Encoded> all = new ArrayList<>();
        encoder.prepare(texts, Role.PASSAGE).run(batch -> {
            synchronized (all) {
                all.addAll(batch);
            }
        });
        return all.stream()
                .sorted(Comparator.comparingInt(TextEncoder.Encoded::text))
                .toList();
    }

    @Test
    void aWorkerThatWasStartedEarlyIsTheOneThatAnswers() {
        Engine engine = engine();
        WorkerSettings settings = settings(WorkerSettings.Gives.DENSE, "", 1);
        WorkerEncoder.startEarly("letters", settings, engine);
        WorkerEncoder.startEarly("letters", settings, engine);
        assertThat(engine.session().made()).hasSize(1);
        try (TextEncoder encoder = new WorkerEncoder("letters", settings, engine)) {
            assertThat(engine.session().made()).isEmpty();
            assertThat(encode(encoder, List.of("abc"))).hasSize(1);
        }
    }

    @Test
    void aWorkerThatFailsEarlyFailsWhereItIsOpened() {
        Engine engine = engine();
        WorkerSettings none =
                new WorkerSettings(WorkerSettings.Gives.DENSE, List.of("no-such-program"), 3, 60, 1, false, false);
        WorkerEncoder.startEarly("none", none, engine);
        assertThatThrownBy(() -> new WorkerEncoder("none", none, engine))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("cannot start no-such-program");
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void vectorsAreThoseOfTheTextsInTheirOrder(int workers) {
        List<String> texts = IntStream.range(0, 20)
                .mapToObj(i -> "abc xyz \uD83D\uDE00 ".repeat(i) + (char) ('a' + i))
                .toList();
        try (TextEncoder encoder =
                new WorkerEncoder("letters", settings(WorkerSettings.Gives.DENSE, "", workers), engine())) {
            assertThat(encoder.dimension()).isEqualTo(StandInWorker.DIMENSION);
            List<TextEncoder.Encoded> found = encode(encoder, texts);
            assertThat(found).hasSize(20);
            for (int i = 0; i < 20; i++) {
                float[] expected = StandInWorker.letters(texts.get(i));
                double length = Math.sqrt(IntStream.range(0, expected.length)
                        .mapToDouble(j -> expected[j] * expected[j])
                        .sum());
                for (int j = 0; j < expected.length; j++) {
                    assertThat((double) found.get(i).vectors()[j]).isEqualTo(expected[j] / length, within(1e-6));
                }
                // A face is one code point, and two units.
                assertThat(found.get(i).seen())
                        .isEqualTo(
                                texts.get(i).codePointCount(0, texts.get(i).length()) <= StandInWorker.READ
                                        ? TextEncoder.WHOLE
                                        : texts.get(i).offsetByCodePoints(0, StandInWorker.READ));
            }
        }
    }

    @Test
    void pairsAreScored() {
        List<PairScorer.TextPair> pairs = List.of(
                new PairScorer.TextPair("abc", "cab"),
                new PairScorer.TextPair("abc", "x".repeat(50)),
                new PairScorer.TextPair("abc", "a"),
                new PairScorer.TextPair("aab", "baaa"));
        try (PairScorer scorer =
                new WorkerScorer("letters", settings(WorkerSettings.Gives.CROSS_ENCODER, "", 1), engine())) {
            List<PairScorer.Scored> all = new ArrayList<>();
            scorer.prepare(pairs).run(all::addAll);
            assertThat(all)
                    .containsExactlyInAnyOrder(
                            new PairScorer.Scored(0, 3, TextEncoder.WHOLE, false),
                            new PairScorer.Scored(1, 0, StandInWorker.READ, false),
                            new PairScorer.Scored(2, 1, TextEncoder.WHOLE, false),
                            new PairScorer.Scored(3, 3, TextEncoder.WHOLE, false));
        }
    }

    @Test
    void sparseVectorsArePairs() {
        try (WorkerEncoder encoder =
                new WorkerEncoder("letters", settings(WorkerSettings.Gives.SPARSE, "", 1), engine())) {
            assertThat(encoder.dimension()).isEqualTo(TextEncoder.PAIR);
            assertThat(encoder.width()).isEqualTo(StandInWorker.DIMENSION);
            List<TextEncoder.Encoded> found = encode(encoder, List.of("cabc", "12"));
            assertThat(found.getFirst().vectors()).containsExactly(0, 1, 1, 1, 2, 2);
            assertThat(found.getFirst().rows()).isEqualTo(3);
            assertThat(found.getLast().vectors()).containsExactly(0, 0);
            assertThat(found.getLast().rows()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"other order, 0.0 after 0.0", "half a term, below 26: 0.5", "another vocabulary, below 26: 26.0"})
    void sparseLiesAreOneLine(String lie, String said) {
        try (TextEncoder encoder =
                new WorkerEncoder("letters", settings(WorkerSettings.Gives.SPARSE, lie, 1), engine())) {
            assertThatThrownBy(() -> encode(encoder, List.of("abc")))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageStartingWith("letters: ")
                    .hasMessageContaining(said)
                    .hasMessageContaining("terms");
        }
        assertThatThrownBy(() ->
                        new WorkerEncoder("letters", settings(WorkerSettings.Gives.SPARSE, "euclidean", 1), engine()))
                .hasMessageContaining("euclidean");
    }

    /** Each lie is one line that says what came, and the process has ended. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dies | exit code 7: MemoryError: 3 GB",
                "hangs | no answer for 1 seconds",
                "dies before its child | exit code 7",
                "prints | printed \"Batches: 100%\" to standard output",
                "one vector less | 52 numbers, 78 belong to 3 texts",
                "not a number | holds NaN",
                "infinite | holds Infinity",
                "other reads | \"read\" has 4 entries for 3 texts",
                "error | ValueError: no such role",
                "no json | not a JSON object: oops",
                "endless | 2147483647 bytes",
                "other protocol | its protocol is 2, posbias's is 1",
                "no dimension | no dimension",
                "euclidean | similarity is \"euclidean\"",
                "half a dimension | no dimension",
                "maxsim | similarity is \"maxsim\"",
                "other spans | \"spans\"",
                "other notes | \"notes\"",
                "starts twice | before it was asked",
                "half a read | \"read\" holds [0.5,1,1]",
                "no read | \"read\" holds [null,1,1]",
                "misspelt read | did you mean read",
                "other cuts | \"query_cut\"",
                "error record | no such role",
                "floods | exit code 7: xxx",
                "refuses to start | pip install sentence-transformers",
            })
    void aLieIsOneLine(String lie, String said) {
        assertThatThrownBy(() -> {
                    try (TextEncoder encoder =
                            new WorkerEncoder("letters", settings(WorkerSettings.Gives.DENSE, lie, 1), engine())) {
                        encode(encoder, List.of("a", "b", "c"));
                    }
                })
                .isInstanceOf(PosbiasException.class)
                .hasMessageStartingWith("letters: ")
                .hasMessageContaining(said)
                .satisfies(failure -> assertThat(failure.getMessage()).hasLineCount(1));
        assertThat(ProcessHandle.current()
                        .children()
                        .filter(ProcessHandle::isAlive)
                        .filter(child -> child.info().commandLine().orElse("").contains(StandInWorker.class.getName())))
                .isEmpty();
    }

    /** What the pipe holds is an answer. */
    @Test
    void anAnswerBeforeTheEndIsRead() {
        try (TextEncoder encoder = new WorkerEncoder(
                "letters", settings(WorkerSettings.Gives.DENSE, "answers before its child", 1), engine())) {
            assertThat(encode(encoder, List.of("a", "b", "c"))).hasSize(3);
            assertThatThrownBy(() -> encode(encoder, List.of("d"))).hasMessageContaining("exit code 7");
        }
    }

    @Test
    void aMissingProgramIsNamed() {
        WorkerSettings missing = new WorkerSettings(
                WorkerSettings.Gives.DENSE, List.of("no-such-python", "x.py"), 3, 2, 1, false, false);
        assertThatThrownBy(() -> new WorkerEncoder("letters", missing, engine()))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("no-such-python");
    }

    /** Vectors of another script or of other weights are others, wherever they are. */
    @Test
    void theSpaceIsOfTheFilesThatTheCommandNames() throws IOException {
        Path weights = Files.createDirectories(temp.resolve("weights/1_Pooling"));
        Path script = Files.writeString(temp.resolve("encode.py"), "one");
        Files.writeString(weights.resolve("config.json"), "{}");
        WorkerSettings given = new WorkerSettings(
                WorkerSettings.Gives.DENSE,
                List.of("python3", "encode.py", "--model", "./weights"),
                3,
                2,
                1,
                false,
                false);
        WorkerSettings settings = given.in(temp, line -> {});
        Path home = temp.resolve("home");
        assertThat(settings.command())
                .containsExactly(
                        "python3",
                        script.toString(),
                        "--model",
                        temp.resolve("weights").toString());
        String first = settings.digest(home);
        Files.writeString(script, "two");
        String second = settings.digest(home);
        Files.writeString(weights.resolve("config.json"), "{ }");
        assertThat(List.of(first, second, settings.digest(home))).doesNotHaveDuplicates();
        Files.writeString(script, "one");
        Files.writeString(weights.resolve("config.json"), "{}");
        assertThat(settings.digest(home)).isEqualTo(first);
    }

    private String digest(String... command) {
        return new WorkerSettings(WorkerSettings.Gives.DENSE, List.of(command), 3, 2, 1, false, false)
                .in(temp, line -> {})
                .digest(temp.resolve("home"));
    }

    /** A compiled program, what a script imports from its own folder, and a folder that is a link. */
    @Test
    void theSpaceIsOfAllCodeBesideTheRecipe() throws IOException {
        Path program = Files.writeString(temp.resolve("model.bin"), "\u007fELF one");
        String first = digest("model.bin");
        Files.writeString(program, "\u007fELF two");
        assertThat(digest("model.bin")).isNotEqualTo(first);

        Path python = Files.writeString(temp.resolve("python3.12"), "one");
        String interpreter = digest("python3.12", "-c", "1");
        Files.writeString(python, "two");
        assertThat(digest("python3.12", "-c", "1")).isEqualTo(interpreter);

        Files.writeString(temp.resolve("encode.py"), "import pooling");
        Path module = Files.writeString(temp.resolve("pooling.py"), "one");
        String imported = digest("python3", "encode.py");
        Files.writeString(temp.resolve("notes.txt"), "not code");
        assertThat(digest("python3", "encode.py")).isEqualTo(imported);
        Files.writeString(module, "two");
        assertThat(digest("python3", "encode.py")).isNotEqualTo(imported);

        Path weights = Files.createDirectories(temp.resolve("store/snapshot"));
        Files.writeString(weights.resolve("model.safetensors"), "one");
        Files.createSymbolicLink(temp.resolve("link"), weights);
        String linked = digest("python3", "-m", "encode", "./link");
        assertThat(linked).isEqualTo(digest("python3", "-m", "encode", weights.toString()));
        Files.writeString(weights.resolve("model.safetensors"), "two");
        assertThat(digest("python3", "-m", "encode", "./link")).isNotEqualTo(linked);
    }

    /** A file that is not listed would not be unpacked. */
    @Test
    void allFilesOfTheOwnWorkerAreUnpacked() throws IOException {
        Path program = WorkerSettings.unpacked(temp);
        Path sources = Path.of("scripts", "workers");
        try (Stream<Path> files = Files.walk(sources)) {
            List<Path> all =
                    files.filter(file -> file.toString().endsWith(".py")).toList();
            assertThat(all).hasSizeGreaterThan(5).hasSameSizeAs(WorkerSettings.OWN_FILES);
            assertThat(all)
                    .allSatisfy(file -> assertThat(
                                    temp.resolve(sources.relativize(file).toString()))
                            .hasSameBinaryContentAs(file));
        }
        assertThat(program).isEqualTo(temp.resolve("sentence_transformers.py"));
    }

    /** A prompt or a model's name is none, whatever lies beside the recipe; what is one, or looks like one, is said. */
    @Test
    void onlyMarkedWordsArePaths() throws IOException {
        for (String folder : List.of("query", "ORG/NAME-v1.5", "ORG/NAME.base", "venv/bin", "posbias")) {
            Files.createDirectories(temp.resolve(folder));
        }
        for (String file : List.of("encode.py", "query: ", "venv/bin/python", "posbias/sentence_transformers.py")) {
            Files.writeString(temp.resolve(file), "");
        }
        List<String> command = List.of(
                "venv/bin/python",
                "encode.py",
                "posbias/sentence_transformers.py",
                "query",
                "query: ",
                "ORG/NAME-v1.5",
                "ORG/NAME.base",
                "./query",
                "../other",
                "absent.py",
                "venv/bin/python",
                "",
                "/",
                "/absent/../x");
        List<String> said = new ArrayList<>();
        WorkerSettings settings =
                new WorkerSettings(WorkerSettings.Gives.DENSE, command, 3, 2, 1, false, false).in(temp, said::add);
        List<String> expected = new ArrayList<>(command);
        expected.set(0, temp.resolve("venv/bin/python").toString());
        expected.set(1, temp.resolve("encode.py").toString());
        expected.set(7, temp.resolve("query").toString());
        expected.set(8, temp.resolveSibling("other").toString());
        assertThat(settings.command()).isEqualTo(expected);
        assertThat(said)
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"venv/bin/python\" is the path " + expected.getFirst()),
                        line -> assertThat(line).contains("\"encode.py\" is the path " + expected.get(1)),
                        line -> assertThat(line).contains("\"query\" is a text; ./query"),
                        line -> assertThat(line).contains("\"query: \" is a text"),
                        line -> assertThat(line).contains("\"ORG/NAME-v1.5\" is a text"),
                        line -> assertThat(line).contains("\"ORG/NAME.base\" is a text"),
                        line -> assertThat(line).contains("\"./query\" is the path " + expected.get(7)),
                        line -> assertThat(line).contains("\"../other\" is the path " + expected.get(8)),
                        line -> assertThat(line).contains("\"venv/bin/python\" is a text"));
        // The root of the file system is not read.
        assertThat(settings.digest(temp.resolve("home"))).isNotEmpty();
    }
}
