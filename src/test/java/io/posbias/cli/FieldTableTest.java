package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables of docs/faults.md with files as people have them. */
class FieldTableTest {
    private static final Pattern QUOTED = Pattern.compile("`([^`]*)`");

    @TempDir
    private Path temp;

    /** Returns the cells of a table's rows, without its head. */
    private static List<List<String>> table(String head) throws IOException {
        List<List<String>> rows = Files.readAllLines(Path.of("docs/faults.md")).stream()
                .dropWhile(line -> !line.startsWith("| " + head))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Stream.of(line.substring(1).split("\\|", -1))
                        .map(String::strip)
                        .toList())
                .toList();
        assertThat(rows).isNotEmpty();
        return rows;
    }

    private static List<String> quoted(String cell) {
        return QUOTED.matcher(cell).results().map(found -> found.group(1)).toList();
    }

    static List<List<String>> kinds() throws IOException {
        return table("kind | case | what happens now | test |");
    }

    static List<List<String>> reported() throws IOException {
        return table("reported case |");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyKindHasItsTest(List<String> row) throws IOException {
        String[] test = quoted(row.get(3)).getFirst().split("\\.", -1);
        try (Stream<Path> sources = Files.walk(Path.of("src/test/java"))) {
            Path source = sources.filter(file -> file.endsWith(test[0] + ".java"))
                    .findAny()
                    .orElseThrow();
            assertThat(source).content().containsPattern("Test\\b[^;]*void " + test[1] + "\\(");
        }
    }

    @ParameterizedTest
    @MethodSource("reported")
    void everyReportedCaseDoesWhatTheTableSays(List<String> row) throws IOException {
        Path command = SharedData.file("cases/" + row.getFirst() + "/cmd");
        Path folder = command.resolveSibling("");
        String[] words = Files.readString(command).strip().split(" ", -1);
        // The first word is a command, which may be data.
        for (int i = 1; i < words.length; i++) {
            words[i] = words[i].equals("out")
                    ? temp.resolve("out").toString()
                    : Files.exists(folder.resolve(words[i]))
                            ? folder.resolve(words[i]).toString()
                            : words[i];
        }
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("POSBIAS_HOME", temp.resolve("home").toString());
        Path variables = folder.resolve("env");
        if (Files.exists(variables)) {
            Files.readAllLines(variables).stream().filter(line -> line.contains("=")).forEach(line -> {
                String[] parts = line.split("=", 2);
                environment.put(
                        parts[0], parts[1].startsWith("./") ? folder.resolve(parts[1].substring(2)).toString() : parts[1]);
            });
        }
        Cli.Ended ended = Cli.run(environment, words, quoted(row.get(1)).toArray());
        assertThat(ended.code()).as(ended.err()).isEqualTo(Integer.parseInt(row.get(2)));
        assertThat(ended.out() + ended.err()).contains(quoted(row.get(3)));
    }
}
