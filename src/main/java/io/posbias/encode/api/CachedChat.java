package io.posbias.encode.api;

import io.posbias.Parallel;
import io.posbias.Progress;
import io.posbias.Session;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A language model whose replies go to disk as they come, and come from there when they are known. */
public final class CachedChat implements AutoCloseable {
    private final ChatSettings settings;
    private final int concurrency;
    private final CallLimit limit;
    private final Progress progress;
    private final ChatApi api;
    private final ReplyCache cache;

    /**
     * @param session its environment holds the key, its home keeps the replies
     * @param concurrency how many calls are under way at a time
     * @param meter what calls are counted on
     * @param limit how many calls may be made
     */
    public CachedChat(ChatSettings settings, Session session, int concurrency, ApiMeter meter, CallLimit limit) {
        this.settings = settings;
        this.concurrency = concurrency;
        this.limit = limit;
        this.progress = session.progress();
        this.api = new ChatApi(settings, ApiConnection.of(settings.api(), session, meter));
        this.cache = ReplyCache.open(session.home(), settings);
    }

    /** The reply to a question that was asked before. */
    public Optional<ChatReply> known(String prompt) {
        return cache.find(settings.key(prompt));
    }

    /**
     * Asks what is not known yet, each question once.
     *
     * @return the replies in the order of the questions
     * @throws io.posbias.encode.api.ApiException if the service fails; replies until then are kept
     * @throws CallLimit.ReachedException if there are more questions than calls are allowed; likewise
     */
    public List<ChatReply> ask(List<String> prompts) {
        List<String> missing = new LinkedHashSet<>(prompts)
                .stream().filter(prompt -> known(prompt).isEmpty()).toList();
        AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        try (Progress.Step step = progress.start("ask " + settings.model(), missing.size())) {
            Parallel.forChunks(concurrency, missing.size(), 1, () -> (from, to) -> {
                // After a failure no call begins, but those under way end: their replies are paid for.
                for (int i = from; i < to && failure.get() == null; i++) {
                    askOne(missing.get(i), failure);
                    step.advance(1);
                }
            });
        }
        RuntimeException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
        return prompts.stream().map(prompt -> known(prompt).orElseThrow()).toList();
    }

    private void askOne(String prompt, AtomicReference<@Nullable RuntimeException> failure) {
        if (!limit.take()) {
            failure.compareAndSet(null, new CallLimit.ReachedException());
            return;
        }
        try {
            cache.add(settings.key(prompt), api.ask(prompt));
        } catch (RuntimeException failed) {
            failure.compareAndSet(null, failed);
        }
    }

    /** Breaks off calls under way. */
    @Override
    public void close() {
        api.close();
        cache.close();
    }
}
