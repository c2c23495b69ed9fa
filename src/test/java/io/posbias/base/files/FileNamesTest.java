package io.posbias.base.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.plot.Figure;
import io.posbias.base.plot.Pictures;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.base.table.Columns;
import io.posbias.fetch.hub.HubFile;
import io.posbias.fetch.hub.HubRepository;
import io.posbias.fetch.hub.HubSettings;
import io.posbias.fetch.hub.RepositoryType;
import io.posbias.report.Results;
import io.posbias.report.leaderboard.MtebFiles;
import io.posbias.score.result.ModelFolders;
import io.posbias.score.result.ResultFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FileNamesTest {
    @TempDir
    Path temp;

    static Stream<String> hostile() {
        return Stream.of(
                "",
                ".",
                "..",
                "/",
                "//x",
                "/etc/passwd",
                "../x",
                "a/../../x",
                "/../../x",
                "a/",
                "a//b",
                "./a",
                "a/.",
                "a\\..\\b",
                "nul\u0000",
                "half\ud800");
    }

    @Test
    void namesLeadDown() {
        assertThat(FileNames.inside(temp, "posir/eng-Latn/.x..y")).isEqualTo(temp.resolve("posir/eng-Latn/.x..y"));
        assertThat(FileNames.directlyIn(temp, "ﬁle 東京+1")).isEqualTo(temp.resolve("ﬁle 東京+1"));
        assertThatThrownBy(() -> FileNames.directlyIn(temp, "a/b"))
                .hasMessageContainingAll("\"a/b\"", temp.toString(), "one file or folder");
        assertThatThrownBy(() -> FileNames.inside(temp, "../x"))
                .hasMessageContainingAll("\"../x\"", temp.toString(), "out of the folder");
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void noWriterLeavesItsFolder(String name) throws IOException {
        Path root = Files.createDirectories(temp.resolve("a/b"));
        HubSettings settings = HubSettings.of(Sessions.in(temp));
        HubRepository repository = new HubRepository(RepositoryType.MODEL, "o/n", "main");
        List<Runnable> writers = List.of(
                () -> FileNames.inside(root, name),
                () -> ResultFolder.of(root, "demo", name),
                () -> ResultFolder.of(root, name, "bm25"),
                () -> new ModelFolders(root, false)
                        .write(
                                name,
                                List::of,
                                () -> new Columns<String>().table("", List.of(), List.of()),
                                Sessions.in(root)),
                () -> settings.dataset(name),
                () -> settings.model(name),
                () -> new HubFile(repository, name));
        for (Runnable writer : writers) {
            assertThatThrownBy(writer::run)
                    .isInstanceOf(PosbiasException.class)
                    .message()
                    .doesNotContainPattern("[\\p{Cc}\\p{Cs}]");
        }
        attempt(() -> MtebFiles.write(root, List.of(Results.of(name, "other", name, 0.75))));
        attempt(() -> Pictures.write(
                Map.of(name, new Figure("dot", "dot", List.of(), List.of(), 1, 10, "", "", null, "")),
                Pictures.Form.USUAL,
                root,
                Sessions.shared()));
        try (Stream<Path> all = Files.walk(temp)) {
            assertThat(all.filter(Files::isRegularFile)).allMatch(file -> file.startsWith(root));
        }
    }

    private static void attempt(Runnable writer) {
        try {
            writer.run();
        } catch (PosbiasException refused) {
            assertThat(refused.line()).contains("cannot use \"");
        }
    }

    @Test
    void whatCannotBeAPathIsSaid() {
        assertThatThrownBy(() -> FileNames.path("a\u0000b")).hasMessage("\"a\\u0000b\" cannot be a path here");
    }

    @Test
    void hiddenFilesAreNotVisible() throws IOException {
        for (String name : List.of("a/b.txt", ".git/c.txt", "a/._b.txt", "a/.d/e.txt")) {
            Path file = temp.resolve(name);
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.writeString(file, "");
        }
        assertThat(FileNames.visible(temp, Integer.MAX_VALUE)).containsExactly(temp.resolve("a/b.txt"));
        assertThat(FileNames.below(temp)).hasSize(4);
    }

    @Test
    void differentTextsHaveDifferentNamesOfFiles() {
        Set<String> taken = new HashSet<>();
        assertThat(List.of("a/b", "a-b", "A-b").stream().map(text -> FileNames.distinct(text, taken)))
                .containsExactly("a-b", "a-b-2", "A-b-3");
    }
}
