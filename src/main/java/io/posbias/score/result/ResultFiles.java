package io.posbias.score.result;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.process.UsageException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Finds results on disk. */
public final class ResultFiles {
    private ResultFiles() {}

    /**
     * Reads results from files and from all files called result.json in folders.
     *
     * @param datasets names or patterns like {@code posir/*} to keep; empty for all
     * @throws UsageException if a folder has none, none is kept, or two are of one cell
     */
    public static List<StoredCell> read(List<Path> inputs, List<String> datasets) {
        List<StoredCell> kept = new ArrayList<>();
        Map<String, Path> cells = new HashMap<>();
        Set<String> others = new LinkedHashSet<>();
        for (Path file : files(inputs)) {
            List<Result> held = ResultFile.read(file);
            // Other files beside it are of its one result.
            Path folder = held.size() == 1 ? file.resolveSibling("") : null;
            for (Result result : held) {
                if (!matches(result.dataset(), datasets)) {
                    others.add(result.dataset());
                    continue;
                }
                String cell = result.model() + " on " + result.dataset();
                Path other = cells.putIfAbsent(cell, file);
                if (other != null) {
                    throw new UsageException(
                            "two results of " + cell + ": " + other + " and " + file + "; a table shows one");
                }
                kept.add(new StoredCell(result, folder));
            }
        }
        if (kept.isEmpty() && !others.isEmpty()) {
            throw new UsageException("no result is on " + String.join(", ", datasets) + "; there are results on "
                    + String.join(", ", others));
        }
        return kept;
    }

    /**
     * Reads the finished cells in folders; results without queries.csv are left out.
     *
     * @throws UsageException if a folder has none
     */
    public static List<StoredCell> finished(List<Path> inputs, Consumer<String> say) {
        List<StoredCell> cells = new ArrayList<>();
        for (Path input : inputs) {
            boolean several = Files.isDirectory(input) && !Files.isRegularFile(input.resolve(ResultFile.NAME));
            for (Path file : several ? files(List.of(input)) : List.of(input)) {
                if (several && !Files.isRegularFile(file.resolveSibling(CsvFiles.QUERIES))) {
                    say.accept("note: " + file + " is left out: no " + CsvFiles.QUERIES + " is beside it");
                } else {
                    cells.add(StoredCell.read(file));
                }
            }
        }
        return cells;
    }

    /** Returns true if a name matches a pattern, or without patterns. */
    public static boolean matches(String dataset, List<String> patterns) {
        return patterns.isEmpty()
                || patterns.stream()
                        .map(pattern -> FileSystems.getDefault().getPathMatcher("glob:" + pattern))
                        .anyMatch(matcher -> matcher.matches(FileNames.path(dataset)));
    }

    private static Set<Path> files(List<Path> inputs) {
        Set<Path> files = new LinkedHashSet<>();
        for (Path input : inputs) {
            if (!Files.exists(input)) {
                throw new UsageException(input + ": file or folder not found");
            }
            List<Path> found = Files.isDirectory(input) ? find(input) : List.of(input);
            if (found.isEmpty()) {
                throw new UsageException("folder " + input + " holds no " + ResultFile.NAME);
            }
            found.forEach(file -> files.add(file.normalize()));
        }
        return files;
    }

    private static List<Path> find(Path folder) {
        return IoErrors.call("read", folder, () -> {
            try (Stream<Path> files = Files.walk(folder)) {
                return files.filter(file -> file.endsWith(ResultFile.NAME) && !FileNames.isHidden(folder, file))
                        .sorted(ResultFiles::byNames)
                        .toList();
            }
        });
    }

    /** Orders by the names of folders, so that a model is before its strategies: "a" before "a+chunked". */
    private static int byNames(Path one, Path other) {
        for (int i = 0; i < Math.min(one.getNameCount(), other.getNameCount()); i++) {
            int order = one.getName(i).compareTo(other.getName(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.getNameCount(), other.getNameCount());
    }
}
