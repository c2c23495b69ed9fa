package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Configs;
import io.posbias.base.table.CsvRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimsTest {
    @Test
    void docsCountThePublicFilesAndTheirLanguages() throws IOException {
        String file = "configs/datasets/open-benchmarks.csv";
        List<String> languages = CsvRows.read(Path.of(file), Configs.read(file)).stream()
                .map(row -> row.text("language"))
                .toList();
        String claim = languages.size() + " public files in "
                + languages.stream().distinct().count() + " languages";
        assertThat(Files.readString(Path.of("docs/README.md"))).contains(claim);
        assertThat(Files.readString(Path.of("docs/datasets.md"))).contains(claim);
    }
}
