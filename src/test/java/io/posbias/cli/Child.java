package io.posbias.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * posbias in a process of its own, which takes a second and more: only for what is about the process, such as a kill, its
 * working folder or its locale. All else is a {@link Posbias}.
 */
final class Child {
    /**
     * What a shell starts in the background without job control ignores Ctrl-C, and so would its children; env undoes that
     * where it can.
     */
    private static final List<String> HEEDING_CONTROL_C = heedingControlC();

    private final Path out;
    private final Path err;
    private final Process process;

    private Child(Path out, Path err, Process process) {
        this.out = out;
        this.err = err;
        this.process = process;
    }

    static Child start(Path folder, Map<String, String> environment, Object... arguments) throws IOException {
        return startBy("exec \"$@\"", folder, environment, arguments);
    }

    static Child startMain(Class<?> main, Path folder, Map<String, String> environment, Object... arguments)
            throws IOException {
        return start("exec \"$@\"", main, folder, environment, arguments);
    }

    static Child startBy(String script, Path folder, Map<String, String> environment, Object... arguments)
            throws IOException {
        return start(script, Main.class, folder, environment, arguments);
    }

    private static Child start(
            String script, Class<?> main, Path folder, Map<String, String> environment, Object... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(HEEDING_CONTROL_C);
        command.addAll(List.of("bash", "-c", script, "bash"));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(Cli.words(arguments));
        Path out = Files.createTempFile(folder, "stdout", "");
        Path err = Files.createTempFile(folder, "stderr", "");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("POSBIAS_HOME", folder.resolve("home").toString());
        builder.environment().put("HF_HOME", folder.resolve("hf").toString());
        builder.environment().putAll(environment);
        return new Child(out, err, builder.start());
    }

    private static List<String> heedingControlC() {
        List<String> env = List.of("/usr/bin/env", "--default-signal=INT");
        try {
            Process probe = new ProcessBuilder("/usr/bin/env", "--default-signal=INT", "true")
                    .redirectErrorStream(true)
                    .start();
            return probe.waitFor() == 0 ? env : List.of();
        } catch (IOException none) {
            return List.of();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    static Cli.Ended run(Path folder, Map<String, String> environment, Object... arguments)
            throws IOException, InterruptedException {
        return start(folder, environment, arguments).end();
    }

    Cli.Ended end() throws IOException, InterruptedException {
        int code = process.waitFor();
        return new Cli.Ended(code, Files.readString(out), err());
    }

    String err() throws IOException {
        return Files.readString(err, StandardCharsets.UTF_8);
    }

    Child tell(String line) throws IOException {
        process.outputWriter().write(line + "\n");
        process.outputWriter().flush();
        return this;
    }

    void tellNoMore() throws IOException {
        process.outputWriter().close();
    }

    long pid() {
        return process.pid();
    }

    interface Event {
        boolean happened() throws IOException;
    }

    /** Waits until something happened, looking every few milliseconds, or until the process has ended. */
    Child until(Event event) throws InterruptedException {
        while (!happened(event) && !process.waitFor(2, TimeUnit.MILLISECONDS)) {
            Thread.onSpinWait();
        }
        return this;
    }

    private static boolean happened(Event event) {
        try {
            return event.happened();
        } catch (IOException | UncheckedIOException goneWhileLooking) {
            return false;
        }
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
