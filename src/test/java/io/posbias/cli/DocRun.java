package io.posbias.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs the commands of pages one after the other in a process whose working folder is the page's: what they read and write is named
 * relative to it. One process for all pages, because a new one is slow for its first seconds.
 */
final class DocRun implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String ENDED = ".ended";

    private final Child process;
    private final Path orders;
    private int count;

    DocRun(Path folder, Path orders, Path home) throws IOException {
        this.orders = Files.createDirectories(orders);
        this.process =
                Child.startMain(DocRun.class, folder, Map.of("POSBIAS_HOME", home.toString(), "HF_HUB_OFFLINE", "1"));
    }

    private record Order(List<DocCommand> commands, Map<Integer, String> copies) {}

    List<Cli.Ended> run(List<DocCommand> commands, Map<Integer, Path> copies) throws IOException, InterruptedException {
        Map<Integer, String> names = new TreeMap<>();
        copies.forEach((after, copy) -> names.put(after, copy.toString()));
        Path order = orders.resolve(count++ + ".json");
        Path ended = order.resolveSibling(order.getFileName() + ENDED);
        Files.writeString(order, JSON.writeValueAsString(new Order(commands, names)));
        process.tell(order.toString()).until(() -> Files.exists(ended));
        if (!Files.exists(ended)) {
            throw new AssertionError(process.end());
        }
        return JSON.readValue(Files.readString(ended), new TypeReference<List<Cli.Ended>>() {});
    }

    @Override
    public void close() throws IOException {
        process.tellNoMore();
    }

    /** Reads the names of files with orders, a line each, until there are no more; how the commands ended is beside them. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            List<Cli.Ended> ended = run(JSON.readValue(Files.readString(Path.of(line)), Order.class));
            Path half = Files.writeString(Path.of(line + ".half"), JSON.writeValueAsString(ended));
            Files.move(half, Path.of(line + ENDED), StandardCopyOption.ATOMIC_MOVE);
        }
        // Threads of native libraries would keep the process.
        System.exit(0);
    }

    private static List<Cli.Ended> run(Order order) {
        List<Cli.Ended> ended = new ArrayList<>();
        for (DocCommand command : order.commands()) {
            ended.add(run(command));
            String copy = order.copies().get(ended.size());
            if (copy != null) {
                DocRuns.copy(Path.of("").toAbsolutePath(), Path.of(copy));
            }
        }
        return ended;
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
}
