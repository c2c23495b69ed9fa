package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.process.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlainDocumentsTest {
    @TempDir
    Path folder;

    private List<String> read(String field) {
        List<String> found = new ArrayList<>();
        PlainDocuments.of(List.of(folder), field, "--input").forEach((source, id, text) -> found.add(id + " " + text));
        return found;
    }

    @Test
    void rowsOfAFolderAreReadByColumn() throws IOException, SQLException {
        Files.createDirectories(folder.resolve("zh"));
        ParquetFiles.write(folder.resolve("zh/0.parquet"), "SELECT '中文。' AS content, 7 AS id", "zstd");
        Files.writeString(folder.resolve("a.jsonl"), "{\"content\": \"one\"}\n{\"content\": \"two\"}\n");
        Files.writeString(folder.resolve("readme.json"), "{}");
        assertThat(read("content")).containsExactly("row1 one", "row2 two", "7 中文。");
        assertThatThrownBy(() -> read("text"))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("a.jsonl:1");
    }

    @Test
    void identifiersOfACorpusAreUnique() throws IOException {
        Files.writeString(folder.resolve("a.jsonl"), "{\"text\": \"one\"}\n");
        Files.writeString(folder.resolve("b.jsonl"), "{\"text\": \"two\"}\n");
        List<String> found = new ArrayList<>();
        PlainDocuments.of(List.of(folder), "text", "--input")
                .passages()
                .inFileOrder((ordinal, passage) -> found.add(passage.id() + " " + passage.text()));
        assertThat(found).containsExactly("row1 one", "row1#2 two");
    }

    @Test
    void textsComeBeforeRows() throws IOException {
        Files.writeString(folder.resolve("b c.txt"), "text");
        Files.writeString(folder.resolve("a.jsonl"), "{\"text\": \"one\"}\n");
        assertThat(read("text")).containsExactly("b_c text");
    }

    @Test
    void aFolderWithoutDocumentsIsRefused() {
        assertThatThrownBy(() -> read("text"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("contains neither");
    }
}
