package io.posbias.model.encode.onnx;

import ai.djl.Device;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import com.google.gson.Gson;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.Staging;
import io.posbias.base.process.ChildProcess;
import io.posbias.base.process.Closing;
import io.posbias.base.process.Session;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    private final ChildProcess process;
    private final DataOutputStream to;
    private final DataInputStream from;
    private @Nullable String end;

    private TokenizerProcess(ChildProcess process) {
        this.process = process;
        this.to = new DataOutputStream(process.to());
        this.from = new DataInputStream(process.from());
    }

    /**
     * Starts a child that reads a tokenizer.json.
     *
     * @throws IllegalStateException with the library's message, or how it ended the child
     */
    static TokenizerProcess read(byte[] json, Session session) throws IOException {
        Map<String, String> properties = NativeTokenizer.prepare(session);
        Staging scratch = Staging.temporary("tokenizer", session.shutdown());
        ProcessBuilder builder = new ProcessBuilder(command(properties, scratch.folder()))
                .directory(scratch.folder().toFile());
        builder.environment().keySet().retainAll(ENVIRONMENT);
        TokenizerProcess child = new TokenizerProcess(ChildProcess.start(builder, scratch::close, session.shutdown()));
        return Closing.onFailure(
                () -> {
                    child.ask(out -> {
                        out.writeInt(json.length);
                        out.write(json);
                    });
                    return child;
                },
                child::close);
    }

    private static List<String> command(Map<String, String> properties, Path folder) {
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
        properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(List.of("-cp", classPath(), TokenizerChild.class.getName()));
        return command;
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
        return ask(out -> {
            out.writeBoolean(special);
            TokenizerChild.write(out, text);
            out.writeBoolean(second != null);
            if (second != null) {
                TokenizerChild.write(out, second);
            }
        });
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
                end = process.end(this::words);
                process.kill();
            }
        }
        throw new IllegalStateException(end);
    }

    /** Rust's message stands on the line after "panicked at FILE:LINE". */
    private String words(int code) {
        return switch (code) {
            case TokenizerChild.LATE -> "the library takes too long";
            case TokenizerChild.LARGE -> "the library takes too much memory";
            default ->
                "the library ended its process: "
                        + process.errors().stream()
                                .dropWhile(line -> !line.contains(" panicked at "))
                                .skip(1)
                                .findFirst()
                                .orElse("exit code " + code);
        };
    }

    @Override
    public void close() {
        process.close();
    }
}
