package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.fetch.hub.FakeHub;
import io.posbias.model.encode.ModelLayout;
import io.posbias.model.encode.StandInRerankers;
import io.posbias.model.encode.check.StandIn;
import io.posbias.model.encode.model.KnownModel;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Models without a recipe: names on the Hub, and folders. */
@Timeout(120)
class InferredModelTest {
    private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

    @TempDir
    Path temp;

    private final FakeHub hub = new FakeHub();
    private Path dataset = Path.of("");
    private Posbias posbias = new Posbias(Path.of(""), Map.of());

    @BeforeEach
    void start() {
        dataset = TwoWordBenchmark.write(temp.resolve("data"));
        posbias = new Posbias(temp, Map.of("HF_ENDPOINT", hub.endpoint().toString()));
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private static byte[] tokenizer() {
        List<String> words = new ArrayList<>(TwoWordBenchmark.words());
        words.addAll(List.of("[q] ", "[d] "));
        return WordTokenizer.of(words).toJson();
    }

    private static ModelLayout crossEncoder() {
        int vocabulary = WordTokenizer.of(TwoWordBenchmark.words()).size() + 2;
        return ModelLayout.crossEncoder()
                .with("onnx/model.onnx", StandInRerankers.overlap(vocabulary, 1))
                .with("tokenizer.json", tokenizer());
    }

    private static ModelLayout colbert() {
        List<String> words = new ArrayList<>(TwoWordBenchmark.words());
        words.addAll(List.of("[q] ", "[d] "));
        return ModelLayout.colbert(StandInRerankers.WIDTH)
                .with("onnx/model.onnx", StandInRerankers.tokens(words, TwoWordBenchmark.SYNONYMS))
                .with("tokenizer.json", tokenizer());
    }

    private static ModelLayout net() {
        return ModelLayout.bge()
                .with("1_Pooling/config.json", ModelLayout.pooling("mean_tokens", 8))
                .with("config.json", "384", "8")
                .with("onnx/model.onnx", StandIn.SOUND.graph())
                .with("onnx/model_fp16.onnx", StandIn.SOUND.graph())
                .with("tokenizer.json", StandIn.tokenizer());
    }

    private Result eval(String model, String out, Object... more) throws IOException {
        posbias.run("eval --model", model, "--dataset", dataset, "--draws 0 --out", temp.resolve(out), more)
                .ok();
        return ResultFile.read(temp.resolve(out).resolve("result.json")).getFirst();
    }

    private static double mean(Result result) {
        return Objects.requireNonNull(result.profiles().getFirst().queryMean());
    }

    private static SequencedMap<String, @Nullable Object> recipe(Cli.Ended info) {
        return Json.parseYaml(Path.of("info"), info.ok().out().getBytes(StandardCharsets.UTF_8))
                .toMap();
    }

    @Test
    void miniLmScoresAsItsRecipeToTheBit() throws IOException {
        ModelLayout.miniLm().store(hub, "sentence-transformers/all-MiniLM-L6-v2");
        Result shipped = eval("sentence-transformers/all-MiniLM-L6-v2", "shipped");
        assertThat(shipped.model()).isEqualTo("all-minilm-l6-v2");
        assertThat(hub.seen()).isEmpty();
        Result inferred = eval("hf:sentence-transformers/all-MiniLM-L6-v2", "inferred");
        assertThat(inferred.model()).isEqualTo("all-MiniLM-L6-v2");
        assertThat(inferred.recipe())
                .containsEntry("max-tokens", 256)
                .containsEntry("pooling", "mean")
                .containsEntry(
                        "source",
                        Map.of(
                                "hub", "sentence-transformers/all-MiniLM-L6-v2",
                                "revision", COMMIT,
                                "files-of", "sentence-transformers--all-MiniLM-L6-v2"));
        assertThat(inferred.profiles()).usingRecursiveComparison().isEqualTo(shipped.profiles());
        assertThat(RunFile.read(temp.resolve("inferred"))).isEqualTo(RunFile.read(temp.resolve("shipped")));
        assertThat(Stream.of("queries.csv", "buckets.csv"))
                .allSatisfy(file -> assertThat(Files.readString(temp.resolve("inferred/" + file))
                                .replace("all-MiniLM-L6-v2", "all-minilm-l6-v2"))
                        .isEqualTo(Files.readString(temp.resolve("shipped/" + file))));
    }

    @Test
    void whatWasFetchedIsNotAskedForAgain() {
        net().store(hub, "owner/net");
        Cli.Ended info = posbias.run("models info owner/net");
        assertThat(recipe(info)).containsEntry("name", "net").containsEntry("pooling", "mean");
        assertThat(info.err()).contains("modules.json: ", "1_Pooling/config.json: pooling mean\n");
        assertThat(hub.seen()).noneMatch(request -> request.path().endsWith(".onnx"));
        assertThat(posbias.run("models check owner/net").ok().out()).startsWith("net: ok\n");
        int asked = hub.seen().size();
        assertThat(recipe(posbias.run("models info hf:owner/net"))).isEqualTo(recipe(info));
        Path folder = posbias.home().resolve("models/owner--net");
        assertThat(posbias.run("models pull owner/net").ok().out()).isEqualTo("owner--net: " + folder + "\n");
        assertThat(hub.seen()).hasSize(asked);
        assertThat(posbias.run("models pull owner/net --again").ok().out()).contains(folder.toString());
        assertThat(hub.seen()).hasSizeGreaterThan(asked);
    }

    /** Prompts that no file names are those of MTEB's registry; files that name others win. */
    @Test
    void theRegistryNamesPrompts() {
        net().store(hub, "intfloat/e5-base-v2");
        Cli.Ended info = posbias.run("models info hf:intfloat/e5-base-v2");
        assertThat(recipe(info)).containsEntry("query-prompt", "query: ").containsEntry("document-prompt", "passage: ");
        assertThat(info.err()).contains("MTEB's registry: query-prompt \"query: \", document-prompt \"passage: \"");
        net().with(
                        "config_sentence_transformers.json",
                        "{\"prompts\": {\"query\": \"q: \"}, \"similarity_fn_name\": \"cosine\"}")
                .store(hub, "BAAI/bge-base-en");
        Cli.Ended other = posbias.run("models info hf:BAAI/bge-base-en");
        assertThat(recipe(other)).containsEntry("query-prompt", "q: ").containsKey("unknown");
    }

    @Test
    void aTemplateAsksForTheInstruction() throws IOException {
        KnownModel known = KnownModel.all().stream()
                .filter(model -> model.asksForInstruction()
                        && model.instructionTemplate().startsWith("Instruct: ")
                        && RecipeBook.builtIn().stream()
                                .map(RecipeBook::find)
                                .noneMatch(recipe -> RecipeBook.isOf(recipe, model.name())))
                .findFirst()
                .orElseThrow();
        net().store(hub, known.name());
        // Words that its tokenizer knows.
        dataset = TinyBenchmark.ofWords(temp.resolve("words"), List.of("river", "museum", "bridge", "yeast"));
        Cli.Ended none = posbias.run("eval --model", known.name(), "--dataset", dataset, "--out", temp.resolve("none"));
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("--instruction");
        Result result = eval(known.name(), "given", "--instruction", "Find two words");
        assertThat(result.recipe())
                .containsEntry("query-prompt", known.instructionTemplate().replace("{instruction}", "Find two words"));
        posbias.run("eval --model bm25 --dataset demo --instruction x --out", temp.resolve("bm25"))
                .fails(2, "--instruction", "bm25");
    }

    /** The cache of the Hub's library, complete: with refs and without, with links and as files that name their blobs. */
    @ParameterizedTest
    @ValueSource(strings = {"refs, links", "links", "refs", ""})
    void aCopyOfTheHubsCacheRunsOffline(String parts) throws IOException {
        Path repository = temp.resolve("hf/hub/models--owner--net");
        for (Map.Entry<String, byte[]> file : net().files().entrySet()) {
            String name = Checksums.sha256(file.getValue());
            Path blob = Files.createDirectories(repository.resolve("blobs")).resolve(name);
            Files.write(blob, file.getValue());
            Path link = repository.resolve("snapshots/" + COMMIT).resolve(file.getKey());
            Files.createDirectories(Objects.requireNonNull(link.getParent()));
            Path target = Objects.requireNonNull(link.getParent()).relativize(blob);
            if (parts.contains("links")) {
                Files.createSymbolicLink(link, target);
            } else {
                Files.writeString(link, target.toString());
            }
        }
        if (parts.contains("refs")) {
            Files.createDirectories(repository.resolve("refs"));
            Files.writeString(repository.resolve("refs/main"), COMMIT);
        }
        Posbias offline = new Posbias(temp, Map.of("HF_HUB_OFFLINE", "1"));
        for (String model : List.of("owner/net", "hf:owner/net@" + COMMIT)) {
            offline.run("models check", model).ok();
        }
        assertThat(hub.seen()).isEmpty();
        Cli.Ended other = offline.run("models info owner/other");
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err()).contains("owner/other", "HF_HUB_OFFLINE");
        Cli.Ended tag = offline.run("models info hf:owner/net@v2");
        assertThat(tag.code()).isEqualTo(1);
        assertThat(tag.err()).contains("owner/net", "HF_HUB_OFFLINE");
    }

