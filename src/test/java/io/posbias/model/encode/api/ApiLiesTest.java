package io.posbias.model.encode.api;

import io.posbias.base.files.IoErrors;
import io.posbias.base.net.StandInServer;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.cli.Cli;
import io.posbias.faults.Campaign;
import io.posbias.faults.Campaign.Defect;
import io.posbias.faults.Judge;
import io.posbias.faults.Mutator;
import io.posbias.model.chat.CachedChat;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.chat.FakeChat;
import io.posbias.model.chat.Sampling;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Role;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("faults")
@Tag("slow")
class ApiLiesTest {
    private static final String SORT = "lies of services";
    private static final List<String> TEXTS = List.of("aaa", "b");
    /** How often a lie is told: once, and then the truth, or always. */
    private static final List<Integer> TIMES = Campaign.FULL ? List.of(1, 20) : List.of(1);

    private enum Asked {
        EMBEDDINGS(Fakes.indexed(TEXTS)),
        SCORES(Fakes.ranked(TEXTS, "results", "\"usage\": {\"total_tokens\": 26}")),
        CHAT(FakeChat.json("Paris"));

        private final String right;

        Asked(String right) {
            this.right = right;
        }
    }

    private static Map<String, String> bodies(String right) {
        Map<String, String> bodies = new LinkedHashMap<>();
        bodies.put("empty", "");
        bodies.put("web page", "<html><body>" + Fakes.KEY + "</body></html>");
        bodies.put("cut", right.substring(0, right.length() / 2));
        bodies.put("null", "null");
        bodies.put("list", "[]");
        bodies.put("empty object", "{}");
        bodies.put("deep", "[".repeat(100_000));
        bodies.put("deep objects", "{\"a\":".repeat(100_000));
        bodies.put("trailing", right + "{}");
        bodies.put("key in an unknown field", right.replaceFirst("\\{", "{\"debug\": \"" + Fakes.KEY + "\", "));
        bodies.put("long number", "{\"data\": " + "9".repeat(100_000) + "}");
        for (String value : List.of("NaN", "1e999", "-1e999", "1e39", "null", "\"1\"", "[]", "{}", "true")) {
            bodies.put("number " + value, right.replaceFirst("(?<=[ \\[])-?\\d+\\.[0-9e-]+", value));
        }
        for (String index : List.of("-1", "7", "1", "0.5", "1e18", "99999999999999999999", "null", "\"0\"")) {
            bodies.put("index " + index, right.replaceFirst("\"index\": \\d", "\"index\": " + index));
        }
        for (String tokens : List.of("-7", "1e300", "99999999999999999999", "\"many\"", "null", "[]")) {
            bodies.put("tokens " + tokens, right.replaceAll("(_tokens\" ?: ?)\\d+", "$1" + tokens));
        }
        bodies.put("one too few", right.replaceFirst("\\{[^{}]*\\}, (?=\\{)", ""));
        bodies.put("one too many", right.replaceFirst("(\\{[^{}]*\\}), (?=\\{)", "$1, $1, "));
        bodies.put("one number too few", right.replaceFirst(", -1.2345678e-2", ""));
        bodies.put("one number too many", right.replaceFirst("-1.2345678e-2", "1, 2"));
        bodies.put("lone surrogate", right.replace("Paris", "Paris \\ud800").replace("\"m\"", "\"\\udfff\""));
        bodies.put(
                "control characters",
                right.replace("Paris", "\\u001b[31mParis\\u0000").replace("\"m\"", "\"\\u001b[2J\""));
        bodies.put("no text", right.replace("\"Paris\"", "null"));
        bodies.put("parts of text", right.replace("\"Paris\"", "[{\"type\": \"text\", \"text\": \"Paris\"}]"));
        bodies.put("error with 200", "{\"error\": {\"message\": \"bad key " + Fakes.KEY + "\"}}");
        return bodies;
    }

    private static Map<String, StandInServer.Answer> lies(FakeApi server, String right) {
        Map<String, StandInServer.Answer> lies = new LinkedHashMap<>();
        bodies(right).forEach((name, body) -> lies.put(name, FakeApi.ok(body)));
        for (int status : new int[] {201, 204, 301, 400, 401, 403, 404, 413, 429, 500, 503, 999}) {
            lies.put(
                    "status " + status,
                    FakeApi.status(
                            status, error("no " + Fakes.KEY), "Retry-After", "0", "Location", "http://127.0.0.1:9/"));
        }
        lies.put("raw escape in an error", FakeApi.status(400, error("\\u001b]0;x\\u0007 \\u202e " + Fakes.KEY)));
        lies.put("half a key", FakeApi.status(401, error("Incorrect API key: " + Fakes.KEY.substring(0, 20) + "...")));
        lies.put("endless words", FakeApi.status(400, "x".repeat(3_000_000)));
        lies.put("silence", server.silence());
        lies.put("stall", server.stall(right));
        lies.put("broken off", FakeApi.cut(right));
        lies.put(
                "invalid UTF-8",
                raw(200, null, (right.substring(0, 9) + "\u00ff\u00fe").getBytes(StandardCharsets.ISO_8859_1)));
        lies.put("gzip", raw(200, "gzip", Mutator.deflate(right.getBytes(StandardCharsets.UTF_8))));
        lies.put("gzip bomb", raw(200, "gzip", Mutator.deflate(new byte[50_000_000])));
        lies.put("without end", FakeApi.endless(200));
        lies.put("refusal without end", FakeApi.endless(400));
        return lies;
    }

