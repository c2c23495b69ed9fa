package io.posbias;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagingTest {
    /** A process id that no process has: Linux's are below 2^22. */
    private static final String DEAD = "99999999";

    @TempDir
    Path temp;

    @Test
    void nothingShowsBeforeTheCommit() throws IOException {
        Path target = temp.resolve("out");
        try (Staging staging = Staging.within(target)) {
            Files.writeString(staging.folder().resolve("a"), "1");
            Files.writeString(staging.folder().resolve("seal"), "2");
            assertThat(target.resolve("a")).doesNotExist();
            staging.commitFiles("seal");
        }
        assertThat(names(target)).containsExactly("a", "seal");
    }

    @Test
    void nothingIsLeftWithoutACommit() throws IOException {
        Path target = temp.resolve("deep/out");
        try (Staging staging = Staging.beside(target)) {
            Files.writeString(staging.folder().resolve("a"), "1");
        }
        assertThat(names(temp)).isEmpty();
    }

    @Test
    void aFolderIsReplacedWhole() throws IOException {
        Path target = temp.resolve("out");
        Files.createDirectories(target);
        Files.writeString(target.resolve("old"), "1");
        try (Staging staging = Staging.beside(target)) {
            Files.writeString(staging.folder().resolve("new"), "2");
            staging.commitFolder();
        }
        assertThat(names(target)).containsExactly("new");
        assertThat(names(temp)).containsExactly("out");
    }

    @Test
    void otherFilesOfTheTargetStay() throws IOException {
        Files.writeString(temp.resolve("mine"), "1");
        try (Staging staging = Staging.within(temp)) {
            Files.writeString(staging.folder().resolve("seal"), "2");
            staging.commitFiles("seal");
        }
        assertThat(names(temp)).containsExactly("mine", "seal");
    }

    @Test
    void whatAKilledProcessLeftIsCleared() throws IOException {
        Path left = Files.createDirectories(temp.resolve(".posbias-" + DEAD));
        Files.writeString(left.resolve("half"), "…");
        Path other = Files.createDirectories(temp.resolve(".posbias-notes"));
        try (Staging staging = Staging.within(temp)) {
            assertThat(left).doesNotExist();
            assertThat(other).exists();
            assertThat(staging.folder()).exists();
        }
    }

    @Test
    void aFolderThatAKilledProcessPutAsideComesBack() throws IOException {
        Path aside = Files.createDirectories(temp.resolve(".posbias-out-" + DEAD + "-old"));
        Files.writeString(aside.resolve("precious"), "1");
        Files.createDirectories(temp.resolve(".posbias-out-" + DEAD));
        Staging.beside(temp.resolve("out")).close();
        assertThat(names(temp)).containsExactly("out");
        assertThat(names(temp.resolve("out"))).containsExactly("precious");
    }

    @Test
    void aTargetThatCannotBeIsOneLine() throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "x");
        assertThatThrownBy(() -> Staging.within(file.resolve("out")))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("cannot write " + file.resolve("out") + ": ");
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
