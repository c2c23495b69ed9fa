package io.posbias.cli;

import io.posbias.base.files.Staging;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Runs the commands of pages, each page in an empty folder. What several pages begin with is run for the first of them alone: the
 * others go on in a copy of what it left, and have what it printed.
 */
final class DocRuns implements AutoCloseable {
    private record Call(List<String> words, Optional<String> into) {
        static List<Call> of(List<DocCommand> commands) {
            return commands.stream()
                    .map(command -> new Call(command.words(), command.into()))
                    .toList();
        }
    }

    private record Beginning(Path folder, List<Cli.Ended> ended) {}

    private final Path work;
    private final DocRun process;
    private final Set<List<Call>> shared = new HashSet<>();
    private final Map<List<Call>, Beginning> beginnings = new HashMap<>();

    DocRuns(Path work, List<List<DocCommand>> pages) throws IOException {
        this.work = work;
        this.process =
                new DocRun(Files.createDirectories(work.resolve("page")), work.resolve("orders"), work.resolve("home"));
        List<List<Call>> calls = pages.stream().map(Call::of).toList();
        for (int one = 0; one < calls.size(); one++) {
            for (int other = 0; other < one; other++) {
                List<Call> both = calls.get(one).subList(0, alike(calls.get(one), calls.get(other)));
                if (!both.isEmpty()) {
                    shared.add(both);
                }
            }
        }
    }

    private static int alike(List<Call> one, List<Call> other) {
        int alike = 0;
        while (alike < Math.min(one.size(), other.size()) && one.get(alike).equals(other.get(alike))) {
            alike++;
        }
        return alike;
    }

    Path folder() {
        return work.resolve("page");
    }

    List<Cli.Ended> run(List<DocCommand> commands) throws IOException, InterruptedException {
        List<Call> calls = Call.of(commands);
        int done = calls.size();
        while (done > 0 && !beginnings.containsKey(calls.subList(0, done))) {
            done--;
        }
        empty(folder());
        List<Cli.Ended> ended = new ArrayList<>();
        if (done > 0) {
            Beginning before = Objects.requireNonNull(beginnings.get(calls.subList(0, done)));
            copy(before.folder(), folder());
            ended.addAll(before.ended());
        }
        Map<Integer, Path> copies = new TreeMap<>();
        for (int end = done + 1; end <= calls.size(); end++) {
            if (shared.contains(calls.subList(0, end))) {
                copies.put(end - done, work.resolve("beginning-" + (beginnings.size() + copies.size())));
            }
        }
        if (done < calls.size()) {
            ended.addAll(process.run(commands.subList(done, commands.size()), copies));
        }
        for (Map.Entry<Integer, Path> copy : copies.entrySet()) {
            int end = done + copy.getKey();
            beginnings.put(calls.subList(0, end), new Beginning(copy.getValue(), List.copyOf(ended.subList(0, end))));
        }
        return ended;
    }

    /** Runs further commands where a page's commands have run. */
    List<Cli.Ended> then(List<DocCommand> commands) throws IOException, InterruptedException {
        return process.run(commands, Map.of());
    }

    /** Whether a page may hold it: what the process says goes to files of its own. */
    private static boolean isOfPages(Path file) {
        return !file.getFileName().toString().startsWith("std");
    }

    private static void empty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(DocRuns::isOfPages).toList().forEach(Staging::delete);
        }
    }

    static void copy(Path from, Path to) {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.filter(DocRuns::isOfPages).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