    private static String error(String message) {
        return "{\"error\": {\"message\": \"" + message + "\"}}";
    }

    private static StandInServer.Answer raw(int status, @Nullable String encoding, byte[] body) {
        return (exchange, request) -> {
            if (encoding != null) {
                exchange.getResponseHeaders().set("Content-Encoding", encoding);
            }
            FakeApi.send(exchange, status, body);
        };
    }

    @Test
    void noLieIsBelieved() {
        for (Asked asked : Asked.values()) {
            try (FakeApi server = new FakeApi(request -> asked.right)) {
                List<String> names = new ArrayList<>(lies(server, asked.right).keySet());
                Collections.shuffle(names, new Random(Campaign.SEED));
                for (String name : Campaign.FULL ? names : names.subList(0, 12)) {
                    TIMES.forEach(times -> meet(asked, name, times));
                }
            }
        }
        Campaign.check(SORT);
    }

    private static void meet(Asked asked, String name, int times) {
        String fault = asked + ": " + name + ", " + times + " times";
        List<String> said = new ArrayList<>();
        long start = System.nanoTime();
        try (FakeApi server = new FakeApi(request -> asked.right)) {
            StandInServer.Answer lie = lies(server, asked.right).get(name);
            server.order(Collections.nCopies(times, lie).toArray(StandInServer.Answer[]::new));
            Cli.Ended ended = ending(asked, server, fault, said);
            Campaign.tried(SORT, ended.code() == 0);
            Judge.ending(SORT, fault, ended);
            if (ended.err().contains(Fakes.KEY) || ended.err().contains(Fakes.KEY.substring(0, 20))) {
                Campaign.found(SORT, Defect.LEAK, fault + " -> " + ended.err());
            }
        }
        if (Duration.ofNanos(System.nanoTime() - start).toSeconds() > Campaign.HANG_SECONDS) {
            Campaign.found(SORT, Defect.HANG, fault);
        }
    }

    private static Cli.Ended ending(Asked asked, FakeApi server, String fault, List<String> said) {
        try {
            if (!ask(asked, server, said)) {
                Campaign.found(SORT, Defect.WRONG_BYTES, fault);
            }
            return new Cli.Ended(0, "", String.join("\n", said));
        } catch (PosbiasException refused) {
            said.add(refused.line());
            // What --verbose prints of its causes.
            String causes = IoErrors.causes(refused).map(String::valueOf).collect(Collectors.joining(" "));
            if (causes.contains(Fakes.KEY)) {
                Campaign.found(SORT, Defect.LEAK, fault + " -> " + causes);
            }
            return new Cli.Ended(refused.exitCode(), "", String.join("\n", said));
        } catch (RuntimeException | Error defect) {
            Campaign.found(SORT, Defect.STACK_TRACE, fault + " -> " + defect);
            return new Cli.Ended(1, "", "said above");
        }
    }

    private static ApiConnection connection(ApiSettings settings, List<String> said) {
        return new ApiConnection(
                settings,
                Fakes.ENVIRONMENT,
                new ApiMeter(),
                CallLimit.none(),
                said::add,
                Fakes.patience(Duration.ofSeconds(1), new ArrayList<>()));
    }

    private static String recipe(FakeApi server, String service) {
        return "service: " + service + "\nendpoint: " + server.address() + "/v1\nmodel: m\nkey: TEST_KEY\n";
    }

    /** Whether the answer is right; a chat may say anything that can be said. */
    private static boolean ask(Asked asked, FakeApi server, List<String> said) {
        switch (asked) {
            case EMBEDDINGS -> {
                EmbeddingSettings settings = Fakes.embedding(recipe(server, "openai") + "dimension: 3\n");
                try (ApiEncoder api =
                        new ApiEncoder(settings, connection(settings.api(), said), Sessions.in(Path.of("home")))) {
                    float[][] right = TEXTS.stream().map(Fakes::vector).toArray(float[][]::new);
                    return Arrays.deepEquals(api.embed(TEXTS, Role.PASSAGE).toArray(new float[0][]), right);
                }
            }
            case SCORES -> {
                RerankSettings settings = Fakes.reranking(recipe(server, "jina"));
                try (ApiReranker api = new ApiReranker(settings, connection(settings.api(), said))) {
                    return Arrays.equals(api.score("q", TEXTS), new float[] {Fakes.score("aaa"), Fakes.score("b")});
                }
            }
            default -> {
                ChatSettings settings = ChatSettings.of(
                        "--llm", server.address() + "/v1", "m", Optional.of("TEST_KEY"), Sampling.SERVER);
                try (ApiConnection api = connection(settings.api(), said)) {
                    String text = CachedChat.ask(settings, api, "Where?").text();
                    return text.isEmpty() || text.contains("Paris");
                }
            }
        }
    }
}
