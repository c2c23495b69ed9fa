package io.posbias.model.encode.cache;

import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.TextEncoder;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One append-only file of a {@link VectorCache}. It is a row of blocks, little-endian:
 *
 * <pre>
 *   int  magic      "PBV1"
 *   int  count      how many entries
 *   long size       bytes of all vectors of the block
 *   int  checksum   CRC-32C over count, size, table and vectors
 *   count times:    long high, long low (the key), int rows, int seen
 *   vectors         float32 or float16, entry after entry
 * </pre>
 *
 * <p>Reading stops at the first block that is not whole: a kill or a full disk cut it short, and nothing follows it, since
 * every process writes another file.
 */
final class Segment implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Segment.class);

    private static final int MAGIC = 0x31564250;
    private static final int HEADER = 20;
    private static final int TABLE_ROW = 24;
    private static final int BEFORE_CHECKSUM = 16;

    /** Files of this size get no more blocks. */
    private static final long FULL = 1L << 30;

    private final FileChannel channel;
    private final int vectorBytes;
    private final VectorCache.Shape shape;
    private long[] offsets = new long[64];
    private int[] rows = new int[64];
    private int[] seen = new int[64];
    private int entries;
    private long size;
    private @Nullable MappedByteBuffer map;

    private Segment(FileChannel channel, int dimension, VectorCache.Shape shape) {
        this.channel = channel;
        this.shape = shape;
        this.vectorBytes = dimension * shape.format().bytes();
    }

    static Segment create(Path folder, int dimension, VectorCache.Shape shape) throws IOException {
        Path file = CacheFolders.fresh(folder, VectorCache.ENDING);
        return new Segment(CacheFolders.create(file), dimension, shape);
    }

    /** Opens a file of another process and reports its entries; an incomplete end is ignored. */
    static Segment read(Path file, int dimension, VectorCache.Shape shape, ObjIntConsumer<Key> listener)
            throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Segment segment = new Segment(channel, dimension, shape);
        segment.scan(listener);
        if (segment.size < Files.size(file)) {
            LOG.debug("{}: {} of {} bytes are whole", file, segment.size, Files.size(file));
        }
        return segment;
    }

    private void scan(ObjIntConsumer<Key> listener) throws IOException {
        long end = Math.min(channel.size(), Integer.MAX_VALUE);
        ByteBuffer file = channel.map(FileChannel.MapMode.READ_ONLY, 0, end).order(ByteOrder.LITTLE_ENDIAN);
        while (isWhole(file, (int) size)) {
            int row = (int) size + HEADER;
            long vectors = row + (long) file.getInt((int) size + 4) * TABLE_ROW;
            for (size = vectors; row < vectors; row += TABLE_ROW) {
                add(size, file.getInt(row + 16), file.getInt(row + 20));
                listener.accept(new Key(file.getLong(row), file.getLong(row + 8)), entries - 1);
                size += (long) file.getInt(row + 16) * vectorBytes;
            }
        }
    }

    /** Returns true if a complete block with a correct checksum and valid entries begins at a position. */
    private boolean isWhole(ByteBuffer file, int block) {
        int left = file.limit() - block - HEADER;
        if (left < 0 || file.getInt(block) != MAGIC) {
            return false;
        }
        int count = file.getInt(block + 4);
        long vectors = file.getLong(block + 8);
        long table = (long) count * TABLE_ROW;
        if (count < 1 || vectors < 0 || table + vectors > left) {
            return false;
        }
        long known = IntStream.range(0, count)
                .mapToLong(i -> (long) file.getInt(block + HEADER + i * TABLE_ROW + 16) * vectorBytes)
                .sum();
        return known == vectors
                && checksum(file.slice(block + 4, 12), file.slice(block + HEADER, (int) (table + vectors)))
                        == file.getInt(block + BEFORE_CHECKSUM)
                && IntStream.range(0, count)
                        .map(i -> block + HEADER + i * TABLE_ROW)
                        .allMatch(row -> isValid(file.getInt(row + 16), file.getInt(row + 20)))
                && areFinite(file.slice((int) (block + HEADER + table), (int) vectors));
    }

    private boolean isValid(int entryRows, int entrySeen) {
        return entryRows >= shape.least() && entryRows <= shape.most() && entrySeen >= TextEncoder.UNKNOWN;
    }

    private boolean areFinite(ByteBuffer vectors) {
        return shape.format().areFinite(vectors.order(ByteOrder.LITTLE_ENDIAN));
    }

    private static int checksum(ByteBuffer header, ByteBuffer content) {
        CRC32C checksum = new CRC32C();
        checksum.update(header);
        checksum.update(content);
        return (int) checksum.getValue();
    }

    private void add(long offset, int entryRows, int entrySeen) {
        if (entries == offsets.length) {
            offsets = Arrays.copyOf(offsets, entries * 2);
            rows = Arrays.copyOf(rows, entries * 2);
            seen = Arrays.copyOf(seen, entries * 2);
        }
        offsets[entries] = offset;
        rows[entries] = entryRows;
        seen[entries] = entrySeen;
        entries++;
    }

    /** Writes a block, then reports its entries. */
    synchronized void append(List<VectorCache.CachedText> items, ObjIntConsumer<Key> listener) throws IOException {
        ByteBuffer block = block(items);
        long offset = size + HEADER + (long) items.size() * TABLE_ROW;
        long at = size;
        while (block.hasRemaining()) {
            at += channel.write(block, at);
        }
        size = at;
        for (VectorCache.CachedText item : items) {
            add(offset, item.encoded().rows(), item.encoded().seen());
            offset += (long) item.encoded().rows() * vectorBytes;
            listener.accept(item.key(), entries - 1);
        }
    }

    private ByteBuffer block(List<VectorCache.CachedText> items) {
        int size = Math.toIntExact(blockSize(items));
        long vectors = size - HEADER - (long) items.size() * TABLE_ROW;
        ByteBuffer block = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        block.putInt(MAGIC).putInt(items.size()).putLong(vectors).putInt(0);
        for (VectorCache.CachedText item : items) {
            block.putLong(item.key().high()).putLong(item.key().low());
            block.putInt(item.encoded().rows()).putInt(item.encoded().seen());
        }
        for (VectorCache.CachedText item : items) {
            for (float number : item.encoded().vectors()) {
                if (shape.format() == VectorCache.VectorFormat.FLOAT32) {
                    block.putFloat(number);
                } else {
                    block.putShort(half(number));
                }
            }
        }
        block.putInt(BEFORE_CHECKSUM, checksum(block.slice(4, 12), block.slice(HEADER, block.position() - HEADER)));
        return block.flip();
    }

    private static short half(float number) {
        short half = Float.floatToFloat16(number);
        if (!Float.isFinite(Float.float16ToFloat(half))) {
            throw new PosbiasException("a vector has " + number + ", float16 holds numbers to 65504: set"
                    + " 'vectors: float32' in the recipe");
        }
        return half;
    }

    /** Returns true if a block of these entries belongs into this file. */
    boolean takes(List<VectorCache.CachedText> items) {
        return fits(size, blockSize(items));
    }

    /** Returns true if a block fits into a file of a size: a map reaches its end. */
    static boolean fits(long size, long block) {
        return size < FULL && size + block <= Integer.MAX_VALUE;
    }

    private long blockSize(List<VectorCache.CachedText> items) {
        return HEADER
                + items.stream()
                        .mapToLong(item -> TABLE_ROW + (long) item.encoded().rows() * vectorBytes)
                        .sum();
    }

    synchronized int rows(int entry) {
        return rows[entry];
    }

    synchronized int seen(int entry) {
        return seen[entry];
    }

    ByteBuffer bytes(int entry) {
        long end;
        long offset;
        synchronized (this) {
            offset = offsets[entry];
            end = offset + (long) rows[entry] * vectorBytes;
        }
        return mapped(end).slice((int) offset, (int) (end - offset)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private synchronized MappedByteBuffer mapped(long end) {
        MappedByteBuffer known = map;
        if (known != null && known.limit() >= end) {
            return known;
        }
        try {
            known = channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        map = known;
        return known;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
