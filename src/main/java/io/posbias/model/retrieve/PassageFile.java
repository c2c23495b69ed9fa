package io.posbias.model.retrieve;

import io.posbias.base.files.FileParts;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.files.Temporary;
import io.posbias.base.process.Session;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Passage;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.cache.CachedScorer;
import io.posbias.rank.TruncationReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Passage texts in a temporary file with random access: a reranker needs a hundred per query, and a corpus need not
 * fit in memory. Safe for several threads.
 */
final class PassageFile implements AutoCloseable {
    private final FileChannel channel;
    private final Staging staging;
    private final Path file;
    private final @Nullable PassagePlace[] places;

    /**
     * Passage in the file.
     *
     * @param key digest of its content
     * @param lead UTF-16 units of its title
     */
    private record PassagePlace(CachedScorer.KeyedText key, int lead, long offset, int length) {}

    PassageFile(Dataset dataset, BitSet wanted, Session session) {
        this.places = new PassagePlace[dataset.passages().size()];
        this.staging = Staging.temporary("passages", session.shutdown());
        this.file = staging.folder().resolve("texts");
        try {
            this.channel = FileChannel.open(
                    file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException refused) {
            staging.close();
            throw Temporary.refused(refused);
        }
        dataset.passages().inFileOrder((ordinal, passage) -> {
            if (wanted.get(ordinal)) {
                places[ordinal] = write(passage);
            }
        });
    }

    private PassagePlace write(Passage passage) {
        ByteBuffer text = ByteBuffer.wrap(passage.content().getBytes(StandardCharsets.UTF_8));
        try {
            long offset = channel.size();
            while (text.hasRemaining()) {
                channel.write(text, offset + text.position());
            }
            int lead = passage.lead();
            return new PassagePlace(
                    new CachedScorer.KeyedText(Role.PASSAGE, passage.content()), lead, offset, text.capacity());
        } catch (IOException refused) {
            throw Temporary.refused(refused);
        }
    }

    private PassagePlace place(int ordinal) {
        PassagePlace place = places[ordinal];
        if (place == null) {
            throw new IllegalArgumentException("passage " + ordinal + " was not wanted");
        }
        return place;
    }

    CachedScorer.KeyedText key(int ordinal) {
        return place(ordinal).key;
    }

    /** Returns title and text. */
    String content(int ordinal) {
        PassagePlace place = place(ordinal);
        byte[] utf8 = IoErrors.call("read", file, () -> FileParts.read(channel, place.offset, place.length));
        return new String(utf8, StandardCharsets.UTF_8);
    }

    int seenOfText(int ordinal, int seen) {
        return TruncationReport.ofText(place(ordinal).lead, seen);
    }

    @Override
    public void close() {
        try (staging) {
            channel.close();
        } catch (IOException refused) {
            throw IoErrors.refused("close", file, refused);
        }
    }
}
