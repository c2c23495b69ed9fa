package io.posbias.encode.api;

import io.posbias.Json;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * What a vendor says about a request it refuses. Still to be masked.
 *
 * @param text its words, not yet shortened to a line
 * @param code its name for the problem; empty when there is none
 */
record VendorMessage(String text, String code) {
    /** Longer bodies are not messages. */
    private static final int LONGEST = 4096;

    // {"error": {"message": ..., "code": ...}} OpenAI; {"message": ...} Cohere; {"detail": ...} Voyage, Jina;
    // {"detail": [{"msg": ...}]} FastAPI, which local servers use; {"error": ...} text-embeddings-inference
    private static final String[] PLACES = {
        "/error/message", "/message", "/detail/0/msg", "/detail/message", "/detail", "/error"
    };

    static VendorMessage of(byte[] body) {
        String raw = new String(body, 0, Math.min(body.length, LONGEST), StandardCharsets.UTF_8).strip();
        if (raw.startsWith("<")) {
            return new VendorMessage("a web page", "");
        }
        if (body.length > LONGEST) {
            return new VendorMessage(raw, "");
        }
        try {
            JsonNode json = Json.mapper().readTree(body);
            String text = Stream.of(PLACES)
                    .map(json::at)
                    .filter(JsonNode::isString)
                    .map(JsonNode::stringValue)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(raw);
            JsonNode code = json.at("/error/code");
            return new VendorMessage(text, code.isString() ? code.stringValue() : "");
        } catch (JacksonException notJson) {
            return new VendorMessage(raw, "");
        }
    }

    /** Whether the account has no money left, which OpenAI answers with the status of a limit that passes. */
    boolean saysQuotaIsSpent() {
        return code.equals("insufficient_quota");
    }
}