    @Test
    void anotherRevisionIsAnotherModel() {
        net().store(hub, "owner/net");
        Cli.Ended tagged = posbias.run("models info hf:owner/net@v1.0");
        assertThat(recipe(tagged)).containsEntry("name", "net-v1.0");
        assertThat(tagged.out()).contains("models/owner--net-v1.0,", "'posbias models pull owner/net@v1.0'");
        assertThat(recipe(posbias.run("models info owner/net@" + COMMIT))).containsEntry("name", "net-01234567");
    }

    @Test
    void precisionPicksTheGraph() {
        net().store(hub, "owner/net");
        posbias.run("models check owner/net --precision float16").ok();
        Path folder = posbias.home().resolve("models/owner--net/onnx");
        assertThat(folder.resolve("model_fp16.onnx")).exists();
        assertThat(folder.resolve("model.onnx")).doesNotExist();
        Cli.Ended none = posbias.run("models check owner/net --precision int8");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("onnx", "int8", "float32, float16");
    }

    @Test
    void aFolderOfTheSameLayoutHasTheSameRecipe() throws IOException {
        net().store(hub, "owner/net");
        SequencedMap<String, @Nullable Object> published = recipe(posbias.run("models info owner/net"));
        Path folder = net().write(temp.resolve("net"));
        SequencedMap<String, @Nullable Object> local = recipe(posbias.run("models info", folder));
        assertThat(local).containsEntry("source", Map.of("folder", folder.toString()));
        published.keySet().removeAll(List.of("source", "description"));
        local.keySet().removeAll(List.of("source", "description"));
        assertThat(local).isEqualTo(published);
        assertThat(posbias.run("models check", folder).ok().out()).startsWith("net: ok\n");
        posbias.run("models info", Files.createDirectory(temp.resolve("empty"))).fails(2, "empty", "folder");
    }

