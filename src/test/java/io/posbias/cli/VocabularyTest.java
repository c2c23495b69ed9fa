package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.score.measure.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Help, page and docs have the verdicts' words, and no others for them. */
class VocabularyTest {
    /** Words of earlier versions, where they stand for a verdict. */
    private static final Pattern EARLIER = Pattern.compile(
            "\\bundecided\\b|verdicts? (is |of |for |was )?[`*]*(none|differ|primacy|recency|truncation)\\b");

    /** Where earlier words are told of: how tables, reports and schemas were. */
    private static final List<String> HISTORY = List.of("docs/adr/", "docs/faults.md", "docs/reading-tables.md");

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(Path.of("docs"));
                Stream<Path> page = Files.list(Path.of("src/main/resources/io/posbias/report/page"))) {
            return Stream.of(Stream.of(Path.of("README.md")), docs, page)
                    .flatMap(each -> each)
                    .filter(path -> path.toString().matches(".*\\.(md|html|js)"))
                    .filter(path -> HISTORY.stream().noneMatch(path.toString().replace('\\', '/')::startsWith))
                    .toList();
        }
    }

    private static List<String> earlier(String text) {
        return EARLIER.matcher(text).results().map(MatchResult::group).toList();
    }

    @Test
    void noPageHasAnotherWord() throws IOException {
        assertThat(pages())
                .hasSizeGreaterThan(20)
                .allSatisfy(path -> assertThat(earlier(Files.readString(path)))
                        .as(path.toString())
                        .isEmpty());
    }

    @Test
    void noHelpHasAnotherWord() {
        Cli.Ended all = Cli.run("--help-all");
        List<String> commands = new ArrayList<>(List.of(all.out()));
        for (String command : List.of("eval", "score", "check", "plan", "compare", "report", "mitigate", "gate")) {
            commands.add(Cli.run(command + " --help-all").out());
        }
        assertThat(commands).allSatisfy(text -> assertThat(earlier(text)).isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void eachIsDefinedInTheDocsAndByItself(Verdict verdict) throws IOException {
        assertThat(Files.readString(Path.of("docs/interpret.md")))
                .containsPattern("\\| [^|]*`" + verdict + "`[^|]*\\|");
        assertThat(verdict.meaning(0.95, 0.02)).isNotBlank();
    }
}
