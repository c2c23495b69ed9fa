package io.posbias.scale.spark;

import io.posbias.FileNames;
import io.posbias.Staging;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Files that only grow at their end, which one process writes: vectors and scores. As no object store appends, elsewhere a file is a
 * folder of parts, each called after the bytes that it has, {@code 000000000000-000000004096}; a part that is shorter than its name
 * says is not whole and is left out, with those behind it.
 *
 * @param root of all here
 * @param copied how much of each is elsewhere
 */
record GrowingFiles(Path root, Map<String, Long> copied) implements Mirrored {
    private static final String NAME = "vectors/";
    private static final Pattern PART = Pattern.compile("(.+)/(\\d{12})-(\\d{12})");

    GrowingFiles(Path root) {
        this(root, new HashMap<>());
    }

    /** Where a part begins and ends. */
    private record Part(String name, long from, long to) {}

    @Override
    public int fetch(RemoteFolder remote) throws IOException {
        TreeMap<String, List<Part>> all = parts(remote.list(NAME));
        int fetched = 0;
        for (Map.Entry<String, List<Part>> file : all.entrySet()) {
            Path here = FileNames.inside(root, file.getKey());
            long size = file.getValue().getLast().to;
            copied.put(file.getKey(), size);
            if (!Files.exists(here) || Files.size(here) < size) {
                Files.createDirectories(here.resolveSibling(""));
                Staging.replace(here, out -> {
                    for (Part part : file.getValue()) {
                        remote.read(NAME + part.name, out);
                    }
                });
                fetched++;
            }
        }
        return fetched;
    }

    /** The parts of each file that has some, as far as they follow one another. */
    private static TreeMap<String, List<Part>> parts(SortedMap<String, Long> sizes) {
        TreeMap<String, List<Part>> all = new TreeMap<>();
        sizes.forEach((name, size) -> {
            Matcher part = PART.matcher(name);
            if (!part.matches()) {
                return;
            }
            Part one = new Part(name, Long.parseLong(part.group(2)), Long.parseLong(part.group(3)));
            List<Part> before = all.getOrDefault(part.group(1), List.of());
            long end = before.isEmpty() ? 0 : before.getLast().to;
            if (one.from == end && one.to - one.from == size) {
                all.put(
                        part.group(1),
                        Stream.concat(before.stream(), Stream.of(one)).toList());
            }
        });
        return all;
    }

    @Override
    public void push(RemoteFolder remote) throws IOException {
        if (!Files.isDirectory(root)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.filter(file -> !String.valueOf(file.getFileName()).startsWith("."))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            String name = root.relativize(file).toString().replace('\\', '/');
            long from = copied.getOrDefault(name, 0L);
            try (FileChannel channel = FileChannel.open(file)) {
                long to = channel.size();
                if (to > from) {
                    remote.write(
                            String.format(Locale.ROOT, "%s%s/%012d-%012d", NAME, name, from, to), channel, from, to);
                    copied.put(name, to);
                }
            }
        }
    }
}
