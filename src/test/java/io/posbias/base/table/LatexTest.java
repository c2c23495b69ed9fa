package io.posbias.base.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.report.leaderboard.Layout;
import io.posbias.report.leaderboard.Leaderboard;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** LaTeX takes what the golden files hold, all of them in one document, and long tables. */
class LatexTest {
    private static final Path GOLDEN = Path.of("src/test/resources/io/posbias/report");

    @TempDir
    Path temp;

    @Test
    void everyGoldenFileCompiles() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                isThere("pdflatex"), "skipped: there is no pdflatex (Debian: texlive-latex-recommended)");
        List<Path> tables;
        try (Stream<Path> files = Files.list(GOLDEN)) {
            tables = files.filter(file -> file.toString().endsWith(".golden") && !file.endsWith("mteb.json.golden"))
                    .sorted()
                    .toList();
        }
        assertThat(tables).hasSizeGreaterThan(Layout.names().size());
        List<String> texts = new ArrayList<>();
        for (Path table : tables) {
            texts.add(Files.readString(table).split(TablesTest.heading(TableFormat.LATEX), -1)[1]);
        }
        compile(texts);
    }

    @Test
    void longTablesHaveRoomOnTheirPages() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                isThere("pdflatex"), "skipped: there is no pdflatex (Debian: texlive-latex-recommended)");
        Layout posir = Layout.find("posir-table10");
        Table published = posir.table(new Leaderboard(posir.published(List.of()), posir.publishedMeasure(), false, 2));
        compile(Stream.of(published, rows(false), rows(true))
                .map(TableFormat.LATEX::render)
                .toList());
    }

    @Test
    void aLongTableRepeatsItsHeaderOnEachPage() {
        String latex = TableFormat.LATEX.render(rows(true));
        assertThat(latex)
                .containsOnlyOnce("\\caption{Long.}")
                .containsOnlyOnce("\\begin{longtable}{lr}")
                .containsSubsequence(
                        "model & value", "\\endfirsthead", "model & value", "\\endhead", "row 0 ", "row 100 ")
                .doesNotContain("\\begin{table}", "resizebox");
        assertThat(TableFormat.LATEX.render(table(rows(true).rows().subList(0, 40))))
                .contains("\\begin{table}", "\\begin{tabular}")
                .doesNotContain("longtable");
    }

    private static Table rows(boolean isHeaded) {
        List<Table.Row> rows = IntStream.rangeClosed(0, 100)
                .mapToObj(row -> new Table.Row(List.of("row " + row + " of many", "0." + row)))
                .collect(Collectors.toCollection(ArrayList::new));
        if (isHeaded) {
            rows.add(100, new Table.Row(List.of("last")));
            rows.addFirst(new Table.Row(List.of("family")));
        }
        return table(rows);
    }

    private static Table table(List<Table.Row> rows) {
        return new Table("Long", List.of(), List.of("model", "value"), rows, List.of());
    }

    private void compile(List<String> tables) throws IOException, InterruptedException {
        Files.writeString(
                temp.resolve("all.tex"),
                "\\documentclass{article}\n\\usepackage{booktabs,graphicx,longtable}\n\\begin{document}\n"
                        + String.join("\\clearpage\n", tables) + "\\end{document}\n");
        Process latex = new ProcessBuilder("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex")
                .directory(temp.toFile())
                .redirectErrorStream(true)
                .start();
        String log = new String(latex.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(latex.waitFor()).as(log).isZero();
        assertThat(log).doesNotContain("Overfull", "Missing character", "too large");
        assertThat(temp.resolve("all.pdf")).isNotEmptyFile();
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
