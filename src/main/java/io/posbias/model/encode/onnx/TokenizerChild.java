package io.posbias.model.encode.onnx;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.fetch.jars.JavaErrors;
import io.posbias.model.encode.onnx.TokenizerLibrary.Encoded;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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
    private static final int TOKEN = 3 * Long.BYTES + 2 * Integer.BYTES;

    private final DataInputStream in;
    private final DataOutputStream out;
    private @Nullable TokenizerLibrary library;

    /** Characters of the current text; -1 between two texts. */
    private volatile long characters = -1;

    private volatile long began;

    private TokenizerChild(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    public static void main(String[] none) throws IOException {
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in)));
        TokenizerChild child = new TokenizerChild(in, out);
        Thread.ofPlatform().daemon().start(child::watch);
        try {
            while (true) {
                child.answer();
            }
        } catch (EOFException closed) {
            // The parent's end.
        }
    }

    private void answer() throws IOException {
        Encoded encoded;
        try {
            TokenizerLibrary open = library;
            if (open == null) {
                byte[] json = in.readNBytes(in.readInt());
                begin(json.length / 10);
                library = NativeTokenizer.read(json, Session.quiet(Map.of(), Path.of("")));
                encoded = new Encoded(new long[0], new long[0], new long[0], new int[0], new int[0]);
            } else {
                boolean special = in.readBoolean();
                String text = text();
                String second = in.readBoolean() ? text() : null;
                begin((long) text.length() + (second == null ? 0 : second.length()));
                encoded = open.encode(text, second, special);
            }
        } catch (RuntimeException | Error refused) {
            String message = JavaErrors.explain(refused)
                    .map(PosbiasException::line)
                    .orElseGet(() -> String.valueOf(refused.getMessage()));
            out.writeBoolean(false);
            out.writeUTF(message.substring(0, Math.min(LONGEST_MESSAGE, message.length())));
            out.flush();
            return;
        } finally {
            characters = -1;
        }
        out.writeBoolean(true);
        write(encoded);
        out.flush();
    }

    private void begin(long length) {
        began = spent();
        characters = length;
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

    /** Writes a request, as UTF-16: a text may hold half a surrogate pair. */
    static void write(String text, @Nullable String second, boolean special, DataOutputStream out) throws IOException {
        out.writeBoolean(special);
        write(text, out);
        out.writeBoolean(second != null);
        if (second != null) {
            write(second, out);
        }
    }

    private static void write(String text, DataOutputStream out) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(Character.BYTES, text.length()));
        bytes.asCharBuffer().put(text);
        out.writeInt(text.length());
        out.write(bytes.array());
    }

    private String text() throws IOException {
        int length = in.readInt();
        return ByteBuffer.wrap(bytes(in, Character.BYTES * length))
                .asCharBuffer()
                .toString();
    }

    private void write(Encoded encoded) throws IOException {
        int size = encoded.ids().length;
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(TOKEN, size));
        for (int i = 0; i < size; i++) {
            bytes.putLong(encoded.ids()[i]).putLong(encoded.types()[i]).putLong(encoded.special()[i]);
            bytes.putInt(encoded.starts()[i]).putInt(encoded.ends()[i]);
        }
        out.writeInt(size);
        out.write(bytes.array());
    }

    /** Reads the tokens of an answer. */
    static Encoded read(DataInputStream in) throws IOException {
        int size = in.readInt();
        ByteBuffer bytes = ByteBuffer.wrap(bytes(in, Math.multiplyExact(TOKEN, size)));
        Encoded encoded = new Encoded(new long[size], new long[size], new long[size], new int[size], new int[size]);
        for (int i = 0; i < size; i++) {
            encoded.ids()[i] = bytes.getLong();
            encoded.types()[i] = bytes.getLong();
            encoded.special()[i] = bytes.getLong();
            encoded.starts()[i] = bytes.getInt();
            encoded.ends()[i] = bytes.getInt();
        }
        return encoded;
    }

    private static byte[] bytes(DataInputStream in, int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }
}
