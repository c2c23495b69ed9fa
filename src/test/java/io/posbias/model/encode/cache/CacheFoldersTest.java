package io.posbias.model.encode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheFoldersTest {
    @TempDir
    Path home;

    private VectorCache open(String model) {
        return VectorCache.open(
                home.resolve("vectors").resolve(model + "-1"),
                model,
                "space-1",
                3,
                VectorCache.Shape.ofTokens(VectorCache.VectorFormat.FLOAT16));
    }

    private void fill(String model) {
        try (VectorCache cache = open(model)) {
            cache.append(List.of(new VectorCache.CachedText(
                    Key.of(Role.PASSAGE, "text"), new TextEncoder.Encoded(0, new float[] {1, 2, 3}, 1, -1))));
        }
    }

    @Test
    void foldersSayWhatTheyHold() {
        assertThat(CacheFolders.list(home)).isEmpty();
        fill("net");
        assertThat(CacheFolders.list(home))
                .containsExactly(
                        new CacheFolders.Space("net", home.resolve("vectors/net-1"), 3, "float16", 1, 20 + 24 + 6));
    }

    @Test
    void foldersThatDoNotSayAreListedByTheirName() throws IOException {
        Path broken = Files.createDirectories(home.resolve("vectors/broken"));
        Files.writeString(broken.resolve(VectorCache.CARD), "{");
        Files.createDirectories(home.resolve("vectors/empty"));
        assertThat(CacheFolders.list(home))
                .extracting(CacheFolders.Space::model)
                .containsExactly("broken", "empty");
        CacheFolders.list(home)
                .forEach(space -> assertThat(CacheFolders.delete(home, space)).isTrue());
        assertThat(home.resolve("vectors")).isEmptyDirectory();
    }

    @Test
    void aFolderInUseStays() {
        fill("net");
        CacheFolders.Space space = CacheFolders.list(home).getFirst();
        try (VectorCache first = open("net")) {
            try (VectorCache second = open("net")) {
                assertThat(second.dimension()).isEqualTo(first.dimension());
            }
            assertThat(CacheFolders.delete(home, space)).isFalse();
        }
        assertThat(CacheFolders.delete(home, space)).isTrue();
        assertThat(space.folder()).doesNotExist();
    }

    @Test
    void nothingOutsideIsDeleted() throws IOException {
        Path other = Files.createDirectories(home.resolve("models/net"));
        Path thesis = Files.writeString(other.resolve("thesis.tex"), "years of work");
        assertThatThrownBy(() -> CacheFolders.delete(home, new CacheFolders.Space("net", other, 0, "?", 0, 0)))
                .isInstanceOf(PosbiasException.class)
                .hasMessage(other + " is not in " + home.resolve("vectors") + " and stays");
        Files.createDirectories(home.resolve("vectors"));
        Files.createSymbolicLink(home.resolve("vectors/link"), other);
        CacheFolders.list(home).forEach(space -> CacheFolders.delete(home, space));
        assertThat(home.resolve("vectors")).isEmptyDirectory();
        assertThat(thesis).hasContent("years of work");
        assertThat(CacheFolders.size(home)).isEqualTo(13);
    }
}
