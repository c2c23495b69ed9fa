package io.posbias.base.net;

import io.posbias.base.json.Json;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** A server refuses a request. The message is a predicate with the status and the server's own words, without keys. */
public final class RefusedException extends AnswerException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Bodies are read so far; longer ones are not messages, and are quoted as they begin. */
    private static final int MOST = 4096;

    // {"error": {"message": ..., "code": ...}} OpenAI; {"message": ...} Cohere; {"detail": ...} Voyage, Jina;
    // {"detail": [{"msg": ...}]} FastAPI, which local servers use; {"error": ...} text-embeddings-inference, the Hub
    private static final List<String> WORDS =
            List.of("/error/message", "/message", "/detail/0/msg", "/detail/message", "/detail", "/error");

    private static final List<String> STATUSES =
            List.of("/error/code", "/error/status", "/error/status_code", "/code", "/status", "/status_code");

    private static final int OK = 200;

    private final int status;
    private final String code;
    private final transient Optional<Duration> asked;

    private RefusedException(String message, int status, String code, boolean mayPass, Optional<Duration> asked) {
        super(message, mayPass, -1);
        this.status = status;
        this.code = code;
        this.asked = asked;
    }

    /** @param secrets masked in the server's words */
    static RefusedException of(HttpReply reply, Collection<Secret> secrets) throws IOException {
        byte[] body = reply.body().readNBytes(MOST + 1);
        JsonNode json = json(body);
        Optional<String> named = reply.header("X-Error-Code").map(code -> ServerText.line(code, secrets));
        String words = reply.header("X-Error-Message").orElse(words(body, json));
        String code = named.orElse(code(json));
        return new RefusedException(
                "answered " + reply.status() + named.map(text -> ", " + text).orElse("") + said(words, secrets),
                reply.status(),
                code,
                isPassing(reply.status(), code),
                RetryPolicy.asked(reply));
    }

    /**
     * An error in an answer of status 200 that holds nothing else. Its status is the body's; without one it may pass.
     *
     * @return empty if it names none
     */
    public static Optional<RefusedException> inside(byte[] answer, Collection<Secret> secrets) {
        JsonNode json = json(answer);
        if (json.path("error").isEmpty() && texts(json, WORDS).findFirst().isEmpty()) {
            return Optional.empty();
        }
        int status = STATUSES.stream()
                .map(place -> json.at(place).asString(""))
                .filter(code -> code.matches("[45][0-9]{2}"))
                .findFirst()
                .map(Integer::valueOf)
                .orElse(OK);
        return Optional.of(new RefusedException(
                "answered 200 with an error" + said(words(answer, json), secrets),
                status,
                code(json),
                isPassing(status, code(json)),
                Optional.empty()));
    }

    /** Returns this as a refusal that another try does not change. */
    public RefusedException lasting() {
        return new RefusedException(problem(), status, code, false, asked);
    }

    /** The status of HTTP, or that in an answer of status 200; 200 if that has none. */
    public int status() {
        return status;
    }

    /** The server's name for the problem, for example GatedRepo; may be empty. */
    public String code() {
        return code;
    }

    /** Returns true if the account has no money left; OpenAI answers this with the status of a rate limit. */
    public boolean isOfQuota() {
        return isOfQuota(code);
    }

    private static boolean isOfQuota(String code) {
        return code.equals("insufficient_quota");
    }

    Optional<Duration> asked() {
        return asked;
    }

    /** Limits that pass, conflicts (as OpenAI's own client has it), servers that are not well (Cloudflare's 52x, too). */
    private static boolean isPassing(int status, String code) {
        return !isOfQuota(code)
                && (List.of(OK, 408, 409, 425, 429).contains(status)
                        || (status >= 500 && status != 501 && status != 505));
    }

    private static JsonNode json(byte[] body) {
        try {
            return body.length > MOST
                    ? MissingNode.getInstance()
                    : Json.mapper().readTree(body);
        } catch (JacksonException notJson) {
            return MissingNode.getInstance();
        }
    }

    private static Stream<String> texts(JsonNode json, List<String> places) {
        return places.stream().map(json::at).filter(JsonNode::isString).map(JsonNode::asString);
    }

    private static String code(JsonNode json) {
        return texts(json, List.of("/error/code")).findFirst().orElse("");
    }

    /** FastAPI names the field of a request: {@code "loc": ["body", "encoding_format"]}. */
    private static String words(byte[] body, JsonNode json) {
        String raw = new String(body, 0, Math.min(body.length, MOST), StandardCharsets.UTF_8).strip();
        if (raw.startsWith("<")) {
            return "a web page";
        }
        JsonNode path = json.at("/detail/0/loc");
        String field = path.size() < 2 ? "" : path.get(path.size() - 1).asString("") + ": ";
        return field + texts(json, WORDS).findFirst().orElse(raw);
    }

    private static String said(String words, Collection<Secret> secrets) {
        return words.isEmpty() ? "" : ": " + ServerText.line(words, secrets);
    }
}
