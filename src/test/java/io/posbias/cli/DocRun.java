package io.posbias.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs the commands of a page one after the other in one process, whose working folder is the page's: what they read and write is
 * named relative to it.
 */
final class DocRun {
    private static final JsonMapper JSON = JsonMapper.shared();

    private DocRun() {}

    /** @param arguments a file with the commands as lists of words, and the file for how they ended */
    public static void main(String[] arguments) throws IOException {
        List<DocCommand> commands =
                JSON.readValue(Files.readString(Path.of(arguments[0])), new TypeReference<List<DocCommand>>() {});
        List<Cli.Ended> ended = commands.stream().map(DocRun::run).toList();
        Files.writeString(Path.of(arguments[1]), JSON.writeValueAsString(ended));
        // Threads of native libraries would keep the process.
        System.exit(0);
    }

    private static Cli.Ended run(DocCommand command) {
        Cli.Ended ended = Cli.run(command.words().toArray());
        if (command.into().isEmpty()) {
            return ended;
        }
        try {
            Path file = Path.of(command.into().get());
            if (file.getParent() != null) {
                Files.createDirectories(file.getParent());
            }
            Files.writeString(file, ended.out());
            return new Cli.Ended(ended.code(), "", ended.err());
        } catch (IOException problem) {
            return new Cli.Ended(1, "", problem.toString());
        }
    }

    /** Starts it in a process of its own and waits. */
    static List<Cli.Ended> in(Path folder, Path home, List<DocCommand> commands) {
        try {
            Path given = folder.resolveSibling(folder.getFileName() + "-commands.json");
            Path ended = folder.resolveSibling(folder.getFileName() + "-ended.json");
            Files.createDirectories(folder);
            Files.writeString(given, JSON.writeValueAsString(commands));
            Map<String, String> environment = Map.of("POSBIAS_HOME", home.toString(), "HF_HUB_OFFLINE", "1");
            Cli.Ended process = Child.startMain(DocRun.class, folder, environment, given, ended)
                    .end();
            if (process.code() != 0) {
                throw new AssertionError(process);
            }
            return JSON.readValue(Files.readString(ended), new TypeReference<List<Cli.Ended>>() {});
        } catch (IOException problem) {
            throw new AssertionError(problem);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError(stopped);
        }
    }
}
