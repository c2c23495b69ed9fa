package io.posbias.base.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksumsTest {
    private static final FileTime EARLIER = FileTime.from(Instant.parse("2026-01-02T03:04:05Z"));

    @TempDir
    Path temp;

    private Path file = Path.of("");

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(temp.resolve("weights"), "one");
        Files.setLastModifiedTime(file, EARLIER);
    }

    private String remembered(long secondsFromNow) throws IOException {
        return Checksums.remembered(file, temp.resolve("home"), Instant.now().plusSeconds(secondsFromNow));
    }

    private List<Path> memos() throws IOException {
        Path folder = temp.resolve("home/digests");
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void aDigestIsComputedOnce() throws IOException {
        String digest = remembered(60);
        assertThat(digest).isEqualTo(Checksums.sha256(file));
        Path memo = memos().getFirst();
        String kept = Files.readString(memo);
        // Only a digest that was read from there can be wrong.
        Files.writeString(memo, kept.replace(digest, "0".repeat(64)));
        assertThat(remembered(60)).isEqualTo("0".repeat(64));
    }

    @Test
    void aFileOfEqualSizeAndTimeIsSeen() throws IOException {
        String one = remembered(60);
        Path other = Files.writeString(temp.resolve("other"), "two");
        Files.setLastModifiedTime(other, EARLIER);
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        String two = remembered(60);
        assertThat(two).isEqualTo(Checksums.sha256(file)).isNotEqualTo(one);

        Files.writeString(file, "six");
        Files.setLastModifiedTime(file, EARLIER);
        assertThat(remembered(60)).isEqualTo(Checksums.sha256(file)).isNotEqualTo(two);
    }

    /** What is written within one tick of the file system's clock leaves the same times. */
    @Test
    void aFileThatHasJustChangedIsNotRemembered() throws IOException {
        remembered(0);
        assertThat(memos()).isEmpty();
        remembered(3);
        assertThat(memos()).hasSize(1);
    }
}
