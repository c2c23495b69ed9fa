package io.posbias.base.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePartsTest {
    @TempDir
    private Path folder;

    @Test
    void partsAreReadWholeOrNotAtAll() throws IOException {
        Path file = Files.writeString(folder.resolve("f"), "abcdef");
        try (FileChannel channel = FileChannel.open(file)) {
            assertThat(FileParts.read(channel, 2, 3)).asString().isEqualTo("cde");
            assertThat(FileParts.read(channel, 0, 6)).asString().isEqualTo("abcdef");
            assertThat(FileParts.read(channel, 6, 0)).isEmpty();
            assertThat(channel.position()).isZero();
            assertThatThrownBy(() -> IoErrors.call("read", file, () -> FileParts.read(channel, 4, 3)))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessage("cannot read " + file + ": it is shorter than it was");
        }
    }
}
