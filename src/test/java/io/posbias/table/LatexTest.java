package io.posbias.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.report.leaderboard.Layout;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** LaTeX takes what the golden files hold, all of them in one document. */
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
            tables = files.filter(file -> file.toString().endsWith(".latex.golden"))
                    .sorted()
                    .toList();
        }
        assertThat(tables).hasSizeGreaterThan(Layout.values().length);
        StringBuilder document =
                new StringBuilder("\\documentclass{article}\n\\usepackage{booktabs,graphicx}\n\\begin{document}\n");
        for (Path table : tables) {
            document.append(Files.readString(table)).append("\\clearpage\n");
        }
        Files.writeString(temp.resolve("all.tex"), document.append("\\end{document}\n"));
        Process latex = new ProcessBuilder("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex")
                .directory(temp.toFile())
                .redirectErrorStream(true)
                .start();
        String log = new String(latex.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(latex.waitFor()).as(log).isZero();
        assertThat(log).doesNotContain("Overfull", "Missing character");
        assertThat(temp.resolve("all.pdf")).isNotEmptyFile();
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
