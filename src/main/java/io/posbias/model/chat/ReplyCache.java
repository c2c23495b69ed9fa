package io.posbias.model.chat;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.files.FileParts;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.Shutdown;
import io.posbias.model.encode.cache.CacheFolders;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/**
 * A language model's replies on disk, by the digest of the question and how it was asked. A folder of append-only files
 * with a line of JSON for each reply: every process writes its own, so two at once never meet, and what a kill cut short
 * is left out and asked again. Only where replies are is kept in memory, about 120 bytes each.
 *
 * <p>Safe for several threads.
 */
public final class ReplyCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyCache.class);

    /** Characters of the cache space in a folder's name; the card contains all. */
    private static final int SPACE_CHARACTERS = 12;

    private static final int BUFFER = 1 << 16;
    private static final int HEX_OF_LONG = 16;
    private static final Pattern KEY = Pattern.compile("[0-9a-f]{64}");

    private final Path folder;
    private final Closeable use;
    private final Shutdown shutdown;
    private final Map<Digest, ReplyPlace> places = new HashMap<>();
    private @Nullable FileChannel own;

    private ReplyCache(Path folder, Closeable use, Shutdown shutdown) {
        this.folder = folder;
        this.use = use;
        this.shutdown = shutdown;
    }

    /** The first 128 bits of a key: two of a billion replies collide with a chance below 10^-20. */
    private record Digest(long high, long low) {
        static Digest of(String key) {
            return new Digest(
                    HexFormat.fromHexDigitsToLong(key, 0, HEX_OF_LONG),
                    HexFormat.fromHexDigitsToLong(key, HEX_OF_LONG, 2 * HEX_OF_LONG));
        }
    }

    /**
     * Location of a reply's line, without its end.
     *
     * @param file that it is in; null for the one that this process writes
     */
    private record ReplyPlace(@Nullable Path file, long offset, int length) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record ReplyLine(
            @Nullable String key,
            @Nullable String reply,
            @Nullable Long tokens) {}

    private static final ObjectReader LINES =
            Json.mapper().readerFor(ReplyLine.class).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Opens a model's replies in posbias's folder; creates the folder if it is missing. */
    static ReplyCache open(Session session, ChatSettings settings) {
        Path folder = CacheFolders.repliesIn(session.home())
                .resolve(settings.folderName() + "-" + settings.space().substring(0, SPACE_CHARACTERS));
        try {
            ReplyCache cache = new ReplyCache(folder, CacheFolders.use(folder), session.shutdown());
            try {
                cache.read(settings);
                return cache;
            } catch (IOException | RuntimeException failure) {
                cache.close();
                throw failure;
            }
        } catch (IOException refused) {
            throw IoErrors.kept(folder, refused);
        }
    }

    private void read(ChatSettings settings) throws IOException {
        new CacheFolders.CacheCard(
                        "posbias/replies/1", settings.model(), settings.base(), settings.space(), null, "replies")
                .sealIn(folder);
        for (Path file : CacheFolders.files(folder, CacheFolders.REPLIES)) {
            read(file);
        }
    }

    /** Notes the whole lines of a file. */
    private void read(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            long start = 0;
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next == '\n') {
                    note(file, start, line.toByteArray());
                    start += line.size() + 1L;
                    line.reset();
                } else {
                    line.write(next);
                }
            }
            if (line.size() > 0) {
                LOG.debug("{}: the line after byte {} is incomplete", file, start);
            }
        }
    }

    /** Indexes a reply; incomplete ones are ignored, and asked again. */
    private void note(Path file, long start, byte[] json) {
        try {
            ReplyLine line = LINES.readValue(json);
            if (line != null
                    && line.key != null
                    && line.reply != null
                    && KEY.matcher(line.key).matches()) {
                places.putIfAbsent(Digest.of(line.key), new ReplyPlace(file, start, json.length));
            }
        } catch (JacksonException broken) {
            LOG.debug("{}: the line at byte {} is not a reply and is left out", file, start);
        }
    }

    synchronized boolean has(String key) {
        return places.containsKey(Digest.of(key));
    }

    /** A reply, read from its file. */
    Optional<ChatReply> find(String key) {
        ReplyPlace place;
        FileChannel written;
        synchronized (this) {
            place = places.get(Digest.of(key));
            written = own;
        }
        return place == null ? Optional.empty() : Optional.of(read(place, written));
    }

    private ChatReply read(ReplyPlace place, @Nullable FileChannel written) {
        Path file = place.file == null ? folder : place.file;
        try (FileChannel opened = place.file == null ? null : FileChannel.open(place.file)) {
            FileChannel channel = Objects.requireNonNull(opened == null ? written : opened);
            ReplyLine line = LINES.readValue(FileParts.read(channel, place.offset, place.length));
            OptionalLong tokens = line.tokens == null ? OptionalLong.empty() : OptionalLong.of(line.tokens);
            return new ChatReply(Objects.requireNonNull(line.reply), tokens);
        } catch (IOException unreadable) {
            throw IoErrors.refused("read", file, unreadable);
        } catch (JacksonException changed) {
            throw new PosbiasException("cannot read " + file + ": it was changed meanwhile", changed);
        }
    }

    /** Keeps a reply; it is in the file when this returns. */
    synchronized void add(String key, ChatReply reply) {
        Long tokens = reply.tokens().isPresent() ? reply.tokens().getAsLong() : null;
        byte[] json = Json.mapper().writeValueAsBytes(new ReplyLine(key, reply.text(), tokens));
        ByteBuffer bytes =
                ByteBuffer.allocate(json.length + 1).put(json).put((byte) '\n').flip();
        try {
            FileChannel channel = own;
            if (channel == null) {
                channel = CacheFolders.create(CacheFolders.fresh(folder, CacheFolders.REPLIES));
                own = channel;
            }
            long offset = channel.position();
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            places.put(Digest.of(key), new ReplyPlace(null, offset, json.length));
        } catch (IOException refused) {
            throw IoErrors.kept(folder, refused);
        }
        shutdown.keeps("replies in " + folder.getParent());
    }

    @Override
    public synchronized void close() {
        IoErrors.run("close", folder, () -> {
            if (own != null) {
                own.close();
            }
            use.close();
        });
    }
}
