package io.posbias.model.encode.onnx;

import io.posbias.base.files.IoErrors;
import io.posbias.base.process.PosbiasException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * File that is read in parts, since one of many gigabytes does not fit into an array.
 *
 * @param name in errors
 * @param reader fills a buffer from a byte on
 */
record StoredFile(String name, LongSupplier length, Reader reader) {
    private static final int PIECE = 1 << 20;

    private interface Reader {
        void read(long from, ByteBuffer into);
    }

    /** Formats of numbers, little-endian. */
    enum Floats {
        F32(Float.BYTES),
        F16(Short.BYTES),
        BF16(Short.BYTES),
        F64(Double.BYTES),
        I8(Byte.BYTES),
        I32(Integer.BYTES),
        I64(Long.BYTES);

        private final int bytes;

        Floats(int bytes) {
            this.bytes = bytes;
        }

        int bytes() {
            return bytes;
        }

        private float next(ByteBuffer in) {
            return switch (this) {
                case F32 -> in.getFloat();
                case F16 -> Float.float16ToFloat(in.getShort());
                case BF16 -> Float.intBitsToFloat(in.getShort() << 16);
                case F64 -> (float) in.getDouble();
                case I8 -> in.get();
                case I32 -> in.getInt();
                case I64 -> in.getLong();
            };
        }
    }

    static StoredFile of(String name, byte[] content) {
        return new StoredFile(
                name, () -> content.length, (from, into) -> into.put(content, Math.toIntExact(from), into.remaining()));
    }

    static StoredFile of(String name, Path path) {
        return new StoredFile(
                name,
                () -> IoErrors.call("read", path, () -> Files.size(path)),
                (from, into) -> read(path, from, into));
    }

    long size() {
        return length.getAsLong();
    }

    byte[] bytes(long from, int length) {
        byte[] bytes = new byte[length];
        reader.read(from, ByteBuffer.wrap(bytes));
        return bytes;
    }

    float[] floats(long from, int count, Floats type) {
        float[] floats = new float[count];
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE, (long) count * type.bytes))
                .order(ByteOrder.LITTLE_ENDIAN);
        long at = from;
        for (int done = 0; done < count; ) {
            int now = Math.min(count - done, piece.capacity() / type.bytes);
            piece.clear().limit(now * type.bytes);
            reader.read(at, piece);
            piece.flip();
            for (int i = 0; i < now; i++) {
                floats[done + i] = type.next(piece);
            }
            done += now;
            at += (long) now * type.bytes;
        }
        return floats;
    }

    private static void read(Path path, long from, ByteBuffer into) {
        try (FileChannel channel = FileChannel.open(path)) {
            long at = from;
            while (into.hasRemaining()) {
                int read = channel.read(into, at);
                if (read < 0) {
                    throw new PosbiasException(String.format(
                            Locale.ROOT, "%s ends at byte %d: it was truncated while it was read", path, at));
                }
                at += read;
            }
        } catch (IOException unreadable) {
            throw IoErrors.refused("read", path, unreadable);
        }
    }
}
