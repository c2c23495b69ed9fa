package io.posbias.base.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFolderTest {
    @TempDir
    Path temp;

    private static LockFile claim(Path folder, String command) {
        return new OwnFolder(folder, command).claim(Sessions.shared());
    }

    @Test
    void anEmptyFolderIsClaimedAndClaimedAgain() throws IOException {
        Path folder = temp.resolve("new/out");
        claim(folder, "train").close();
        Files.writeString(folder.resolve("made"), "x");
        claim(folder, "train").close();
        assertThat(folder.resolve("made")).hasContent("x");
    }

    /** A kill before the mark has its name leaves it under a random one; locks always stay. */
    @Test
    void locksAndAPartOfTheMarkAreNobodys() throws IOException {
        Files.createFile(temp.resolve(".posbias-.posbias-folder-0123456789abcdef"));
        Files.createFile(temp.resolve(".posbias.lock"));
        claim(temp, "train").close();
        claim(temp, "train").close();
    }

    @Test
    void aFolderOfSomebodyElseIsRefused() throws IOException {
        Files.writeString(temp.resolve("mine.txt"), "x");
        assertThatThrownBy(() -> claim(temp, "train"))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll(temp.toString(), "mine.txt");
        Path made = temp.resolve("made");
        claim(made, "construct").close();
        assertThatThrownBy(() -> claim(made, "train")).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> claim(temp.resolve("mine.txt"), "train"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("is a file");
    }

    @Test
    void onlyWhatWasMadeIsReplaced() throws IOException {
        OwnFolder own = new OwnFolder(temp.resolve("out"), "construct");
        own.claim(Sessions.shared()).close();
        own.make("benchmark");
        Files.createDirectory(own.folder().resolve("benchmark"));
        own.make("benchmark");
        Files.createDirectory(own.folder().resolve("other"));
        assertThatThrownBy(() -> own.make("other"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("other");
        Files.delete(own.folder().resolve("benchmark"));
        Files.createSymbolicLink(own.folder().resolve("benchmark"), own.folder().resolve("other"));
        assertThatThrownBy(() -> own.make("benchmark")).isInstanceOf(UsageException.class);
    }
}
