package io.posbias.base.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.table.CsvRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PointersTest {
    @TempDir
    private Path temp;

    @ParameterizedTest
    @CsvSource({
        "'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 123\n', git lfs pull",
        "../../blobs/0123456789abcdef0123456789abcdef01234567, link",
        "'\uFEFF\n<!DOCTYPE html>\n<html><body>Sign in</body></html>', web page",
        "'<html lang=\"en\"><head>', web page",
    })
    void refusesFilesThatStandForOthers(String content, String said) throws IOException {
        Path file = Files.writeString(temp.resolve("file"), content);

        assertThatThrownBy(() -> Pointers.refuse(file))
                .isInstanceOf(PosbiasException.class)
                .hasMessageStartingWith(file + ": ")
                .hasMessageContaining(said);
        assertThatThrownBy(() -> Json.readYaml(file)).hasMessageContaining(said);
        assertThatThrownBy(() -> CsvRows.read(file)).hasMessageContaining(said);
    }

    @Test
    void namesTheTargetOfABrokenLink() throws IOException {
        Path link = Files.createSymbolicLink(temp.resolve("link"), Path.of("blobs/gone"));

        assertThat(Pointers.isFile(link)).isTrue();
        assertThatThrownBy(() -> Pointers.refuse(link))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("blobs/gone");
    }

    @ParameterizedTest
    @CsvSource({"''", "version https://example.org", "../../blobs", "<html-like text", "{\"a\": 1}"})
    void readsOtherFiles(String content) throws IOException {
        Path file = Files.writeString(temp.resolve("file"), content);

        assertThat(Pointers.content(file)).asString().isEqualTo(content);
    }
}
