package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocOutputTest {
    private static final List<String> PRINTED = List.of("a", "b 1.2 s", "c", "d", "e");

    @Test
    void whatIsPrintedMayBeShortenedBetweenLines() {
        DocOutput.compare("page", List.of("a", "b 77 s", "c", "d", "e"), PRINTED);
        DocOutput.compare("page", List.of("...", "c", "...", "e"), PRINTED);
        DocOutput.compare("page", List.of("a", "..."), PRINTED);
    }

    @Test
    void aLineThatIsNotPrintedOrElsewhereIsADifference() {
        for (List<String> shown : List.of(
                List.of("a", "b 1.2 s", "c", "d"),
                List.of("a", "b 1.2 s", "x", "d", "e"),
                List.of("b 1.2 s", "..."),
                List.of("...", "d"),
                List.of("...", "d", "...", "c", "..."),
                List.of("a", "...", "x", "...", "e"))) {
            assertThatThrownBy(() -> DocOutput.compare("page", shown, PRINTED))
                    .as(String.join(" ", shown))
                    .isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void numbersAreComparedButForTimes() {
        List<String> shown = List.of("lists all 69", "2 s");
        DocOutput.compare("page", shown, List.of("lists all 69", "3 s"));
        assertThatThrownBy(() -> DocOutput.compare("page", shown, List.of("lists all 74", "2 s")))
                .isInstanceOf(AssertionError.class);
    }

    /** A table may end with the command to run next. */
    @Test
    void outputMayNameACommand(@TempDir Path temp) throws IOException {
        DocPage page = DocPage.read(Files.write(
                temp.resolve("page.md"),
                List.of("```", "posbias eval --model a", "```", "", "```", "a table", "  posbias report", "```")));
        assertThat(page.output(page.blocks().getFirst()))
                .hasValueSatisfying(output -> assertThat(output.body()).containsExactly("a table", "  posbias report"));
    }

    @Test
    void commandsAreSplitAsByAShell() {
        List<DocCommand> commands = DocCommand.in(List.of(
                "posbias eval --model a,\\",
                "b --fail-on 'x > 1,y' \\",
                "    --out \"my dir\"   # why",
                "$ X=1 scripts/posbias models info bm25 > ci/model.yaml",
                "posbias completion zsh | source",
                "posbias: an error",
                "posbias eval: an error",
                "- run: posbias run --shard ${{ matrix.share }}/4"));
        assertThat(commands)
                .extracting(DocCommand::words)
                .containsExactly(
                        List.of("eval", "--model", "a,b", "--fail-on", "x > 1,y", "--out", "my dir"),
                        List.of("models", "info", "bm25"),
                        List.of("completion", "zsh"),
                        List.of("run", "--shard", "1/4"));
        assertThat(commands.get(1).into()).contains("ci/model.yaml");
    }
}
