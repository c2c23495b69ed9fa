package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages of each command, in a transcript of what is typed and printed. FOLDER is an empty folder at first, and FOLDER/none
 * is never there.
 * {@code -Dposbias.golden=write} writes what commands print; review the diff.
 */
class MessagesTest {
    private static final Path TRANSCRIPTS = Path.of("src/test/resources/messages");
    private static final String FOLDER = "FOLDER";

    @TempDir
    Path temp;

    static List<Path> transcripts() throws IOException {
        try (Stream<Path> files = Files.list(TRANSCRIPTS)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("transcripts")
    void commandsPrintTheirTranscript(Path transcript) throws IOException {
        String expected = Files.readString(transcript);
        Posbias posbias = new Posbias(temp.resolve("user"), Map.of("HF_HUB_OFFLINE", "1"));
        String printed = expected.lines()
                .filter(line -> line.startsWith("$ "))
                .map(line -> line + "\n" + output(posbias, line))
                .collect(Collectors.joining("\n"));
        if ("write".equals(System.getProperty("posbias.golden"))) {
            Files.writeString(transcript, printed);
            return;
        }
        assertThat(printed).isEqualTo(expected);
        assertThat(temp.resolve("none")).doesNotExist();
    }

    private String output(Posbias posbias, String line) {
        DocCommand command = DocCommand.in(List.of(line)).getFirst();
        Object[] words = command.words().stream()
                .map(word -> word.replace(FOLDER, temp.toString()))
                .toArray();
        Cli.Ended ended = posbias.run(words);
        String text = (ended.out() + ended.err())
                .replace(temp.toString(), FOLDER)
                .replaceAll("lists all \\d+", "lists all N");
        return DocOutput.same(text.lines().toList()).stream()
                        .map(each -> each + "\n")
                        .collect(Collectors.joining()) + "exit code " + ended.code() + "\n";
    }
}
