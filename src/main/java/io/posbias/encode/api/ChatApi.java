package io.posbias.encode.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A language model behind OpenAI's chat completions, or a server that talks alike (vLLM, llama.cpp, Ollama, ...). Safe
 * for several threads, whose calls then run at the same time.
 *
 * @see <a href="https://platform.openai.com/docs/api-reference/chat/create">the vendor's reference</a>
 */
public final class ChatApi implements AutoCloseable {
    private final ChatSettings settings;
    private final ApiConnection connection;

    /**
     * Reads the key and touches no network yet.
     *
     * @param environment variables by name; the settings name the one with the key
     * @param meter what calls are counted on
     * @param say gets a line per retry, from the thread that waits; never a key
     * @throws io.posbias.UsageException when the key is missing, malformed, or would travel unencrypted
     */
    public ChatApi(ChatSettings settings, Map<String, String> environment, ApiMeter meter, Consumer<String> say) {
        this(settings, environment, meter, say, Patience.USUAL);
    }

    ChatApi(
            ChatSettings settings,
            Map<String, String> environment,
            ApiMeter meter,
            Consumer<String> say,
            Patience patience) {
        this.settings = settings;
        this.connection = new ApiConnection(settings.api(), environment, meter, say, patience);
    }

    /**
     * Asks a question as the only message of a user.
     *
     * @throws ApiException when the service refuses, stays silent, or answers with something else
     */
    public ChatReply ask(String prompt) {
        return connection
                .call(
                        body(prompt),
                        1,
                        json -> ApiJson.read(json, ChatAnswer.class).reply())
                .getFirst();
    }

    private Map<String, Object> body(String prompt) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("role", "user");
        message.put("content", Texts.sendable(prompt));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("model", settings.model());
        body.put("messages", List.of(message));
        settings.sampling().zeros().forEach(field -> body.put(field, 0));
        return body;
    }

    /** Breaks off calls under way. */
    @Override
    public void close() {
        connection.close();
    }
}
