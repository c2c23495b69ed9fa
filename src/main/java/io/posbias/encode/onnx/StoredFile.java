package io.posbias.encode.onnx;

import io.posbias.PosbiasException;
import io.posbias.Problems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** A file of which parts are read: one of many gigabytes is larger than an array can be. */
abstract sealed class StoredFile {
    private static final int PIECE = 1 << 20;

    private final String name;

    private StoredFile(String name) {
        this.name = name;
    }

    /** How floats are written down, the lowest byte first. */
    enum Floats {
        F32(Float.BYTES),
        F16(Short.BYTES),
        BF16(Short.BYTES);

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
            };
        }
    }

    /**
     * A file in memory.
     *
     * @param name what errors call it
     */
    static StoredFile of(String name, byte[] content) {
        return new InMemory(name, content);
    }

    /** A file on disk. */
    static StoredFile of(String name, Path path) {
        return new OnDisk(name, path);
    }

    /** What errors call it. */
    String name() {
        return name;
    }

    abstract long size();

    abstract void read(long from, ByteBuffer into);

    /** So many bytes from one on, all of which are in the file. */
    byte[] bytes(long from, int length) {
        byte[] bytes = new byte[length];
        read(from, ByteBuffer.wrap(bytes));
        return bytes;
    }

    /** So many floats from a byte on, all of which are in the file. */
    float[] floats(long from, int count, Floats type) {
        float[] floats = new float[count];
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE, (long) count * type.bytes))
                .order(ByteOrder.LITTLE_ENDIAN);
        long at = from;
        for (int done = 0; done < count; ) {
            int now = Math.min(count - done, piece.capacity() / type.bytes);
            piece.clear().limit(now * type.bytes);
            read(at, piece);
            piece.flip();
            for (int i = 0; i < now; i++) {
                floats[done + i] = type.next(piece);
            }
            done += now;
            at += (long) now * type.bytes;
        }
        return floats;
    }

    private static final class InMemory extends StoredFile {
        private final byte[] content;

        InMemory(String name, byte[] content) {
            super(name);
            this.content = content;
        }

        @Override
        long size() {
            return content.length;
        }

        @Override
        void read(long from, ByteBuffer into) {
            into.put(content, Math.toIntExact(from), into.remaining());
        }
    }

    private static final class OnDisk extends StoredFile {
        private final Path path;

        OnDisk(String name, Path path) {
            super(name);
            this.path = path;
        }

        @Override
        long size() {
            return Problems.got("read", path, () -> Files.size(path));
        }

        @Override
        void read(long from, ByteBuffer into) {
            try (FileChannel channel = FileChannel.open(path)) {
                long at = from;
                while (into.hasRemaining()) {
                    int read = channel.read(into, at);
                    if (read < 0) {
                        throw new PosbiasException(String.format(
                                Locale.ROOT, "%s ends at byte %d: it became shorter while it was read", path, at));
                    }
                    at += read;
                }
            } catch (IOException unreadable) {
                throw new PosbiasException(Problems.describe("read", path, unreadable), unreadable);
            }
        }
    }
}
