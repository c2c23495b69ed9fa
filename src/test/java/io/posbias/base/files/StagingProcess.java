package io.posbias.base.files;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

public final class StagingProcess implements AutoCloseable {
    /** Runs the program that follows as process number 1 of a PID namespace of its own, as in a container. */
    public static final List<String> NAMESPACE = List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child");

    private final Process process;

    private StagingProcess(Process process) {
        this.process = process;
    }

    static StagingProcess start(Path target, String content, boolean namespace) throws IOException {
        return start(List.of(target.toString(), content), namespace);
    }

    /** Starts a process that writes into a folder until it is killed. */
    public static StagingProcess within(Path target) throws IOException {
        return start(List.of(target.toString()), false);
    }

    private static StagingProcess start(List<String> arguments, boolean namespace) throws IOException {
        List<String> command = new ArrayList<>(namespace ? NAMESPACE : List.of());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                // Two processes of one number in one /tmp: Java would warn on stdout.
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                StagingProcess.class.getName()));
        command.addAll(arguments);
        return new StagingProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    public static boolean hasNamespaces() {
        return works(NAMESPACE);
    }

    public static boolean works(List<String> program) {
        try {
            Process process = new ProcessBuilder(
                            Stream.concat(program.stream(), Stream.of("true")).toList())
                    .redirectErrorStream(true)
                    .start();
            process.getInputStream().readAllBytes();
            return process.waitFor() == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    public static void main(String[] arguments) throws IOException {
        Session session = Sessions.saying(Path.of("target", "home").toAbsolutePath(), System.out::println);
        Path target = Path.of(arguments[0]);
        try (Staging staging =
                arguments.length == 1 ? Staging.within(target, session) : Staging.beside(target, session)) {
            Files.writeString(staging.folder().resolve("file"), arguments[arguments.length - 1]);
            System.out.println("staged " + ProcessHandle.current().pid());
            System.in.read();
            staging.commitFolder();
            System.out.println("committed");
        } catch (PosbiasException refused) {
            System.out.println(refused.line());
        }
    }

    public String line() throws IOException {
        return String.valueOf(process.inputReader().readLine());
    }

    void go() throws IOException {
        process.getOutputStream().close();
    }

    public void kill() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
