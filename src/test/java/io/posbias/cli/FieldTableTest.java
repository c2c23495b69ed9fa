package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.posbias.SharedData;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables of docs/faults.md with files as people have them. */
class FieldTableTest {
    /** Of the stand-in for services. */
    private static final String PORT = "18400";

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

    static List<List<String>> services() throws IOException {
        return table("reported service |");
    }

    /** The stand-in for services of the cases, on a port that is free. */
    private Process server(Path script, int port) throws IOException {
        Path own = Files.writeString(
                temp.resolve("server.py"), Files.readString(script).replace(PORT, String.valueOf(port)));
        Process server = new ProcessBuilder("python3", own.toString()).start();
        server.inputReader().readLine();
        return server;
    }

    @ParameterizedTest
    @MethodSource("services")
    void everyReportedServiceDoesWhatTheTableSays(List<String> row) throws IOException {
        Path folder = SharedData.file("cases/" + row.getFirst() + "/cmd").resolveSibling("");
        assumeTrue(isPython(), "needs python3");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path recipe = Files.writeString(
                temp.resolve("api.yaml"),
                Files.readString(folder.resolve("api.yaml"))
                        .replace(PORT, String.valueOf(port))
                        .replaceFirst("\\{", Matcher.quoteReplacement("{" + String.join("", quoted(row.get(1))))));
        Map<String, String> environment = environment(folder);
        List<Object> words = new ArrayList<>();
        for (String word : Files.readString(folder.resolve("cmd")).strip().split(" ", -1)) {
            words.add(
                    switch (word) {
                        case "out" -> temp.resolve("out");
                        case "data" -> folder.resolve("data");
                        case "api.yaml" -> recipe;
                        default -> word;
                    });
        }
        Process server = server(folder.resolveSibling("server.py"), port);
        try {
            Cli.Ended ended =
                    Cli.run(environment, words.toArray(), quoted(row.get(2)).toArray());
            assertThat(ended.code()).as(ended.err()).isEqualTo(Integer.parseInt(row.get(3)));
            assertThat(ended.out() + ended.err()).contains(quoted(row.get(4)));
        } finally {
            server.destroyForcibly();
        }
    }

    /** The variables of a case, with paths in its folder, and a cache of its own. */
    private Map<String, String> environment(Path folder) throws IOException {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("POSBIAS_HOME", temp.resolve("home").toString());
        if (Files.exists(folder.resolve("env"))) {
            for (String line : Files.readAllLines(folder.resolve("env"))) {
                String[] parts = line.split("=", 2);
                if (parts.length == 2) {
                    environment.put(
                            parts[0],
                            parts[1].startsWith("./")
                                    ? folder.resolve(parts[1].substring(2)).toString()
                                    : parts[1]);
                }
            }
        }
        return environment;
    }

    private static boolean isPython() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3")));
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
        Map<String, String> environment = environment(folder);
        // Without --out a result is stored below the working folder.
        Object[] out = words[0].equals("check")
                ? new Object[] {"--results", temp.resolve("out")}
                : words[0].equals("score") && !List.of(words).contains("--out")
                        ? new Object[] {"--out", temp.resolve("out")}
                        : new Object[0];
        Cli.Ended ended = Cli.run(environment, words, out, quoted(row.get(1)).toArray());
        assertThat(ended.code()).as(ended.err()).isEqualTo(Integer.parseInt(row.get(2)));
        assertThat(ended.out() + ended.err()).contains(quoted(row.get(3)));
    }
}
