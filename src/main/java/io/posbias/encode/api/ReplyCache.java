package io.posbias.encode.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Shutdown;
import io.posbias.encode.cache.CacheFolders;
import io.posbias.encode.cache.FolderUse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/**
 * A language model's replies on disk, by the digest of the question and how it was asked. A folder of append-only files
 * with a line of JSON for each reply: every process writes its own, so two at once never meet, and what a kill cut short
 * is left out and asked again.
 *
 * <p>Safe for several threads.
 */
public final class ReplyCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyCache.class);

    /** How much of its space is in a folder's name; the card holds all of it. */
    private static final int SPACE_CHARACTERS = 12;

    private final Path folder;
    private final FolderUse use;
    private final Map<String, ChatReply> replies = new HashMap<>();
    private @Nullable FileChannel own;

    private ReplyCache(Path folder, FolderUse use) {
        this.folder = folder;
        this.use = use;
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Line(
            @Nullable String key,
            @Nullable String reply,
            @Nullable Long tokens) {}

    private static final ObjectReader LINES =
            Json.mapper().readerFor(Line.class).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Opens a model's replies in posbias's folder; its own folder is made if it is not there. */
    static ReplyCache open(Path home, ChatSettings settings) {
        Path folder = CacheFolders.repliesIn(home)
                .resolve(settings.folderName() + "-" + settings.space().substring(0, SPACE_CHARACTERS));
        try {
            ReplyCache cache = new ReplyCache(folder, FolderUse.begin(folder));
            try {
                cache.read(settings);
                return cache;
            } catch (IOException | RuntimeException failure) {
                cache.close();
                throw failure;
            }
        } catch (IOException refused) {
            throw Problems.kept(folder, refused);
        }
    }

    private void read(ChatSettings settings) throws IOException {
        new CacheFolders.Card("posbias/replies/1", settings.model(), settings.base(), settings.space(), null, "replies")
                .sealIn(folder);
        for (Path file : CacheFolders.files(folder, CacheFolders.REPLIES)) {
            read(file);
        }
    }

    /** Takes the whole lines of a file. */
    private void read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '\n') {
                continue;
            }
            try {
                take(LINES.readValue(bytes, start, i - start));
            } catch (JacksonException broken) {
                LOG.debug("{}: the line at byte {} is left out: {}", file, start, broken.getOriginalMessage());
            }
            start = i + 1;
        }
        if (start < bytes.length) {
            LOG.debug("{}: {} of {} bytes are whole lines", file, start, bytes.length);
        }
    }

    /** What is no whole reply is asked again. */
    private void take(@Nullable Line line) {
        if (line != null && line.key != null && line.reply != null) {
            OptionalLong tokens = line.tokens == null ? OptionalLong.empty() : OptionalLong.of(line.tokens);
            replies.putIfAbsent(line.key, new ChatReply(line.reply, tokens));
        }
    }

    synchronized Optional<ChatReply> find(String key) {
        return Optional.ofNullable(replies.get(key));
    }

    /** Keeps a reply; it is in the file when this returns. */
    synchronized void add(String key, ChatReply reply) {
        Long tokens = reply.tokens().isPresent() ? reply.tokens().getAsLong() : null;
        byte[] json = Json.mapper().writeValueAsBytes(new Line(key, reply.text(), tokens));
        ByteBuffer bytes =
                ByteBuffer.allocate(json.length + 1).put(json).put((byte) '\n').flip();
        try {
            FileChannel channel = own;
            if (channel == null) {
                channel = CacheFolders.create(folder, CacheFolders.REPLIES);
                own = channel;
            }
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException refused) {
            throw Problems.kept(folder, refused);
        }
        replies.put(key, reply);
        Shutdown.keeps("replies in " + folder.getParent());
    }

    @Override
    public synchronized void close() {
        try {
            if (own != null) {
                own.close();
            }
            use.close();
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("close", folder, refused), refused);
        }
    }
}
