package io.posbias.model.chat;

import io.posbias.base.process.Parallel;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.api.ApiConnection;
import io.posbias.model.encode.api.ApiException;
import io.posbias.model.encode.api.ApiMeter;
import io.posbias.model.encode.api.Texts;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A language model whose replies go to disk as they come, and come from there when they are known. */
public final class CachedChat implements AutoCloseable {
    private final ChatSettings settings;
    private final int concurrency;
    private final Progress progress;
    private final ApiConnection connection;
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
        this.progress = session.progress();
        this.connection = ApiConnection.of(settings.api(), session, meter, limit);
        this.cache = ReplyCache.open(session, settings);
    }

    /** The reply to a question that was asked before. */
    public Optional<ChatReply> known(String prompt) {
        return cache.find(settings.key(prompt));
    }

    /**
     * Asks what is not known yet, each question once.
     *
     * @return the replies in the order of the questions
     * @throws io.posbias.model.encode.api.ApiException if the service fails; replies until then are kept
     * @throws CallLimit.ReachedException if there are more questions than allowed calls
     */
    public List<ChatReply> ask(List<String> prompts) {
        List<String> missing = new LinkedHashSet<>(prompts)
                .stream().filter(prompt -> !cache.has(settings.key(prompt))).toList();
        try (Progress.Step step = progress.start("ask " + settings.model(), missing.size())) {
            Parallel.forChunks(concurrency, missing.size(), 1, () -> (from, to) -> {
                for (String prompt : missing.subList(from, to)) {
                    cache.add(settings.key(prompt), ask(settings, connection, prompt));
                    step.advance(1);
                }
            });
        }
        return prompts.stream().map(prompt -> known(prompt).orElseThrow()).toList();
    }

    private record Message(String role, String content) {}

    /**
     * Asks a question as the only message of a user, by OpenAI's chat completions or a server that talks alike (vLLM,
     * llama.cpp, Ollama, ...).
     *
     * @throws ApiException when the service refuses, stays silent, or answers with something else
     * @see <a href="https://platform.openai.com/docs/api-reference/chat/create">the vendor's reference</a>
     */
    public static ChatReply ask(ChatSettings settings, ApiConnection connection, String prompt) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("model", settings.model());
        body.put("messages", List.of(new Message("user", Texts.sendable(prompt))));
        settings.sampling().zeros().forEach(field -> body.put(field, 0));
        return connection.call(body, 1, ChatAnswer::read).getFirst();
    }

    /** Breaks off calls under way. */
    @Override
    public void close() {
        connection.close();
        cache.close();
    }
}
