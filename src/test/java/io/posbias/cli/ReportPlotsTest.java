package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPlotsTest {
    @TempDir
    Path temp;

    private Path evaluate() {
        Path cell = temp.resolve("cell");
        Cli.run("eval --model bm25 --dataset demo --out", cell);
        return cell;
    }

    @Test
    void eachBenchmarkHasItsPictures() {
        Path cell = evaluate();
        Path pictures = temp.resolve("pictures");
        Cli.Ended drawn = Cli.run("report figures", cell, "--output", pictures).ok();
        assertThat(drawn.out()).isEmpty();
        StringBuilder expected = new StringBuilder();
        for (String name : new String[] {"position", "strip", "psi"}) {
            for (String ending : new String[] {".svg", ".png"}) {
                expected.append("written: ")
                        .append(pictures.resolve(name + "-demo" + ending))
                        .append('\n');
            }
        }
        assertThat(drawn.err()).isEqualTo(expected.toString());
    }

    @Tag("slow")
    @Test
    void aLanguageAndLineEndsOfTheMachineChangeNothing() throws IOException, InterruptedException {
        Path cell = evaluate();
        Cli.run("report figures", cell, "--output", temp.resolve("here"));
        Child.run(
                        temp,
                        Map.of(
                                "JAVA_TOOL_OPTIONS",
                                "-Duser.language=de -Duser.country=DE -Djava.awt.headless=true"
                                        + " '-Dline.separator=\r\n"
                                        + "'"),
                        "report",
                        "figures",
                        cell,
                        "--output",
                        temp.resolve("german"))
                .ok();
        try (Stream<Path> files = Files.list(temp.resolve("here"))) {
            assertThat(files)
                    .hasSize(6)
                    .allSatisfy(file -> assertThat(temp.resolve("german").resolve(file.getFileName()))
                            .hasSameBinaryContentAs(file));
        }
    }

    @Test
    void aFolderThatCannotBeOneIsOneLine() throws IOException {
        Path cell = evaluate();
        Path file = Files.writeString(temp.resolve("file"), "mine");
        Cli.Ended ended = Cli.run("report figures", cell, "--output", file);
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err())
                .startsWith("posbias: ")
                .contains(file.toString())
                .hasLineCount(1);
        assertThat(file).hasContent("mine");
        Path below = file.resolve("below");
        assertThat(Cli.run("report figures", cell, "--output", below).err())
                .startsWith("posbias: ")
                .contains(below.toString())
                .hasLineCount(1);
    }
}
