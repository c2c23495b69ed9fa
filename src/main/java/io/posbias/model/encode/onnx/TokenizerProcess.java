package io.posbias.model.encode.onnx;

import ai.djl.Device;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import com.google.gson.Gson;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.process.Closing;
import io.posbias.base.process.Session;
import io.posbias.base.process.Shutdown;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The library in a child process, {@link TokenizerChild}: a tokenizer that ends it ends nothing else. Texts are
 * tokenised one after another.
 */
final class TokenizerProcess implements TokenizerLibrary {
    /** No secret of the environment is in a process that may read anything. */
    private static final Set<String> ENVIRONMENT = Set.of("PATH", "LD_LIBRARY_PATH", "SystemRoot");

    /** Exit codes of SIGINT and SIGTERM. */
    private static final Set<Integer> INTERRUPTED = Set.of(130, 143);

    private static final int WAITS = 50;
    private static final int WAIT_MILLIS = 10;

    private final Staging scratch;
    private final Shutdown shutdown;
    private final Process process;
    private final DataOutputStream to;
    private final DataInputStream from;
    private @Nullable String end;

    private TokenizerProcess(Staging scratch, Process process, Shutdown shutdown) {
        this.scratch = scratch;
        this.shutdown = shutdown;
        this.process = process;
        this.to = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
        this.from = new DataInputStream(new BufferedInputStream(process.getInputStream()));
    }

    /**
     * Starts a child that reads a tokenizer.json.
     *
     * @throws IllegalStateException with the library's message, or how it ended the child
     */
    static TokenizerProcess read(byte[] json, Session session) throws IOException {
        TokenizerProcess child = start(session);
        try {
            child.ask(out -> {
                out.writeInt(json.length);
                out.write(json);
            });
            return child;
        } catch (RuntimeException refused) {
            child.close();
            throw refused;
        }
    }

    private static TokenizerProcess start(Session session) throws IOException {
        Staging scratch = Staging.temporary("tokenizer", session.shutdown());
        Path folder = scratch.folder();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                // A crash writes no report and no core file.
                "-XX:+SuppressFatalErrorMessage",
                "-XX:-CreateCoredumpOnCrash",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder,
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off"));
        NativeTokenizer.prepare(session).forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(List.of("-cp", classPath(), TokenizerChild.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(errors(folder).toFile());
        builder.environment().keySet().retainAll(ENVIRONMENT);
        return Closing.onFailure(
                () -> new TokenizerProcess(scratch, IoErrors.call("start", folder, builder::start), session.shutdown()),
                scratch::close);
    }

    private static Path errors(Path folder) {
        return folder.resolve("stderr");
    }

    /** Returns the places of the child's classes; another program that uses posbias may load them from anywhere. */
    private static String classPath() {
        return Stream.of(TokenizerChild.class, HuggingFaceTokenizer.class, Device.class, Gson.class, Logger.class)
                .map(type -> FileNames.holding(type).toString())
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    @FunctionalInterface
    private interface Request {
        void writeTo(DataOutputStream out) throws IOException;
    }

    @Override
    public Encoded encode(String text, @Nullable String second, boolean special) {
        return ask(out -> TokenizerChild.write(text, second, special, out));
    }

    private synchronized Encoded ask(Request request) {
        if (end == null) {
            try {
                request.writeTo(to);
                to.flush();
                if (!from.readBoolean()) {
                    throw new IllegalStateException(from.readUTF());
                }
                return TokenizerChild.read(from);
            } catch (IOException gone) {
                end = reason();
            }
        }
        throw new IllegalStateException(end);
    }

    private String reason() {
        try {
            int code = process.waitFor();
            // Ctrl-C ends both processes, perhaps the child first.
            for (int i = 0; i < WAITS && INTERRUPTED.contains(code) && !shutdown.isUnderWay(); i++) {
                Thread.sleep(WAIT_MILLIS);
            }
            return switch (code) {
                case TokenizerChild.LATE -> "the library takes too long";
                case TokenizerChild.LARGE -> "the library takes too much memory";
                default -> "the library ended its process: " + panic("exit code " + code);
            };
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /** Returns Rust's message, on the line after "panicked at FILE:LINE". */
    private String panic(String unknown) {
        try {
            List<String> lines = Files.readString(errors(scratch.folder()), StandardCharsets.ISO_8859_1)
                    .lines()
                    .dropWhile(line -> !line.contains(" panicked at "))
                    .toList();
            return lines.size() > 1 ? lines.get(1) : unknown;
        } catch (IOException unreadable) {
            return unknown;
        }
    }

    @Override
    public void close() {
        try {
            process.destroyForcibly().waitFor();
            scratch.close();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
