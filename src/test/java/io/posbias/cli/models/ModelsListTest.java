package io.posbias.cli.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.cli.Posbias;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelsListTest {
    @TempDir
    Path temp;

    /** The first screen has what runs without a download, in the order of names; what needs most work comes last. */
    @Test
    void whatRunsHereComesFirst() {
        List<String> rows = new Posbias(temp, Map.of())
                .run("models list --format csv")
                .ok()
                .out()
                .lines()
                .skip(1)
                .toList();
        List<String> installed = rows.stream().map(row -> row.split(",", -1)[3]).toList();
        int here = installed.lastIndexOf("yes") + 1;
        assertThat(installed.subList(0, here)).containsOnly("yes");
        assertThat(rows.subList(0, here)).isSorted().anyMatch(row -> row.startsWith("bm25,"));
        List<String> from = rows.subList(here, rows.size()).stream()
                .map(row -> row.split(",", -1)[2])
                .toList();
        int elsewhere = Math.min(from.indexOf("api"), from.indexOf("worker"));
        assertThat(from.subList(0, elsewhere)).containsOnly("hub", "maven");
        assertThat(from).endsWith("export");
    }
}
