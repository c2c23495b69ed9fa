package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.fetch.hub.FakeHub;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.onnx.Safetensors;
import io.posbias.model.encode.onnx.Weight;
import io.posbias.model.retrieve.Attribution;
import io.posbias.model.retrieve.Attributor;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Models that sentence-transformers and model2vec saved, against numpy on the same files
 * (scripts/tests/sparse_static_golden.py).
 */
class SparseAndStaticTest {
    private static final Path KINDS = Path.of("src/test/resources/io/posbias/model/retrieve/kinds");
    private static final double EXACT = 1e-6;

    @TempDir
    Path temp;

    private final JsonNode expected = Json.mapper().readTree(KINDS.resolve("expected.json"));
    private Posbias posbias = new Posbias(Path.of(""), Map.of());
    private Path dataset = Path.of("");

    /** All queries but the empty one. */
    @BeforeEach
    void write() throws IOException {
        posbias = new Posbias(temp, Map.of());
        StringBuilder corpus = new StringBuilder();
        StringBuilder queries = new StringBuilder();
        StringBuilder qrels = new StringBuilder("query-id\tcorpus-id\tscore\n");
        for (int i = 0; i < texts("passages").size(); i++) {
            corpus.append(TinyBenchmark.row("p" + i, texts("passages").get(i), ""));
        }
        for (int i = 0; i < 3; i++) {
            queries.append(TinyBenchmark.row("q" + i, texts("queries").get(i), ", \"pos_char_span\": [0, 1]"));
            qrels.append("q" + i + "\tp" + 2 * i + "\t1\n");
        }
        dataset = TinyBenchmark.inFifths(temp.resolve("data"), "kinds", corpus, queries, qrels);
        for (String name : List.of("splade", "router", "static", "model2vec")) {
            copy(KINDS.resolve(name), temp.resolve(name));
        }
        copy(KINDS.resolve("splade/onnx"), temp.resolve("router/document_0_Transformer/onnx"));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }

    private List<String> texts(String role) {
        return expected.at("/texts/" + role)
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    private SequencedMap<String, @Nullable Object> inferred(String model) {
        String yaml = posbias.run("models info", temp.resolve(model)).ok().out();
        return Json.parseYaml(Path.of("info"), yaml.getBytes(StandardCharsets.UTF_8))
                .toMap();
    }

    private Recipe recipe(String model) {
        return RecipeBook.read(new Fields(Location.of(temp.resolve("recipe.yaml")), inferred(model)));
    }

    private Engine engine() {
        return Engine.quiet(1, Sessions.in(posbias.home()));
    }

    private List<TextEncoder.Encoded> encoded(String model, String role) {
        Model.Encoder encoder =
                (Model.Encoder) recipe(model).retriever().model().orElseThrow();
        TextEncoder.Encoded[] all = new TextEncoder.Encoded[texts(role).size()];
        try (TextEncoder texts = encoder.opener().apply(engine())) {
            texts.prepare(texts(role), role.equals("queries") ? Role.QUERY : Role.PASSAGE)
                    .run(batch -> batch.forEach(one -> all[one.text()] = one));
        }
        return Arrays.asList(all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"splade", "router", "static", "model2vec"})
    void vectorsAreThoseOfNumpy(String model) {
        for (String role : List.of("queries", "passages")) {
            List<TextEncoder.Encoded> all = encoded(model, role);
            for (int i = 0; i < all.size(); i++) {
                double[] wanted = expected.at("/" + model + "/" + role + "/" + i)
                        .valueStream()
                        .flatMap(one -> one.isArray() ? one.valueStream() : Stream.of(one))
                        .mapToDouble(JsonNode::asDouble)
                        .toArray();
                assertThat(all.get(i).vectors()).as(role + i).hasSize(wanted.length);
                for (int n = 0; n < wanted.length; n++) {
                    assertThat((double) all.get(i).vectors()[n]).as(role + i).isCloseTo(wanted[n], within(EXACT));
                }
            }
        }
    }

    private Map<String, Map<String, Double>> eval(Object model, String out, Object... more) throws IOException {
        posbias.run("eval --model", model, "--dataset", dataset, "--draws 0 --out", temp.resolve(out), more)
                .ok();
        return RunFile.read(temp.resolve(out));
    }

    private static Result result(Path out) {
        return ResultFile.read(out.resolve("result.json")).getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"splade", "router", "static", "model2vec"})
    void scoresAreThoseOfNumpyAndSumsOverTokens(String model) throws IOException {
        Map<String, Map<String, Double>> run = eval(temp.resolve(model), "out");
        List<Attributor.Contributions> parts = new ArrayList<>();
        try (Attributor open = ((Attribution.Exact) Attribution.of(recipe(model))).open(engine())) {
            texts("passages").forEach(passage -> parts.addAll(open.of(passage, texts("queries"))));
        }
        for (int q = 0; q < 3; q++) {
            for (int p = 0; p < texts("passages").size(); p++) {
                double wanted =
                        expected.at("/" + model + "/scores/" + q + "/" + p).asDouble();
                double most = EXACT * Math.max(1, Math.abs(wanted));
                Double found = run.getOrDefault("q" + q, Map.of()).get("p" + p);
                assertThat(found == null ? 0 : found).isCloseTo(wanted, within(most));
                assertThat(parts.get(p * texts("queries").size() + q).score()).isCloseTo(wanted, within(most));
            }
        }
        posbias.run(
                        "diagnose saliency --model",
                        temp.resolve(model),
                        "--dataset",
                        dataset,
                        "--min-words 11 --out",
                        temp.resolve("s"))
                .ok();
    }

