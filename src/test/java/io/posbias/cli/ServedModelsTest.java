package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Json;
import io.posbias.base.net.StandInServer;
import io.posbias.model.encode.api.FakeApi;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models by the address of their server. */
@Timeout(60)
class ServedModelsTest {
    private static final List<String> WORDS = TwoWordBenchmark.words();

    @TempDir
    Path temp;

    private static List<String> known(String text) {
        return Arrays.stream(text.split(" ", -1))
                .map(word -> TwoWordBenchmark.SYNONYMS.getOrDefault(word, word))
                .filter(word -> !word.startsWith("f"))
                .toList();
    }

    private static String vector(String text) {
        return WORDS.stream()
                .map(word -> known(text).contains(word) ? "1.0" : "0.0")
                .toList()
                .toString();
    }

    /** Speaks like OpenAI, Ollama and text-embeddings-inference, by the path of the request. */
    private static String answer(StandInServer.Seen request) {
        List<String> input = request.texts("input");
        return switch (request.path()) {
            case "/v1/embeddings" ->
                IntStream.range(0, input.size())
                        .mapToObj(i -> "{\"index\": " + i + ", \"embedding\": " + vector(input.get(i)) + "}")
                        .collect(Collectors.joining(", ", "{\"data\": [", "]}"));
            case "/api/embed" ->
                input.stream()
                        .map(ServedModelsTest::vector)
                        .collect(Collectors.joining(", ", "{\"embeddings\": [", "]}"));
            case "/embed" ->
                request.texts("inputs").stream()
                        .map(ServedModelsTest::vector)
                        .collect(Collectors.joining(", ", "[", "]"));
            default -> throw new IllegalStateException(request.path());
        };
    }

    private static SequencedMap<String, @Nullable Object> recipe(Cli.Ended info) {
        return Json.parseYaml(Path.of("info"), info.ok().out().getBytes(StandardCharsets.UTF_8))
                .toMap();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"HTTP/v1#m-1", "HTTP/v1/embeddings#m-1", "ollama:m-1:latest", "tei:HTTP", "tei:HTTP/#org/m-1"})
    void aWordIsAWholeRecipe(String word) throws IOException {
        try (FakeApi server = new FakeApi(ServedModelsTest::answer)) {
            Posbias posbias = new Posbias(temp, Map.of("OLLAMA_HOST", server.host()));
            String model = word.replace("HTTP", server.address());
            SequencedMap<String, @Nullable Object> recipe = recipe(posbias.run("models info", model));
            assertThat(recipe).containsEntry("dimension", WORDS.size()).containsKey("unknown");
            Path data = TwoWordBenchmark.write(temp.resolve("data"));
            posbias.run("eval --model", model, "--dataset", data, "--draws 0 --out", temp.resolve("out"))
                    .ok();
            Result result = ResultFile.read(temp.resolve("out/result.json")).getFirst();
            assertThat(result.profiles().getFirst().queryMean()).isEqualTo(1);
            assertThat(result.recipe()).containsEntry("endpoint", recipe.get("endpoint"));
            assertThat(String.valueOf(recipe.get("name"))).matches("[\\p{Alnum}._-]+");
        }
    }

    @Test
    void aServerOfARerankerReranks() throws IOException {
        StandInServer.Answer refuses = FakeApi.status(424, "{\"error\": \"Model is not an embedding model\"}");
        try (FakeApi server = new FakeApi(request -> {
            List<String> query = known(String.valueOf(request.body().get("query")));
            List<String> texts = request.texts("texts");
            return IntStream.range(0, texts.size())
                    .mapToObj(i -> "{\"index\": " + i + ", \"score\": "
                            + known(texts.get(i)).stream()
                                    .filter(query::contains)
                                    .count() + ".5}")
                    .collect(Collectors.joining(", ", "[", "]"));
        })) {
            server.order(refuses);
            Path data = TwoWordBenchmark.write(temp.resolve("data"));
            new Posbias(temp, Map.of())
                    .run(
                            "eval --model tei:" + server.address(),
                            "--dataset",
                            data,
                            "--draws 0 --out",
                            temp.resolve("out"))
                    .ok();
            Result result = ResultFile.read(temp.resolve("out/result.json")).getFirst();
            assertThat(result.recipe()).containsEntry("kind", "rerank-api").containsEntry("first-stage", "bm25");
            server.order(refuses);
            new Posbias(temp, Map.of())
                    .run("eval --model tei:" + server.address(), "--dataset demo --instruction x")
                    .fails(2, "--instruction has no meaning");
        }
    }

    /** Prompts of a known name come from MTEB's registry. */
    @Test
    void aKnownNameHasItsPrompts() {
        try (FakeApi server = new FakeApi(ServedModelsTest::answer)) {
            Cli.Ended info =
                    new Posbias(temp, Map.of()).run("models info", server.address() + "/v1#intfloat/e5-base-v2");
            assertThat(recipe(info))
                    .containsEntry("query-prompt", "query: ")
                    .containsEntry("document-prompt", "passage: ")
                    .containsEntry("model", "intfloat/e5-base-v2");
            assertThat(info.err()).contains("MTEB's registry");
        }
    }

    /** An instruction goes into a known template, and nowhere else. */
    @Test
    void anInstructionIsTakenOrRefused() {
        try (FakeApi server = new FakeApi(ServedModelsTest::answer)) {
            Posbias posbias = new Posbias(temp, Map.of());
            String known = server.address() + "/v1#intfloat/e5-mistral-7b-instruct";
            posbias.run("eval --dataset demo --model", known).fails(2, "--instruction");
            posbias.run("eval --dataset demo --instruction x --model", server.address() + "/v1#m-1")
                    .fails(2, "--instruction", "m-1", "query-prompt");
        }
    }

    @Test
    void noServerIsSaidAtOnce() {
        long start = System.nanoTime();
        new Posbias(temp, Map.of())
                .run("eval --model http://" + StandInServer.closedHost() + "/v1#m --dataset demo")
                .fails(1, "nothing listens there");
        // This machine by another name.
        new Posbias(temp, Map.of())
                .run("eval --model http://" + StandInServer.closedHost().replaceFirst("[^:]*", "0.0.0.0")
                        + "/v1#m --dataset demo")
                .fails(1, "nothing listens there");
        assertThat((System.nanoTime() - start) / 1e9).isLessThan(20);
        new Posbias(temp, Map.of())
                .run("eval --model http://localhost:1/v1 --dataset demo")
                .fails(2, "#MODEL");
    }
}
