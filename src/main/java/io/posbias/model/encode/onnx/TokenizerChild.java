package io.posbias.model.encode.onnx;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.fetch.jars.JavaErrors;
import io.posbias.model.encode.onnx.TokenizerLibrary.Encoded;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Program of {@link TokenizerProcess}: reads a tokenizer.json and texts from stdin and writes their tokens to stdout. It
 * ends itself if one text takes too much processor time or memory.
 */
final class TokenizerChild {
    /** Exit code after too much processor time. */
    static final int LATE = 3;

    /** Exit code after too much memory. */
    static final int LARGE = 4;

    private static final long NANOS = Duration.ofSeconds(10).toNanos();
    private static final long NANOS_PER_CHARACTER = Duration.ofSeconds(20).toNanos() / 1_000_000;
    private static final long KIBIBYTES = 2L << 20;
    private static final int LOOK_MILLIS = 50;

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final int LONGEST_MESSAGE = 2000;

    private final DataInputStream in = new DataInputStream(System.in);
    private final DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));

    /** Characters of the current text; -1 between two texts. */
    private volatile long characters = -1;

    private volatile long began;

    private TokenizerChild() {}

    public static void main(String[] none) throws IOException {
        TokenizerChild child = new TokenizerChild();
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        Thread.ofPlatform().daemon().start(child::watch);
        try {
            child.run();
        } catch (EOFException closed) {
            // The parent's end.
        }
    }

    private void run() throws IOException {
        byte[] json = in.readNBytes(in.readInt());
        TokenizerLibrary library =
                limited(json.length / 10, () -> NativeTokenizer.read(json, Session.quiet(Map.of(), Path.of(""))));
        if (library == null) {
            return;
        }
        answer(new Encoded(new int[0], new int[0], new int[0], new int[0], new int[0]));
        while (true) {
            boolean special = in.readBoolean();
            String text = text();
            String second = in.readBoolean() ? text() : null;
            long length = (long) text.length() + (second == null ? 0 : second.length());
            Encoded encoded = limited(length, () -> library.encode(text, second, special));
            if (encoded != null) {
                answer(encoded);
            }
        }
    }

    /** Does the work of a text within the limits. If it fails, the message is the answer, and null is returned. */
    private <T> @Nullable T limited(long length, Callable<T> work) throws IOException {
        began = spent();
        characters = length;
        try {
            return work.call();
        } catch (Exception | Error refused) {
            String message = JavaErrors.explain(refused)
                    .map(PosbiasException::line)
                    .orElseGet(() -> String.valueOf(refused.getMessage()));
            out.writeBoolean(false);
            out.writeUTF(message.substring(0, Math.min(LONGEST_MESSAGE, message.length())));
            out.flush();
            return null;
        } finally {
            characters = -1;
        }
    }

    private static long spent() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElseGet(System::nanoTime);
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                long length = characters;
                if (length >= 0 && spent() - began > NANOS + length * NANOS_PER_CHARACTER) {
                    Runtime.getRuntime().halt(LATE);
                }
                if (length >= 0 && resident() > KIBIBYTES + length / 2) {
                    Runtime.getRuntime().halt(LARGE);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns this process's memory in KiB; 0 where the system does not tell. */
    private static long resident() {
        try {
            return Files.readString(STATUS)
                    .lines()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException otherSystem) {
            return 0;
        }
    }

    /** Writes a text as UTF-16: it may hold half a surrogate pair. */
    static void write(DataOutputStream out, String text) throws IOException {
        out.writeInt(text.length());
        out.writeChars(text);
    }

    private String text() throws IOException {
        char[] text = new char[in.readInt()];
        for (int i = 0; i < text.length; i++) {
            text[i] = in.readChar();
        }
        return new String(text);
    }

    private void answer(Encoded encoded) throws IOException {
        out.writeBoolean(true);
        out.writeInt(encoded.ids().length);
        for (int i = 0; i < encoded.ids().length; i++) {
            out.writeInt(encoded.ids()[i]);
            out.writeInt(encoded.types()[i]);
            out.writeInt(encoded.special()[i]);
            out.writeInt(encoded.starts()[i]);
            out.writeInt(encoded.ends()[i]);
        }
        out.flush();
    }

    /** Reads the tokens of an answer. */
    static Encoded read(DataInputStream in) throws IOException {
        int size = in.readInt();
        Encoded encoded = new Encoded(new int[size], new int[size], new int[size], new int[size], new int[size]);
        for (int i = 0; i < size; i++) {
            encoded.ids()[i] = in.readInt();
            encoded.types()[i] = in.readInt();
            encoded.special()[i] = in.readInt();
            encoded.starts()[i] = in.readInt();
            encoded.ends()[i] = in.readInt();
        }
        return encoded;
    }
}
