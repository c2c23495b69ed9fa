package io.posbias.model.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.files.Checksums;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.fetch.jars.MavenJar;
import io.posbias.model.encode.onnx.ModelFiles;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RecipeTest {
    @TempDir
    Path temp;

    private String write(String yaml) throws IOException {
        return Files.writeString(temp.resolve("r.yaml"), yaml).toString();
    }

    static List<String> builtIn() {
        return RecipeBook.builtIn();
    }

    @ParameterizedTest
    @MethodSource("builtIn")
    void everyBuiltInRecipeMakesARetriever(String name) {
        Recipe recipe = RecipeBook.find(name);
        assertThat(recipe.name()).isEqualTo(name);
        assertThat(recipe.card().description()).isNotEmpty();
        assertThat(recipe.card().citation()).isNotEmpty();
        assertThat(recipe.retriever()).isNotNull();
    }

    /** A recipe that shares the files of another finds exactly these in the other's folder. */
    @ParameterizedTest
    @MethodSource("builtIn")
    void whoSharesFilesNeedsTheSameOnes(String name) {
        Recipe recipe = RecipeBook.find(name);
        String other = recipe.settings().record("source").text("files-of", "");
        if (name.endsWith("-posir")) {
            assertThat(other).isEqualTo(name.substring(0, name.length() - "-posir".length()));
        }
        if (!other.isEmpty()) {
            ModelFiles own = recipe.files().getFirst();
            ModelFiles others = RecipeBook.find(other).files().getFirst();
            assertThat(own.folder(Path.of("home"))).isEqualTo(others.folder(Path.of("home")));
            assertThat(own.all()).isEqualTo(others.all());
            assertThat(own.source().name()).isEqualTo(others.source().name());
            assertThat(own.source().revision()).isEqualTo(others.source().revision());
        }
    }

    @Test
    void aStoredRunIsItsContentWhateverItsFile() throws IOException {
        Files.writeString(temp.resolve("a.trec"), "q1 Q0 p1 1 1 x\n");
        Files.copy(temp.resolve("a.trec"), temp.resolve("b.trec"));
        Files.writeString(temp.resolve("c.trec"), "q1 Q0 p2 1 1 x\n");
        Recipe stored = RecipeBook.find(write("run: a.trec\n"));
        assertThat(stored.name()).isEqualTo("a");
        assertThat(RecipeBook.fingerprint(RecipeBook.find(write("run: b.trec\n"))))
                .isEqualTo(RecipeBook.fingerprint(stored));
        assertThat(RecipeBook.fingerprint(RecipeBook.find(write("run: c.trec\n"))))
                .isNotEqualTo(RecipeBook.fingerprint(stored));
        assertThat(RecipeBook.fingerprint(RecipeBook.find(write("run: a.trec\nby-rank: true\n"))))
                .isNotEqualTo(RecipeBook.fingerprint(stored));
    }

    @Test
    void theFingerprintIsOfTheSettings() throws IOException {
        String one = RecipeBook.fingerprint(RecipeBook.find(write("name: x\nkind: bm25\nk1: 1.0\nb: 0.5\n")));
        String reordered = RecipeBook.fingerprint(
                RecipeBook.find(write("b: 0.5\nkind: bm25\nname: x\nk1: 1.0\ndescription: other words\n")));
        String other = RecipeBook.fingerprint(RecipeBook.find(write("name: x\nkind: bm25\nk1: 1.1\nb: 0.5\n")));
        assertThat(reordered).isEqualTo(one);
        assertThat(other).isNotEqualTo(one);
    }

    @Test
    void unknownNamesAndFilesAreUsageErrors() {
        assertThatThrownBy(() -> RecipeBook.find("bm52"))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("\"bm52\"", "did you mean bm25?", "'posbias models list'")
                .hasMessageEndingWith("; or give the path of a .yaml file");
        assertThatThrownBy(() -> RecipeBook.find("none.yaml"))
                .isInstanceOf(UsageException.class)
                .hasMessage("no model none.yaml: file not found");
    }

    @ParameterizedTest
    @CsvSource({
        "BM25, bm25",
        "sentence-transformers/all-MiniLM-L6-v2, all-minilm-l6-v2",
        "BAAI/bge-m3, bge-m3",
        "baai/BGE-M3, bge-m3",
        "cross-encoder/ms-marco-MiniLM-L6-v2, ms-marco-minilm-l6-v2",
        "facebook/contriever, contriever",
    })
    void namesMayBeInCapitalsOrTheHubs(String given, String name) {
        assertThat(RecipeBook.find(given).name()).isEqualTo(name);
    }

    /** A model of the Hub that somebody else trained further is not the one of the same name. */
    @Test
    void anotherOwnersModelIsNotFound() {
        assertThatThrownBy(() -> RecipeBook.find("me/bge-m3"))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("no recipe for me/bge-m3: ");
    }

    /** Results of a model depend on its files: what the class path has must be what would be fetched. */
    @Test
    @Tag("slow")
    void jarsOnTheClassPathAreThoseThatRecipesName() throws IOException {
        int compared = 0;
        for (String name : RecipeBook.builtIn()) {
            for (ModelFiles files : RecipeBook.find(name).files()) {
                URL graph = ModelFiles.class.getResource("/" + files.graph());
                if (files.source().jar().isPresent() && graph != null) {
                    MavenJar jar = files.source().jar().get();
                    String path = ((JarURLConnection) graph.openConnection())
                            .getJarFileURL()
                            .getPath();
                    assertThat(Checksums.sha256(Path.of(path))).as(name).isEqualTo(jar.sha256());
                    assertThat(Path.of(path)).as(name).hasSize(jar.bytes()).hasFileName(jar.fileName());
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(5);
    }

    @Test
    void ymlIsReadAsYaml() throws IOException {
        Path file = Files.writeString(temp.resolve("r.yml"), "name: x\nkind: bm25\nk1: 1\nb: 0\n");
        assertThat(RecipeBook.find(file.toString()).name()).isEqualTo("x");
    }

    @Test
    void unknownKindsAreNamed() throws IOException {
        assertThatThrownBy(() -> RecipeBook.find(write("name: x\nkind: bm52\n")))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll(temp.resolve("r.yaml") + ":", "kind \"bm52\"", "did you mean bm25?");
    }

    @Test
    void namesBecomePathsAndRunTagsSoTheyAreChecked() {
        assertThatThrownBy(() -> RecipeBook.find(write("name: ../evil\nkind: bm25\nk1: 1\nb: 0\n")))
                .hasMessageContaining("\"name\" is \"../evil\"");
        assertThatThrownBy(() -> RecipeBook.find(write("name: two words\nkind: bm25\nk1: 1\nb: 0\n")))
                .hasMessageContaining("field \"name\" is \"two words\"");
    }
}