    @ParameterizedTest
    @ValueSource(strings = {"router", "static", "model2vec"})
    void aNameOnTheHubIsTheSameModel(String model) throws IOException {
        try (FakeHub hub = new FakeHub();
                Stream<Path> files = Files.walk(temp.resolve(model))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                hub.storeModel(
                        "owner/" + model + "/" + temp.resolve(model).relativize(file), Files.readAllBytes(file), false);
            }
            Map<String, Map<String, Double>> folder = eval(temp.resolve(model), "folder");
            posbias = new Posbias(temp, Map.of("HF_ENDPOINT", hub.endpoint().toString()));
            posbias.run("models pull owner/" + model).ok();
            assertThat(eval("owner/" + model, "hub")).isEqualTo(folder);
        }
    }

    /** Passages of one window have the scores of a search; those of candidates equal these. */
    @ParameterizedTest
    @ValueSource(strings = {"splade", "router"})
    void strategiesFit(String model) throws IOException {
        Map<String, Map<String, Double>> whole = eval(temp.resolve(model), "whole");
        Map<String, Map<String, Double>> chunked = eval(temp.resolve(model) + "+chunked:window=14", "chunked");
        for (String query : whole.keySet()) {
            Map<String, Double> others = new TreeMap<>(whole.getOrDefault(query, Map.of()));
            Map<String, Double> found = new TreeMap<>(chunked.getOrDefault(query, Map.of()));
            assertThat(found.remove("p4")).isGreaterThan(0);
            others.remove("p4");
            assertThat(found).isEqualTo(others);
        }
        // Sentences of one passage are the same in any order: it has one.
        assertThat(eval(temp.resolve(model) + "+mirrored", "mirrored").get("q1"))
                .isNotEmpty();
        assertThat(eval(temp.resolve(model) + "+fused:with=bm25", "fused")).hasSize(3);
        Cli.Ended unfit = posbias.run("eval --model", temp.resolve(model) + "+quantised", "--dataset", dataset);
        assertThat(unfit.code()).isEqualTo(2);
        assertThat(unfit.err()).contains("one vector");
    }

    @Test
    void aStaticModelTakesTheStrategiesOfVectors() throws IOException {
        for (String strategy : List.of("quantised", "chunked:window=4", "mirrored")) {
            assertThat(eval(temp.resolve("static") + "+" + strategy, strategy.substring(0, 5)))
                    .hasSize(3);
        }
    }

    /** model2vec reads 8 tokens, of the first 8 x 4 characters: half of the vocabulary's tokens have 4 or fewer. */
    @Test
    void truncationIsThatOfEachLibrary() throws IOException {
        assertThat(encoded("static", "passages").stream().map(TextEncoder.Encoded::seen))
                .containsExactly("The red fox jumps over".length(), "A green tree, a blue".length(), -1, -1, 19);
        assertThat(encoded("model2vec", "passages").stream().map(TextEncoder.Encoded::seen))
                .containsExactly(32, -1, -1, -1, "the cat sleeps in a house of".length());
        assertThat(inferred("model2vec")).containsEntry("max-tokens", 8).containsEntry("library", "model2vec");
        Path config = temp.resolve("model2vec/config.json");
        String limited = Files.readString(config);
        Files.writeString(config, limited.replace("\"max_length\": 8", "\"max_length\": null"));
        assertThat(inferred("model2vec")).containsEntry("max-tokens", 0);
        assertThat(encoded("model2vec", "passages")).allMatch(one -> one.seen() == TextEncoder.WHOLE);
        Files.delete(temp.resolve("model2vec/modules.json"));
        Files.writeString(
                config, limited.replace("\"max_length\": 8", "\"model_type\": \"model2vec\", \"hidden_dim\": 4"));
        assertThat(inferred("model2vec")).containsEntry("max-tokens", 512).containsEntry("dimension", 4);
        String dry = posbias.run("eval --dry-run --model", temp.resolve("splade"), "--dataset", dataset)
                .ok()
                .out();
        assertThat(dry).contains("splade");
        eval(temp.resolve("splade"), "cut");
        assertThat(result(temp.resolve("cut"))
                        .retrieval()
                        .truncations()
                        .getFirst()
                        .cut())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"splade", "router", "static", "model2vec"})
    void checksPassAndVectorsAreKept(String model) throws IOException {
        assertThat(posbias.run("models check", temp.resolve(model)).ok().out()).startsWith(model + ": ok\n");
        eval(temp.resolve(model), "first");
        eval(temp.resolve(model), "second", "--threads 2");
        assertThat(result(temp.resolve("second")).retrieval().usage())
                .containsEntry("texts_encoded", 0.0)
                .containsEntry("texts_from_cache", 8.0);
        assertThat(Files.readAllBytes(temp.resolve("second/run.trec.gz")))
                .isEqualTo(Files.readAllBytes(temp.resolve("first/run.trec.gz")));
    }

    @Test
    void weightsOfQueriesMayBeAFileOfWords() throws IOException {
        Path folder = temp.resolve("splade");
        Files.writeString(folder.resolve("idf.json"), "{\"fox\": 2.5, \"red\": 0.5, \"dog\": 1}");
        Path recipe = Files.writeString(folder.resolve("mine.yaml"), """
                name: mine
                kind: sparse
                family: sparse
                source: {folder: .}
                onnx: {float32: onnx/model.onnx}
                max-tokens: 16
                query-weights: idf.json
                """);
        Map<String, Double> found = eval(recipe, "mine").getOrDefault("q0", Map.of());
        for (int p = 0; p < 5; p++) {
            double wanted = 0;
            for (JsonNode pair : expected.at("/splade/passages/" + p)) {
                int id = pair.get(0).asInt();
                wanted += (id == 12 ? 2.5 : id == 9 ? 0.5 : 0) * pair.get(1).asDouble();
            }
            assertThat(found.getOrDefault("p" + p, 0.0)).isCloseTo(wanted, within(EXACT * Math.max(1, wanted)));
        }
        Files.writeString(folder.resolve("idf.json"), "{\"unheard\": 2.5}");
        posbias.run("models check", recipe).fails(1, "unheard");
    }

    @Test
    void whatIsMissingOrContradictsIsSaid() throws IOException {
        Files.delete(temp.resolve("router/document_0_Transformer/onnx/model.onnx"));
        posbias.run("models info", temp.resolve("router"))
                .fails(1, "document_0_Transformer/onnx/model.onnx", "fill-mask");
        Files.copy(temp.resolve("model2vec/model.safetensors"), temp.resolve("static/other.safetensors"));
        Path recipe = Files.writeString(
                temp.resolve("static/mine.yaml"),
                "name: mine\nkind: static\nfamily: dense\nsource: {folder: .}\ntable: other.safetensors\ndimension: 5\n");
        posbias.run("models check", recipe).fails(1, "dimension 5", "4");
        Weight two = new Weight(new float[8], List.of(2, 4));
        try (OutputStream out = Files.newOutputStream(temp.resolve("static/model.safetensors"))) {
            Safetensors.write(new TreeMap<>(Map.of("embeddings", two)), out);
        }
        Cli.Ended small = posbias.run("models check", temp.resolve("static"));
        assertThat(small.code()).isEqualTo(1);
        assertThat(small.err()).contains("vectors of 2");
        Files.delete(temp.resolve("static/tokenizer.json"));
        posbias.run("models info", temp.resolve("static")).fails(1, "tokenizer.json");
        Files.writeString(
                temp.resolve("splade/config_sentence_transformers.json"),
                Files.readString(temp.resolve("splade/config_sentence_transformers.json"))
                        .replace("\"similarity_fn_name\": null", "\"similarity_fn_name\": \"euclidean\""));
        posbias.run("models info", temp.resolve("splade")).fails(1, "similarity_fn_name", "dot");
    }
}
