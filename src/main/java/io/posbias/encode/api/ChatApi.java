package io.posbias.encode.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A language model behind OpenAI's chat completions, or a server that talks alike (vLLM, llama.cpp, Ollama, ...). Safe
 * for several threads, whose calls then run at the same time.
 *
 * @see <a href="https://platform.openai.com/docs/api-reference/chat/create">the vendor's reference</a>
 */
record ChatApi(ChatSettings settings, ApiConnection connection) implements AutoCloseable {
    private record Message(String role, String content) {}

    /**
     * Asks a question as the only message of a user.
     *
     * @throws ApiException when the service refuses, stays silent, or answers with something else
     */
    ChatReply ask(String prompt) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("model", settings.model());
        body.put("messages", List.of(new Message("user", Texts.sendable(prompt))));
        settings.sampling().zeros().forEach(field -> body.put(field, 0));
        return connection
                .call(body, 1, json -> ApiJson.read(json, ChatAnswer.class).reply())
                .getFirst();
    }

    @Override
    public void close() {
        connection.close();
    }
}
