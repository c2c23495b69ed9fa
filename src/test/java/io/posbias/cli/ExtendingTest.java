package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import io.posbias.base.json.Json;
import io.posbias.model.retrieve.HashedWords;
import io.posbias.model.retrieve.RetrieverProvider;
import io.posbias.model.strategy.PowerStrategy;
import io.posbias.study.build.UniqueStage;
import io.posbias.study.diagnose.RepeatDiagnosis;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The additions that docs/extending.md shows whole are those of these files, and they work. */
class ExtendingTest {
    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(classes = {HashedWords.class, PowerStrategy.class, UniqueStage.class, RepeatDiagnosis.class})
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

    private static final Pattern DIFF = Pattern.compile("```diff\n\\+\\+\\+ (\\S+)\n@@\n(.*?)```", Pattern.DOTALL);

    private static List<MatchResult> diffs() throws IOException {
        return DIFF.matcher(Files.readString(Path.of("docs/extending.md")))
                .results()
                .toList();
    }

    /** Applies a diff to the file that it names; its unchanged and removed lines must be there once. */
    private static String applied(MatchResult diff) throws IOException {
        String source = Files.readString(Path.of(diff.group(1)));
        for (String hunk : diff.group(2).split("@@\n", -1)) {
            String before = lines(hunk, '+');
            assertThat(source).containsOnlyOnce(before);
            source = source.replace(before, lines(hunk, '-'));
        }
        return source;
    }

    private static String lines(String hunk, char without) {
        return hunk.lines()
                .filter(line -> line.isEmpty() || line.charAt(0) != without)
                .map(line -> line.isEmpty() ? "" : line.substring(1))
                .collect(Collectors.joining("\n"));
    }

    private static String applied(String file) throws IOException {
        return applied(diffs().stream()
                .filter(diff -> diff.group(1).endsWith("/" + file))
                .findFirst()
                .orElseThrow());
    }

    @Test
    void theDocsShowDiffsThatApply() throws IOException {
        assertThat(diffs()).isNotEmpty();
        for (MatchResult diff : diffs()) {
            assertThat(applied(diff)).isNotEqualTo(Files.readString(Path.of(diff.group(1))));
        }
    }

    /** The command and the field are those of the page, compiled here; the diagnosis is the file of the tests. */
    @Test
    void aNewDiagnosisRuns() throws IOException, InterruptedException {
        Path source = Files.writeString(temp.resolve("DiagnoseCommand.java"), applied("DiagnoseCommand.java"));
        Path classes = Files.createDirectory(temp.resolve("classes"));
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-d",
                                classes.toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                source.toString()))
                .isZero();
        Path out = temp.resolve("out");
        main(classes, "diagnose", "repeat", "--model", "bm25", "--dataset", words(), "--out", out.toString());
        String result = Files.readString(out.resolve("bm25/result.json"));
        assertThat(Json.mapper().readTree(result).at("/repeat/0/n").asInt()).isPositive();
        assertThat(SchemaCheck.of(applied("diagnose-result-2.schema.json")).validate(result, InputFormat.JSON))
                .isEmpty();
    }

    private String words() {
        return TwoWordBenchmark.write(temp.resolve("words")).toString();
    }

    /** Runs a command in a process of its own, whose class path begins with a folder; returns what it printed. */
    private String main(Path first, String... command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                first + File.pathSeparator + System.getProperty("java.class.path"),
                Main.class.getName()));
        words.addAll(List.of(command));
        Process process = new ProcessBuilder(words)
                .redirectError(temp.resolve("err").toFile())
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(Files.readString(temp.resolve("err"))).isZero();
        return out;
    }

    /** In a process that finds them by a line each, as those of another jar. */
    @Test
    void aNewRetrieverAndANewStrategyAreEvaluated() throws IOException, InterruptedException {
        Path recipe = Files.writeString(temp.resolve("hashed.yaml"), "name: hashed\nkind: hashed-words\n");
        Path services = Files.createDirectories(temp.resolve("services/META-INF/services"));
        Files.write(
                services.resolve(RetrieverProvider.class.getName()),
                List.of(HashedWords.class.getName(), PowerStrategy.class.getName()));
        String out = main(
                temp.resolve("services"),
                "mitigate",
                "--model",
                recipe.toString(),
                "--strategies",
                "power,power+chunked",
                "--dataset",
                words(),
                "--draws",
                "10",
                "--results",
                temp.resolve("results").toString(),
                "--format",
                "json");
        assertThat(Json.mapper().readTree(out).at("/strategies").size()).isEqualTo(3);
    }
}