    @Test
    void crossEncoderAndColbertAreEvaluated() throws IOException {
        crossEncoder().store(hub, "owner/cross");
        colbert().store(hub, "owner/colbert");
        Result cross = eval("owner/cross", "cross", "--first-stage owner/colbert");
        assertThat(mean(cross)).isEqualTo(11.5 / 12);
        JsonNode first = Json.mapper().valueToTree(cross.recipe().get("first-stage"));
        assertThat(first.path("kind").asString()).isEqualTo("late-interaction");
        assertThat(first.path("source").path("revision").asString()).isEqualTo(COMMIT);
        Result colbert = eval("owner/colbert", "colbert");
        assertThat(mean(colbert)).isEqualTo(1);
        Result reversed = eval("owner/colbert+mirrored", "mirrored");
        assertThat(reversed.model()).isEqualTo("colbert+mirrored");
    }

    @Test
    void anExperimentAndADiagnosisTakeSuchNames() throws IOException {
        colbert().store(hub, "owner/colbert");
        crossEncoder().store(hub, "owner/cross");
        Path experiment = Files.writeString(
                temp.resolve("mine.yaml"),
                "name: mine\ndatasets: [" + dataset + "]\nmodels: [owner/cross]\nfirst-stage: owner/colbert\n");
        posbias.run("run", experiment, "--results", temp.resolve("run"), "--dry-run")
                .ok();
        Cli.Ended cuts = posbias.run("data cuts --model owner/colbert --dataset", dataset);
        assertThat(cuts.ok().out()).contains("colbert");
        Cli.Ended moved = posbias.run("diagnose moving --n 2 --model owner/colbert --dataset demo");
        assertThat(moved.ok().out()).contains("colbert");
    }

