package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Json;
import io.posbias.model.retrieve.HashedWords;
import io.posbias.model.retrieve.RetrieverProvider;
import io.posbias.model.strategy.PowerStrategy;
import io.posbias.study.build.UniqueStage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The additions that docs/extending.md shows whole are those of these files, and they work. */
class ExtendingTest {
    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(classes = {HashedWords.class, PowerStrategy.class, UniqueStage.class})
    void theDocsShowTheFiles(Class<?> addition) throws IOException {
        String file =
                Files.readString(Path.of("src/test/java", addition.getName().replace('.', '/') + ".java"));
        assertThat(Files.readString(Path.of("docs/extending.md")))
                .contains("```java\n" + file.substring(file.indexOf("import")) + "```");
    }

    @Test
    void theDocsShowTheBeginningOfAKind() throws IOException {
        String file = Files.readString(Path.of("src/main/java/io/posbias/model/retrieve/StaticKind.java"));
        int from = file.indexOf("/** Static vectors");
        String half = file.substring(from, file.indexOf("\n\n    /**", from));
        assertThat(Files.readString(Path.of("docs/extending.md"))).contains("```java\n" + half + "\n```");
        assertThat(Files.readAllLines(
                        Path.of("src/main/resources/META-INF/services", RetrieverProvider.class.getName())))
                .contains("io.posbias.model.retrieve.StaticKind");
    }

    @Test
    void theDocsShowAnOptionThatThereIs() throws IOException {
        String file = Files.readString(Path.of("src/main/java/io/posbias/cli/diagnose/DiagnoseOptions.java"));
        int from = file.indexOf("        @Least(1)", file.indexOf("class SampleOptions"));
        String option = file.substring(from, file.indexOf("\n\n", from));
        assertThat(Files.readString(Path.of("docs/extending.md")))
                .contains("```java\n" + option.stripIndent() + "\n```");
    }

    /** Their unchanged and removed lines are in the files. */
    @Test
    void theDocsShowDiffsThatApply() throws IOException {
        Pattern block = Pattern.compile("```diff\n\\+\\+\\+ (\\S+)\n@@\n(.*?)```", Pattern.DOTALL);
        List<MatchResult> diffs = block.matcher(Files.readString(Path.of("docs/extending.md")))
                .results()
                .toList();
        assertThat(diffs).isNotEmpty();
        for (MatchResult diff : diffs) {
            String source = Files.readString(Path.of(diff.group(1)));
            for (String hunk : diff.group(2).split("@@\n", -1)) {
                assertThat(source)
                        .contains(hunk.lines()
                                .filter(line -> !line.startsWith("+"))
                                .map(line -> line.isEmpty() ? "" : line.substring(1))
                                .collect(Collectors.joining("\n")));
            }
        }
    }

    /** In a process that finds them by a line each, as those of another jar. */
    @Test
    void aNewRetrieverAndANewStrategyAreEvaluated() throws IOException, InterruptedException {
        Path recipe = Files.writeString(temp.resolve("hashed.yaml"), "name: hashed\nkind: hashed-words\n");
        Path services = Files.createDirectories(temp.resolve("services/META-INF/services"));
        Files.write(
                services.resolve(RetrieverProvider.class.getName()),
                List.of(HashedWords.class.getName(), PowerStrategy.class.getName()));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        temp.resolve("services") + File.pathSeparator + System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "mitigate",
                        "--model",
                        recipe.toString(),
                        "--strategies",
                        "power,power+chunked",
                        "--dataset",
                        "demo",
                        "--draws",
                        "10",
                        "--results",
                        temp.resolve("results").toString(),
                        "--format",
                        "json")
                .redirectError(temp.resolve("err").toFile())
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(Files.readString(temp.resolve("err"))).isZero();
        assertThat(Json.mapper().readTree(out).at("/strategies").size()).isEqualTo(3);
    }
}
