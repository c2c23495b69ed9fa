package io.posbias.faults;

import io.posbias.base.files.StagingProcess;
import io.posbias.cli.Cli;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * posbias in processes whose system calls strace counts, and at one of them kills the process or lets the call fail. Starts
 * are made cheap: one jar, an archive of loaded classes, the first compiler only.
 */
final class Traced {
    /** The calls by which a program uses files, and the errors that each may meet. */
    static final Map<String, List<String>> CALLS = Map.ofEntries(
            Map.entry("openat", List.of("EIO", "ENOSPC", "EMFILE", "EACCES", "EROFS")),
            Map.entry("read", List.of("EIO")),
            Map.entry("write", List.of("EIO", "ENOSPC", "EDQUOT")),
            Map.entry("pwrite64", List.of("EIO", "ENOSPC")),
            Map.entry("rename", List.of("EIO", "EACCES", "ENOSPC", "EROFS")),
            Map.entry("unlink", List.of("EIO", "EACCES", "EBUSY")),
            Map.entry("rmdir", List.of("EIO", "EACCES")),
            Map.entry("mkdir", List.of("EIO", "ENOSPC", "EACCES", "EROFS")),
            Map.entry("fsync", List.of("EIO", "ENOSPC")),
            Map.entry("ftruncate", List.of("EIO", "ENOSPC")),
            Map.entry("fcntl", List.of("ENOLCK")));

    private static final String COUNTED = String.join(",", CALLS.keySet());
    /** strace shows the working folder wherever a path is relative to it. */
    private static final Pattern WORKING_FOLDER = Pattern.compile("AT_FDCWD<[^>]*>");

    /** Requests to workers, and their answers. */
    private static final Pattern PIPE = Pattern.compile("\\d+<pipe:");

    private static final String NO_STRACE = "skipped: strace is not here, or may not trace";
    private static final Pattern CALL = Pattern.compile("(\\d+) +([a-z0-9]+)\\((.*)");

    private final Path folder;
    private final Path jar;
    private final Path archive;
    private final String libraries;

    private Traced(Path folder, Path jar, Path archive, String libraries) {
        this.folder = folder;
        this.jar = jar;
        this.archive = archive;
        this.libraries = libraries;
    }

    /** A call that a command makes: the n-th of its name by one thread, counted from 1. */
    record Call(String name, int number, String arguments) {}

    /** A process that has ended; a code of 137 says that it was killed. */
    record Ended(Cli.Ended cli, boolean hung) {}

    /** Why processes cannot be traced here; empty where they can. */
    static String unavailable() {
        return StagingProcess.works(List.of("strace", "-f", "-o", "/dev/null", "-e", "inject=fsync:error=EIO"))
                ? ""
                : NO_STRACE;
    }

    /** Packs the classes under test, and archives those that a first command loads. */
    static Traced in(Path folder) throws IOException, InterruptedException {
        List<Path> path = Stream.of(System.getProperty("java.class.path").split(":"))
                .map(Path::of)
                .toList();
        Path jar = folder.resolve("posbias.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Path classes : path) {
                if (Files.isDirectory(classes.resolve("io/posbias/configs"))) {
                    pack(classes, out);
                }
            }
        }
        String libraries = path.stream()
                .filter(entry -> entry.toString().endsWith(".jar"))
                .map(Path::toString)
                .collect(Collectors.joining(":"));
        Traced traced = new Traced(folder, jar, folder.resolve("posbias.jsa"), libraries);
        traced.start(
                List.of(),
                List.of("-XX:ArchiveClassesAtExit=" + traced.archive),
                Map.of(),
                folder,
                List.of("models", "list"));
        return traced;
    }

    private static void pack(Path classes, JarOutputStream out) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(path -> !path.equals(classes)).toList()) {
                boolean isFolder = Files.isDirectory(file);
                out.putNextEntry(new ZipEntry(classes.relativize(file) + (isFolder ? "/" : "")));
                if (!isFolder) {
                    Files.copy(file, out);
                }
            }
        }
    }

    Ended run(FileKind kind) throws IOException, InterruptedException {
        return start(List.of(), kind);
    }

    /** The calls of a command that name something in its folder, or write to another process, in their order. */
    List<Call> calls(FileKind kind) throws IOException, InterruptedException {
        Path log = Files.createTempFile(folder, "calls", "");
        start(
                List.of(
                        "strace",
                        "-f",
                        "-qq",
                        "-y",
                        "-s",
                        "4096",
                        "-o",
                        log.toString(),
                        "-e",
                        "trace=" + COUNTED,
                        "-e",
                        "signal=none"),
                kind);
        Map<String, Integer> counts = new HashMap<>();
        List<Call> calls = new ArrayList<>();
        for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
            Matcher call = CALL.matcher(line);
            if (call.lookingAt()) {
                int number = counts.merge(call.group(1) + call.group(2), 1, Integer::sum);
                String arguments = WORKING_FOLDER.matcher(call.group(3)).replaceAll("");
                boolean isQuestion = call.group(2).equals("fcntl") && !arguments.contains("F_SETLK");
                boolean isRequest =
                        call.group(2).equals("write") && PIPE.matcher(arguments).lookingAt();
                if (isRequest || (arguments.contains(kind.folder().root() + "/") && !isQuestion)) {
                    calls.add(new Call(call.group(2), number, arguments));
                }
            }
        }
        Files.delete(log);
        return calls;
    }

    /** Runs a command, whose call strace replaces as {@code what} says: a signal or an error. */
    Ended inject(FileKind kind, Call call, String what) throws IOException, InterruptedException {
        String injection = "inject=" + call.name() + ":" + what + ":when=" + call.number();
        return start(
                List.of("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call.name(), "-e", injection), kind);
    }

    /** What a killed process has written may end in the middle of a character. */
    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    Ended start(List<String> before, FileKind kind) throws IOException, InterruptedException {
        return start(
                before,
                List.of("-XX:SharedArchiveFile=" + archive, "-Xshare:auto"),
                kind.posbias().environment(),
                kind.folder().root(),
                kind.command());
    }

    private Ended start(
            List<String> before, List<String> options, Map<String, String> environment, Path root, List<Object> command)
            throws IOException, InterruptedException {
        Path temporary = Files.createDirectories(root.resolve("tmp"));
        Path out = Files.createTempFile(folder, "stdout", "");
        Path err = Files.createTempFile(folder, "stderr", "");
        List<String> words = new ArrayList<>(before);
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(options);
        words.addAll(List.of(
                "-Xlog:disable",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xmx512m",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                jar + ":" + libraries,
                "io.posbias.cli.Main"));
        command.forEach(word -> words.add(String.valueOf(word)));
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(root.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(Campaign.HANG_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        Cli.Ended cli = new Cli.Ended(process.exitValue(), text(out), text(err));
        Files.delete(out);
        Files.delete(err);
        return new Ended(cli, !ended);
    }
}