    @Test
    void aMissingRepositoryNamesTheHubsAnswer() {
        Cli.Ended ended = posbias.run("models info no/such");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).contains("posbias: no/such ");
        Posbias offline = new Posbias(temp.resolve("other"), Map.of("HF_HUB_OFFLINE", "1"));
        assertThat(offline.run("models info owner/net").err()).contains("owner/net", "HF_HUB_OFFLINE");
        net().with("config.json", new byte[17_000_000]).store(hub, "owner/large");
        Cli.Ended large = posbias.run("models info owner/large");
        assertThat(large.code()).isEqualTo(1);
        assertThat(large.err()).contains("owner/large/config.json", "17000000 bytes");
        net().with("1_Pooling/config.json", "{}").store(hub, "owner/broken");
        Cli.Ended broken = posbias.run("models info owner/broken");
        assertThat(broken.code()).isEqualTo(1);
        assertThat(broken.err()).contains("owner--broken-config/1_Pooling/config.json", "pooling_mode");
    }

    @Test
    void aFileThatIsNoGraphIsOneLine() throws IOException {
        Path file = Files.writeString(temp.resolve("no.onnx"), "x\n");
        posbias.run("models info", file).fails(1, file.toString(), "not an ONNX graph");
    }

    /** Graph and tokenizer alone: the fields that they do not say are left to decide, and nothing asks the Hub. */
    @Test
    void aGraphWithoutARecipeGetsADraft() throws IOException {
        Path folder = Files.createDirectories(temp.resolve("mine"));
        Path graph = Files.write(folder.resolve("net.onnx"), StandIn.SOUND.graph());
        Files.write(folder.resolve("tokenizer.json"), StandIn.tokenizer());
        Files.writeString(folder.resolve("tokenizer_config.json"), "{\"model_max_length\": 64}");
        String text = posbias.run("models info", graph).ok().out();
        SequencedMap<String, @Nullable Object> draft = Json.parseYaml(
                        Path.of("info"), text.getBytes(StandardCharsets.UTF_8))
                .toMap();
        assertThat(draft)
                .containsEntry("kind", "dense")
                .containsEntry("source", Map.of("folder", folder.toString()))
                .containsEntry("onnx", Map.of("float32", "net.onnx"))
                .containsEntry("max-tokens", 64)
                .containsEntry("dimension", 8)
                .containsEntry("pooling", "DECIDE")
                .containsEntry("query-prompt", "DECIDE");
        for (Object model : List.of(graph, folder)) {
            posbias.run("eval --model", model, "--dataset", dataset, "--out", temp.resolve("none"))
                    .fails(2, "models info " + model + " > net.yaml", "pooling, query-prompt");
        }
        Path recipe = Files.writeString(temp.resolve("net.yaml"), text);
        posbias.run("models check", recipe).fails(1, "net.yaml", "pooling");
        Files.writeString(recipe, text.replaceFirst("pooling: DECIDE", "pooling: mean"));
        posbias.run("models check", recipe).fails(1, "net.yaml", "query-prompt");
        Files.writeString(
                recipe,
                text.replaceFirst("pooling: DECIDE", "pooling: mean")
                        .replaceFirst("query-prompt: DECIDE", "query-prompt: ''"));
        assertThat(posbias.run("models check", recipe).ok().out()).startsWith("net: ok");
        posbias.run("models info", temp.resolve("a/b.onnx")).fails(2, "b.onnx", "not found");
        posbias.run("models info org/model.onnx").fails(2, "org/model.onnx", "not found");
        assertThat(hub.seen()).isEmpty();
    }

    @Test
    void aFolderWithoutItsPoolingGetsADraft() throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>(net().files());
        files.remove("1_Pooling/config.json");
        Path folder = temp.resolve("saved");
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        posbias.run("eval --model", folder, "--dataset", dataset, "--out", temp.resolve("none"))
                .fails(2, "models info", "saved.yaml", "pooling");
        assertThat(posbias.run("models info", folder).ok().out())
                .contains("onnx/model.onnx", "max-tokens: 512", "pooling: DECIDE");
        assertThat(hub.seen()).isEmpty();
    }
}
