package io.posbias.model.chat;

import io.posbias.base.json.Json;
import io.posbias.base.net.StandInServer;
import io.posbias.model.encode.api.FakeApi;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

public final class FakeChat {
    private FakeChat() {}

    /** Each reply takes seven tokens. */
    public static FakeApi serve(UnaryOperator<String> reply) {
        return new FakeApi(request -> json(reply.apply(question(request))));
    }

    public static String question(StandInServer.Seen request) {
        if (request.body().get("messages") instanceof List<?> messages
                && messages.size() == 1
                && messages.getFirst() instanceof Map<?, ?> message
                && "user".equals(message.get("role"))) {
            return String.valueOf(message.get("content"));
        }
        throw new IllegalArgumentException("not one message of a user: " + request.body());
    }

    public static String json(String reply) {
        return Json.mapper()
                .writeValueAsString(Map.of(
                        "choices",
                        List.of(Map.of("message", Map.of("role", "assistant", "content", reply))),
                        "usage",
                        Map.of("prompt_tokens", 5, "completion_tokens", 2, "total_tokens", 7)));
    }
}
