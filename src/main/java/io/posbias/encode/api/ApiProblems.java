package io.posbias.encode.api;

import io.posbias.IoErrors;
import io.posbias.Json;
import io.posbias.Plural;
import io.posbias.net.Secret;
import io.posbias.net.ServerText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Messages about failed calls of a service: one line without the key, and the steps that the user can take.
 *
 * @param key masked in messages; empty if none was sent
 */
record ApiProblems(ApiSettings settings, Optional<Secret> key) {
    /** The service or model and its host: "voyage at api.voyageai.com". */
    String who() {
        return settings.who() + " at " + settings.host();
    }

    /** Words of a server in one line without the key. */
    String line(String words) {
        return ServerText.line(words, key);
    }

    ApiException refused(int status, Refusal message) {
        String words = message.text().isEmpty() ? "" : ": " + line(message.text());
        return new ApiException(who() + " answered " + status + words, steps(status, message));
    }

    private List<String> steps(int status, Refusal message) {
        if (message.saysQuotaIsSpent()) {
            return List.of("The account has no credit left, or has reached its limit of spending.");
        }
        if (status / 100 == 3) {
            return List.of("It wants the request elsewhere, where the key will not follow; if you trust that place, "
                    + settings.setup().elsewhere + ".");
        }
        return switch (status) {
            case 401, 403 ->
                List.of(settings.keyVariable()
                        .map(variable ->
                                "Is the key in " + variable + " valid, and may it use " + settings.model() + "?")
                        .orElse(settings.setup().keyWanted));
            case 402 -> List.of("The account has no credit left.");
            case 404 ->
                List.of("Check the endpoint's path " + settings.endpoint().getPath() + " and the model's name "
                        + settings.model() + ".");
            case 413 -> List.of(settings.setup().tooLarge);
            default -> List.of();
        };
    }

    ApiException wrong(String problem) {
        return new ApiException(
                "the answer of " + who() + " cannot be used: " + line(problem), List.of(settings.setup().wrong));
    }

    ApiException gaveUp(String problem, int tries) {
        return new ApiException(
                who() + " failed " + Plural.of(tries, "time") + ", the last with: " + problem,
                List.of("Check the service and the network, and try again later."));
    }

    ApiException unknownHost() {
        return new ApiException(
                "cannot reach " + who() + ": its name cannot be resolved", List.of(IoErrors.NO_NETWORK));
    }

    /**
     * A vendor's text about a refused request, not yet masked.
     *
     * @param text its words, not yet shortened to a line
     * @param code its name for the problem; empty when there is none
     */
    record Refusal(String text, String code) {
        /** Longer bodies are not messages. */
        private static final int LONGEST = 4096;

        // {"error": {"message": ..., "code": ...}} OpenAI; {"message": ...} Cohere; {"detail": ...} Voyage, Jina;
        // {"detail": [{"msg": ...}]} FastAPI, which local servers use; {"error": ...} text-embeddings-inference
        private static final String[] PLACES = {
            "/error/message", "/message", "/detail/0/msg", "/detail/message", "/detail", "/error"
        };

        static Refusal of(byte[] body) {
            String raw = new String(body, 0, Math.min(body.length, LONGEST), StandardCharsets.UTF_8).strip();
            if (raw.startsWith("<")) {
                return new Refusal("a web page", "");
            }
            if (body.length > LONGEST) {
                return new Refusal(raw, "");
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
                return new Refusal(text, code.isString() ? code.stringValue() : "");
            } catch (JacksonException notJson) {
                return new Refusal(raw, "");
            }
        }

        /** Returns true if the account has no money left; OpenAI answers this with the status of a rate limit. */
        boolean saysQuotaIsSpent() {
            return code.equals("insufficient_quota");
        }
    }
}
