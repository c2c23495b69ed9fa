package io.posbias.model.encode.api;

import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Json;
import io.posbias.base.net.Secret;
import io.posbias.base.net.ServerText;
import io.posbias.base.text.Plural;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Messages about failed calls of a service: one line without the key, and the steps that the user can take.
 *
 * @param secrets masked in messages
 */
record ApiProblems(ApiSettings settings, List<Secret> secrets) {
    /** The service or model and its host: "voyage at api.voyageai.com". */
    String who() {
        return settings.who() + " at " + settings.host();
    }

    /** Words of a server in one line without the key. */
    String line(String words) {
        return ServerText.line(words, secrets);
    }

    /** The predicate of a refusal, with the vendor's words. */
    String answered(int status, Refusal message) {
        String words = message.text().isEmpty() ? "" : ": " + line(message.text());
        return "answered " + status + (status == 200 ? " with an error" : "") + words;
    }

    ApiException refused(int status, Refusal message) {
        int meant = status == 200 ? message.status() : status;
        return new ApiException(who() + " " + answered(status, message), steps(meant, message), message.refused(meant));
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
                        .map(variable -> "Is the key in " + variable + " valid, and may it use " + settings.model()
                                + "?" + settings.setup().otherHeader)
                        .orElse(settings.setup().keyWanted));
            case 402 -> List.of("The account has no credit left.");
            case 404 ->
                List.of("Check the endpoint's path " + settings.endpoint().getPath() + " and the model's name "
                        + settings.model() + ".");
            case 413 -> List.of(settings.setup().tooLarge);
            case 200 -> List.of(settings.setup().wrong);
            default ->
                settings.setup() == ConfiguredIn.RECIPE
                        ? settings.service().optional().stream()
                                .filter(field -> message.text().contains(field))
                                .map(field -> "Leave the field out with omit: [" + field + "] in the recipe.")
                                .toList()
                        : List.of();
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

    /** A server on this machine that does not listen now will not be there a second later. */
    ApiException nobodyThere() {
        return new ApiException("cannot reach " + who() + ": nothing listens there; start the server", List.of());
    }

    ApiException untrusted(String reason) {
        return new ApiException(
                "cannot reach " + who() + ": its certificate is not trusted: " + line(reason),
                List.of(IoErrors.NO_TRUST));
    }

    /**
     * A vendor's text about a refused request, not yet masked.
     *
     * @param text its words, not yet shortened to a line
     * @param code its name for the problem; empty when there is none
     * @param status of the problem by the body, for an answer of status 200; 200 if unknown
     */
    record Refusal(String text, String code, int status) {
        /** Longer bodies are not messages. */
        private static final int LONGEST = 4096;

        // {"error": {"message": ..., "code": ...}} OpenAI; {"message": ...} Cohere; {"detail": ...} Voyage, Jina;
        // {"detail": [{"msg": ...}]} FastAPI, which local servers use; {"error": ...} text-embeddings-inference
        private static final String[] PLACES = {
            "/error/message", "/message", "/detail/0/msg", "/detail/message", "/detail", "/error"
        };

        private static final String[] STATUSES = {
            "/error/code", "/error/status", "/error/status_code", "/code", "/status", "/status_code"
        };

        private static final Pattern STATUS = Pattern.compile("(?i)\\b(?:http|status|code)\\W{0,3}([45][0-9]{2})\\b");
        private static final Pattern RATE = Pattern.compile("(?i)rate.?limit|too many requests");

        private static final Pattern TOO_LARGE = Pattern.compile("(?i)too large to process");
        private static final Pattern MANY = Pattern.compile(
                "(?i)\\bbatch|(too many|number of|most|more than|up to [0-9]+) (inputs|texts|items|documents|strings)"
                        + "|(inputs|texts|items|documents) (per|in an?|in one) |array too long|array_above_max_length");
        private static final Pattern LONG = Pattern.compile(
                "(?i)\\btokens\\b|token limit|context (length|window|size)|too (long|large|big)|max\\w* (\\w+ )?length"
                        + "|\\b(empty|blank)\\b|exceed\\w* .{0,40}(max|limit|length|size)");

        /** The error inside an answer that holds no values; empty if it names none. */
        static Optional<Refusal> inside(byte[] answer) {
            if (answer.length > LONGEST) {
                return Optional.empty();
            }
            try {
                JsonNode json = Json.mapper().readTree(answer);
                boolean says = !json.path("error").isEmpty()
                        || Stream.of(PLACES).anyMatch(place -> json.at(place).isString());
                return says ? Optional.of(of(answer)) : Optional.empty();
            } catch (JacksonException notJson) {
                return Optional.empty();
            }
        }

        private static int status(JsonNode json, String text) {
            return Stream.of(STATUSES)
                    .map(place -> json.at(place).asString(""))
                    .filter(code -> code.matches("[45][0-9]{2}"))
                    .map(Integer::valueOf)
                    .findFirst()
                    .orElseGet(() -> {
                        Matcher named = STATUS.matcher(text);
                        return named.find()
                                ? Integer.parseInt(named.group(1))
                                : RATE.matcher(text).find() ? 429 : 200;
                    });
        }

        /** FastAPI names the field of a request: {@code "loc": ["body", "encoding_format"]}. */
        private static String field(JsonNode json) {
            JsonNode path = json.at("/detail/0/loc");
            return path.size() < 2 ? "" : path.get(path.size() - 1).asString("") + ": ";
        }

        /** Returns true if one text is larger than the server's buffers, which llama.cpp says with status 500. */
        boolean saysTextIsTooLarge() {
            return TOO_LARGE.matcher(text).find();
        }

        /** Returns what is refused, by the words of the vendors. */
        ApiException.Refused refused(int meant) {
            if (saysTextIsTooLarge()) {
                return ApiException.Refused.TEXT;
            }
            if ((meant != 400 && meant != 413 && meant != 422) || saysQuotaIsSpent()) {
                return ApiException.Refused.OTHER;
            }
            if (meant == 413 || MANY.matcher(text).find()) {
                return ApiException.Refused.NUMBER_OF_TEXTS;
            }
            return LONG.matcher(text).find() ? ApiException.Refused.TEXT : ApiException.Refused.OTHER;
        }

        static Refusal of(byte[] body) {
            String raw = new String(body, 0, Math.min(body.length, LONGEST), StandardCharsets.UTF_8).strip();
            if (raw.startsWith("<")) {
                return new Refusal("a web page", "", 200);
            }
            if (body.length > LONGEST) {
                return new Refusal(raw, "", 200);
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
                return new Refusal(field(json) + text, code.isString() ? code.stringValue() : "", status(json, text));
            } catch (JacksonException notJson) {
                return new Refusal(raw, "", 200);
            }
        }

        /** Returns true if the account has no money left; OpenAI answers this with the status of a rate limit. */
        boolean saysQuotaIsSpent() {
            return code.equals("insufficient_quota");
        }
    }
}
