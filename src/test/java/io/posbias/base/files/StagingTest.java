package io.posbias.base.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagingTest {
    private static final String DEAD = "0123456789abcdef";

    @TempDir
    Path temp;

    @Test
    void nothingShowsBeforeTheCommit() throws IOException {
        Path target = temp.resolve("out");
        try (Staging staging = Staging.within(target, Sessions.shared())) {
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
        try (Staging staging = Staging.beside(target, Sessions.shared())) {
            Files.writeString(staging.folder().resolve("a"), "1");
        }
        assertThat(names(temp)).isEmpty();
    }

    @Test
    void aFolderIsReplacedWhole() throws IOException {
        Path target = temp.resolve("out");
        Files.createDirectories(target);
        Files.writeString(target.resolve("old"), "1");
        try (Staging staging = Staging.beside(target, Sessions.shared())) {
            Files.writeString(staging.folder().resolve("new"), "2");
            staging.commitFolder();
        }
        assertThat(names(target)).containsExactly("new");
        assertThat(names(temp)).containsExactly("out");
    }

    @Test
    void otherFilesOfTheTargetStay() throws IOException {
        Files.writeString(temp.resolve("mine"), "1");
        try (Staging staging = Staging.within(temp, Sessions.shared())) {
            Files.writeString(staging.folder().resolve("seal"), "2");
            staging.commitFiles("seal");
        }
        assertThat(names(temp)).containsExactly("mine", "seal");
    }

    /** As the part of a commit leaves them that could not be ended. */
    @Test
    void foldersAmongTheFilesReplaceOlderOnes() throws IOException {
        Files.createDirectories(temp.resolve("part"));
        Files.writeString(temp.resolve("part/old"), "1");
        try (Staging staging = Staging.within(temp, Sessions.shared())) {
            Files.createDirectories(staging.folder().resolve("part"));
            Files.writeString(staging.folder().resolve("part/new"), "2");
            Files.writeString(staging.folder().resolve("seal"), "3");
            staging.commitFiles("seal");
        }
        assertThat(names(temp)).containsExactly("part", "seal");
        assertThat(names(temp.resolve("part"))).containsExactly("new");
    }

    @Test
    void oneAtATimeWritesATarget() throws IOException {
        Path target = temp.resolve("out");
        try (Staging first = Staging.beside(target, Sessions.shared())) {
            assertThatThrownBy(() -> Staging.beside(target, Sessions.shared()))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageContaining(target.toString());
            // Another target whose name begins the same is nobody else's business.
            try (Staging other = Staging.beside(temp.resolve("out-" + DEAD), Sessions.shared())) {
                assertThat(other.folder()).exists();
            }
            assertThat(first.folder()).exists();
        }
        try (Staging second = Staging.beside(target, Sessions.shared())) {
            assertThat(second.folder()).exists();
        }
        assertThat(names(temp)).isEmpty();
    }

    @Test
    void whatAKilledProcessLeftIsCleared() throws IOException {
        Path left = Files.createDirectories(temp.resolve(".posbias-" + DEAD));
        Files.writeString(left.resolve("half"), "…");
        Files.createFile(temp.resolve(".posbias.lock"));
        Path other = Files.createDirectories(temp.resolve(".posbias-notes"));
        try (Staging staging = Staging.within(temp, Sessions.shared())) {
            assertThat(left).doesNotExist();
            assertThat(other).exists();
            assertThat(staging.folder()).exists();
        }
        assertThat(names(temp)).containsExactly(".posbias-notes");
    }

    @Test
    void whatCannotBeMovedLeavesNothing() throws IOException {
        Files.createDirectories(temp.resolve("b/in the way"));
        try (Staging staging = Staging.within(temp, Sessions.shared())) {
            Files.createDirectories(staging.folder().resolve("a/deep"));
            Files.writeString(staging.folder().resolve("b"), "1");
            Files.writeString(staging.folder().resolve("seal"), "2");
            assertThatThrownBy(() -> staging.commitFiles("seal")).isInstanceOf(PosbiasException.class);
        }
        assertThat(names(temp)).containsExactly("a", "b");
        assertThat(temp.resolve("a/deep")).isDirectory();
    }

    @Test
    void whatAKilledProcessHadBegunToMoveIsMoved() throws IOException {
        Files.writeString(temp.resolve("a"), "old");
        Files.writeString(temp.resolve("b"), "new, moved before the kill");
        Path whole = temp.resolve(".posbias-" + DEAD + "-whole");
        Files.createDirectories(whole.resolve(".seal"));
        Files.writeString(whole.resolve("a"), "new");
        Files.writeString(whole.resolve(".seal/seal"), "new");
        Staging.finish(temp);
        assertThat(names(temp)).containsExactly("a", "b", "seal");
        assertThat(temp.resolve("a")).hasContent("new");
        // Killed after the last move: only the empty folders are left.
        Files.createDirectories(whole.resolve(".seal"));
        Staging.within(temp, Sessions.shared()).close();
        assertThat(names(temp)).containsExactly("a", "b", "seal");
        assertThat(temp.resolve("seal")).hasContent("new");
    }

    @Test
    void aFolderThatAKilledProcessPutAsideComesBack() throws IOException {
        putAside();
        Files.createDirectories(temp.resolve(".posbias-out-" + DEAD));
        Staging.beside(temp.resolve("out"), Sessions.shared()).close();
        assertThat(names(temp)).containsExactly("out");
        assertThat(names(temp.resolve("out"))).containsExactly("precious");
    }

    @Test
    void whoeverReadsAFolderThatWasPutAsideFindsIt() throws IOException {
        putAside();
        Staging.restore(temp.resolve("out"));
        assertThat(names(temp)).containsExactly("out");
        assertThat(names(temp.resolve("out"))).containsExactly("precious");
        Staging.restore(temp.resolve("nowhere"));
        Staging.restore(temp.resolve("nowhere/else"));
        assertThat(names(temp)).containsExactly("out");
    }

    private void putAside() throws IOException {
        Path aside = Files.createDirectories(temp.resolve(".posbias-out-" + DEAD + "-old"));
        Files.writeString(aside.resolve("precious"), "1");
    }

    /** A rename of what is not there stands for one that the disk refuses. */
    @Test
    void anOlderFolderComesBackWhenTheNewOneCannotTakeItsPlace() throws IOException {
        Path target = Files.createDirectories(temp.resolve("out"));
        Files.writeString(target.resolve("precious"), "1");
        assertThatThrownBy(() -> Staging.replaceFolder(temp.resolve("gone"), target, temp.resolve("old")))
                .isInstanceOf(FileSystemException.class);
        assertThat(names(temp)).containsExactly("out");
        assertThat(names(target)).containsExactly("precious");
    }

    @Test
    void aTargetThatCannotBeIsOneLine() throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "x");
        assertThatThrownBy(() -> Staging.within(file.resolve("out"), Sessions.shared()))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("cannot write " + file.resolve("out") + ": ");
    }

    /** Names of parts are random: nobody can put a link there first, and the one of a lock is not followed. */
    @Test
    void plantedLinksAreNotFollowed() throws IOException {
        Path victim = Files.writeString(temp.resolve("victim"), "years of work");
        Path folder = Files.createDirectories(temp.resolve("shared"));
        Files.createSymbolicLink(
                folder.resolve(".posbias-page.html-" + ProcessHandle.current().pid()), victim);
        Files.createSymbolicLink(folder.resolve(".posbias-page.html-" + DEAD), victim);
        Files.createSymbolicLink(folder.resolve(".posbias-out.lock"), victim);
        Staging.writeFile(folder.resolve("page.html"), "page");
        assertThat(folder.resolve("page.html")).hasContent("page");
        assertThatThrownBy(() -> Staging.beside(folder.resolve("out"), Sessions.shared()))
                .isInstanceOf(PosbiasException.class);
        assertThat(victim).hasContent("years of work");
    }

    @Test
    void aFileIsReplacedWholeAndPartsOfKilledProcessesGoAfterADay() throws IOException {
        Path old = Files.writeString(temp.resolve(".posbias-page.html-" + DEAD), "<html");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
        Path other = Files.writeString(temp.resolve(".posbias-notes"), "mine");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(old));
        Path underWay = Files.writeString(temp.resolve(".posbias-page.html-1" + DEAD.substring(1)), "a,b");
        Staging.writeFile(temp.resolve("page.html"), "one");
        Staging.writeFile(temp.resolve("page.html"), "two");
        assertThat(names(temp))
                .containsExactly(".posbias-notes", ".posbias-page.html-1" + DEAD.substring(1), "page.html");
        assertThat(temp.resolve("page.html")).hasContent("two");
        assertThat(underWay).hasContent("a,b");
    }

    @Test
    void nothingIsLeftOfAFileThatCannotBeWritten() throws IOException {
        assertThatThrownBy(() -> Staging.replace(temp.resolve("page.html"), out -> {
                    out.write(1);
                    throw new IOException("disk full");
                }))
                .hasMessage("disk full");
        assertThat(names(temp)).isEmpty();
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
