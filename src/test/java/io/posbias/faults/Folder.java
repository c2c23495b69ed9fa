package io.posbias.faults;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.Staging;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

record Folder(Path root) {
    /** Native libraries are unpacked there once, whatever is broken. */
    private static final String NATIVE = "home/native/";

    /** Its files by their paths, but for locks, whose files stay, and for those of a subfolder that is not wanted. */
    List<String> files() {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> !Files.isDirectory(file))
                    .map(file -> root.relativize(file).toString())
                    .filter(file -> !file.startsWith(NATIVE) && !file.endsWith(".lock"))
                    .sorted()
                    .toList();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    Map<String, String> digests(String below, Predicate<String> wanted) {
        Map<String, String> digests = new TreeMap<>();
        for (String file : files()) {
            if (file.startsWith(below + "/") && wanted.test(file)) {
                digests.put(file, Checksums.sha256(root.resolve(file)));
            }
        }
        return digests;
    }

    Map<String, byte[]> contents() {
        Map<String, byte[]> contents = new TreeMap<>();
        files().forEach(file -> contents.put(file, read(file)));
        return contents;
    }

    private byte[] read(String file) {
        try {
            return Files.readAllBytes(root.resolve(file));
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** Replaces a text in all files that contain it; returns false if none does. */
    boolean replace(String old, String by) {
        boolean found = false;
        for (Map.Entry<String, byte[]> file : contents().entrySet()) {
            String text = new String(file.getValue(), StandardCharsets.ISO_8859_1);
            if (text.contains(old)) {
                write(file.getKey(), text.replace(old, by).getBytes(StandardCharsets.ISO_8859_1));
                found = true;
            }
        }
        return found;
    }

    void age() {
        FileTime then = FileTime.from(Instant.now().minus(Duration.ofDays(2)));
        try {
            for (String file : files()) {
                Files.setLastModifiedTime(root.resolve(file), then);
            }
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    void restore(Map<String, byte[]> contents) {
        try {
            for (String file : files()) {
                if (!contents.containsKey(file)) {
                    Files.delete(root.resolve(file));
                }
            }
            deleteEmpty();
            for (Map.Entry<String, byte[]> entry : contents.entrySet()) {
                Path file = root.resolve(entry.getKey());
                if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), entry.getValue())) {
                    Files.createDirectories(file.getParent());
                    Files.write(file, entry.getValue());
                }
            }
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private void deleteEmpty() throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                if (Files.isDirectory(path) && !path.equals(root) && isEmpty(path)) {
                    Files.delete(path);
                }
            }
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    Path at(String file) {
        return root.resolve(file);
    }

    /** The first of its files whose path begins and ends like a pattern with two stars. */
    String match(String pattern) {
        String[] ends = pattern.split("\\*\\*", 2);
        return ends.length == 1
                ? pattern
                : files().stream()
                        .filter(file -> file.startsWith(ends[0]) && file.endsWith(ends[1]))
                        .findFirst()
                        .orElseThrow();
    }

    Path write(String file, String text) {
        return write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    Path write(String file, byte[] bytes) {
        try {
            Files.createDirectories(at(file).getParent());
            return Files.write(at(file), bytes);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    void delete(String below) {
        Staging.delete(root.resolve(below));
    }
}
