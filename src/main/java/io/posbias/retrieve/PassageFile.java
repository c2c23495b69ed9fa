package io.posbias.retrieve;

import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.dataset.Dataset;
import io.posbias.encode.Role;
import io.posbias.encode.cache.CachedScorer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Texts of passages in any order, from a temporary file: a reranker asks for a hundred of them a query, and a corpus need
 * not fit in memory. Safe for several threads.
 */
final class PassageFile implements AutoCloseable {
    private final FileChannel channel;
    private final Path file;
    private final long[] offsets;
    private final int[] lengths;
    private final CachedScorer.@Nullable Text[] keys;
    private final int[] leads;

    /** Writes the passages that are wanted. */
    PassageFile(Dataset dataset, BitSet wanted) {
        int size = dataset.passages().size();
        this.offsets = new long[size];
        this.lengths = new int[size];
        this.keys = new CachedScorer.Text[size];
        this.leads = new int[size];
        try {
            this.file = Files.createTempFile("posbias-passages-", ".txt");
            // Gone with the process, however that ends.
            this.channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException refused) {
            throw new PosbiasException(
                    Problems.describe("write", Path.of(System.getProperty("java.io.tmpdir")), refused), refused);
        }
        dataset.passages().forEach((ordinal, passage) -> {
            if (wanted.get(ordinal)) {
                leads[ordinal] = passage.content().length() - passage.text().length();
                keys[ordinal] = new CachedScorer.Text(Role.PASSAGE, passage.content());
                write(ordinal, passage.content().getBytes(StandardCharsets.UTF_8));
            }
        });
    }

    private void write(int ordinal, byte[] text) {
        try {
            offsets[ordinal] = channel.size();
            lengths[ordinal] = text.length;
            ByteBuffer buffer = ByteBuffer.wrap(text);
            while (buffer.hasRemaining()) {
                channel.write(buffer, offsets[ordinal] + buffer.position());
            }
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", file, refused), refused);
        }
    }

    /** The digest of a passage's content. */
    CachedScorer.Text key(int ordinal) {
        CachedScorer.Text key = keys[ordinal];
        if (key == null) {
            throw new IllegalArgumentException("passage " + ordinal + " was not wanted");
        }
        return key;
    }

    /** A passage's content: title and text. */
    String content(int ordinal) {
        ByteBuffer buffer = ByteBuffer.allocate(lengths[ordinal]);
        try {
            while (buffer.hasRemaining()) {
                if (channel.read(buffer, offsets[ordinal] + buffer.position()) < 0) {
                    throw new PosbiasException("cannot read " + file + ": it is shorter than it was");
                }
            }
        } catch (IOException unreadable) {
            throw new PosbiasException(Problems.describe("read", file, unreadable), unreadable);
        }
        return new String(buffer.array(), StandardCharsets.UTF_8);
    }

    /** As {@link Coverage#ofText}. */
    int seenOfText(int ordinal, int seen) {
        return Coverage.ofText(leads[ordinal], seen);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("close", file, refused), refused);
        }
    }
}
