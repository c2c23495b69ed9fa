package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What pages begin with alike is run once, and nothing else is. */
class DocRunsTest {
    @TempDir
    Path work;

    private static List<DocCommand> page(String... lines) {
        return DocCommand.in(List.of(lines));
    }

    @Test
    void aPageGoesOnWhereAnotherOneStoodThen() throws IOException, InterruptedException {
        List<DocCommand> first = page("posbias models info bm25 > a.yaml", "posbias models info a.yaml > b.yaml");
        List<DocCommand> second = page("posbias models info bm25 > a.yaml", "posbias models info b.yaml");
        List<DocCommand> third = page("posbias models info bm25 > a.yaml");
        try (DocRuns runs = new DocRuns(work, List.of(first, second, third))) {
            assertThat(runs.run(first)).extracting(Cli.Ended::code).containsExactly(0, 0);
            assertThat(runs.folder().resolve("b.yaml")).exists();
            List<Cli.Ended> ended = runs.run(second);
            assertThat(ended).extracting(Cli.Ended::code).containsExactly(0, 2);
            assertThat(ended.get(1).err()).contains("b.yaml");
            assertThat(runs.folder().resolve("b.yaml")).doesNotExist();
            assertThat(runs.run(third)).containsExactly(ended.getFirst());
            assertThat(runs.folder().resolve("a.yaml")).isNotEmptyFile();
            assertThat(work.resolve("orders")).isDirectoryNotContaining("glob:**/2.json");
        }
    }
}
