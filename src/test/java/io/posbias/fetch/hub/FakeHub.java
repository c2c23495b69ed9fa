package io.posbias.fetch.hub;

import com.sun.net.httpserver.HttpExchange;
import io.posbias.base.files.Checksums;
import io.posbias.base.net.Secret;
import io.posbias.base.net.StandInServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A server that behaves like the Hugging Face Hub, for data sets and models (whose addresses lack a prefix): small files come from it directly with git's digest as ETag, large
 * ones by a redirect to a content server (another port) with X-Linked-ETag and X-Linked-Size. Faults can be ordered.
 */
public final class FakeHub extends StandInServer {
    public static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

    public enum Fault {
        /** The body stops in the middle; the length was announced. */
        TRUNCATED,
        /** The body has the announced length and other bytes. */
        GARBLED,
        /** Range is ignored: the whole body comes with status 200. */
        NO_RANGE,
        /** The list of files says that the next page is the same page. */
        ENDLESS_LIST,
        /** The list of files is longer than any list. */
        HUGE_LIST,
        /** The second half of the body does not come. */
        SLOW,
        TOO_MANY_REQUESTS,
        UNAVAILABLE
    }

    private static final class Stored {
        private final byte[] content;
        private final boolean large;

        Stored(byte[] content, boolean large) {
            this.content = content;
            this.large = large;
        }
    }

    private final StandInServer content = StandInServer.of((exchange, request) -> {
        record(request);
        serveContent(exchange, request);
    });
    /** Under "datasets/owner/name/path" or "models/owner/name/path". */
    private final Map<String, Stored> files = new LinkedHashMap<>();

    private final Map<String, Long> announced = new LinkedHashMap<>();
    private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
    private String commit = COMMIT;
    private int hubStatus;
    private String hubError = "";
    private String hubWords = "";
    private @Nullable String tagOfAll;
    private @Nullable String requiredToken;

    public FakeHub() {
        super(0);
        serve((exchange, request) -> {
            record(request);
            answer(exchange, request);
        });
    }

    /** Settings with one address for all servers, and short pauses. */
    public static HubSettings settings(URI server, Optional<Secret> token, Path temp, boolean offline) {
        return new HubSettings(
                server,
                server,
                server,
                token,
                temp.resolve("hf/hub"),
                temp.resolve("home"),
                offline,
                Duration.ofMillis(1),
                Duration.ofSeconds(20));
    }

    /** Returns true for requests that the Hub received, not the content server. */
    boolean isForHub(Seen request) {
        return host().equals(request.header("Host"));
    }

    /** Stores a data set's file under "owner/name/path". */
    public void store(String path, byte[] bytes, boolean large) {
        files.put("datasets/" + path, new Stored(bytes, large));
    }

    public void storeModel(String path, byte[] bytes, boolean large) {
        files.put("models/" + path, new Stored(bytes, large));
    }

    /** Lets the Hub announce another size than a large file has, and another digest if it is not the content's. */
    void announce(RepositoryType type, String path, long size) {
        announced.put(type.plural + "/" + path, size);
    }

    /** Lets the Hub name all files by this instead of by their digests. */
    void nameAll(String tag) {
        tagOfAll = tag;
    }

    /** Moves all branches to another commit. */
    public void moveTo(String other) {
        commit = other;
    }

    private static String key(String path) {
        String plain = path.replaceFirst("/resolve/(?:refs/[^/]+/)?[^/]+/", "/").substring(1);
        return plain.startsWith("datasets/") ? plain : "models/" + plain;
    }

    /** Lets the next requests for content go wrong, in this order. */
    public void order(Fault... next) {
        faults.addAll(Arrays.asList(next));
    }

    void answerAll(int status, String errorCode) {
        hubStatus = status;
        hubError = errorCode;
    }

    /** What the Hub says of refusals, besides their codes. */
    void sayOfRefusals(String words) {
        hubWords = words;
    }

    void requireToken(String token) {
        requiredToken = token;
    }

    public URI endpoint() {
        return URI.create(address());
    }

    static String gitDigest(byte[] bytes) {
        MessageDigest digest = Checksums.digest("SHA-1");
        digest.update(("blob " + bytes.length + "\0").getBytes(StandardCharsets.US_ASCII));
        return HexFormat.of().formatHex(digest.digest(bytes));
    }

    private void answer(HttpExchange exchange, Seen request) throws IOException, InterruptedException {
        if (hubStatus != 0) {
            if (!hubError.isEmpty()) {
                exchange.getResponseHeaders().set("X-Error-Code", hubError);
            }
            if (!hubWords.isEmpty()) {
                exchange.getResponseHeaders().set("X-Error-Message", hubWords);
            }
            exchange.getResponseHeaders().set("Retry-After", "0");
            exchange.sendResponseHeaders(hubStatus, -1);
            return;
        }
        String path = request.path();
        if (path.startsWith("/api/")) {
            list(exchange, request);
            return;
        }
        if (path.startsWith("/datasets/old-owner/")) {
            exchange.getResponseHeaders().set("Location", path.replace("old-owner", "owner"));
            exchange.sendResponseHeaders(307, -1);
            return;
        }
        if (requiredToken != null && !("Bearer " + requiredToken).equals(request.authorization())) {
            exchange.getResponseHeaders().set("X-Error-Code", "GatedRepo");
            exchange.sendResponseHeaders(401, -1);
            return;
        }
        Stored file = files.get(key(path));
        if (file == null) {
            exchange.getResponseHeaders().set("X-Error-Code", "EntryNotFound");
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        exchange.getResponseHeaders().set("X-Repo-Commit", commit);
        if (file.large) {
            exchange.getResponseHeaders()
                    .set(
                            "X-Linked-ETag",
                            "\"" + Objects.requireNonNullElse(tagOfAll, Checksums.sha256(file.content)) + "\"");
            exchange.getResponseHeaders().set("X-Linked-Size", String.valueOf(announced.getOrDefault(key(path), (long)
                    file.content.length)));
            exchange.getResponseHeaders().set("Location", content.address() + path + "?signature=x");
            exchange.sendResponseHeaders(302, -1);
        } else {
            exchange.getResponseHeaders().set("ETag", "\"" + gitDigest(file.content) + "\"");
            serve(exchange, request, file.content);
        }
    }

    private void list(HttpExchange exchange, Seen request) throws IOException, InterruptedException {
        String path = request.path();
        String repository = path.replace("/api/", "").replaceFirst("/tree/.*", "");
        Fault fault = faults.poll();
        if (fault == Fault.HUGE_LIST) {
            sendEndless(exchange, 200);
            return;
        }
        if (fault == Fault.ENDLESS_LIST) {
            faults.add(fault);
            exchange.getResponseHeaders().set("Link", "<" + request.uri() + ">; rel=\"next\"");
            serve(exchange, request, utf8("[]"));
            return;
        }
        boolean second = String.valueOf(request.uri().getQuery()).contains("cursor");
        List<String> paths = files.keySet().stream()
                .filter(file -> file.startsWith(repository + "/"))
                .map(file -> file.substring(repository.length() + 1))
                .toList();
        int half = (paths.size() + 1) / 2;
        List<String> page = second ? paths.subList(half, paths.size()) : paths.subList(0, half);
        StringBuilder json = new StringBuilder("[{\"type\": \"directory\", \"path\": \"data\"}");
        page.forEach(file -> json.append(", {\"type\": \"file\", \"path\": \"" + file + "\", \"size\": 1}"));
        if (!second) {
            exchange.getResponseHeaders()
                    .set("Link", "<" + endpoint() + path + "?recursive=true&cursor=2>; rel=\"next\"");
        }
        serve(exchange, request, utf8(json.append("]").toString()));
    }

    private void serveContent(HttpExchange exchange, Seen request) throws IOException, InterruptedException {
        Stored file = files.get(key(request.path()));
        if (file == null) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        serve(exchange, request, file.content);
    }

    /** Sends the part of a file that was asked for, or what was ordered. */
    private void serve(HttpExchange exchange, Seen request, byte[] whole) throws IOException, InterruptedException {
        if (request.method().equals("HEAD")) {
            send(exchange, 200, whole);
            return;
        }
        Fault fault = faults.poll();
        if (fault == Fault.TOO_MANY_REQUESTS || fault == Fault.UNAVAILABLE) {
            exchange.getResponseHeaders().set("Retry-After", "0");
            exchange.sendResponseHeaders(fault == Fault.UNAVAILABLE ? 503 : 429, -1);
            return;
        }
        String range = request.range();
        boolean isRange = range != null && fault != Fault.NO_RANGE;
        String[] ends = range == null || !isRange
                ? new String[] {"0", ""}
                : range.replace("bytes=", "").split("-", -1);
        int from = Integer.parseInt(ends[0]);
        int to = ends[1].isEmpty() ? whole.length : Integer.parseInt(ends[1]) + 1;
        if (from > 0 && from >= whole.length) {
            exchange.sendResponseHeaders(416, -1);
            return;
        }
        byte[] body = Arrays.copyOfRange(whole, from, to);
        if (isRange) {
            exchange.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + whole.length);
        }
        int status = isRange ? 206 : 200;
        if (fault == Fault.TRUNCATED) {
            sendCut(exchange, status, body);
        } else if (fault == Fault.SLOW) {
            sendStalled(exchange, status, body);
        } else {
            if (fault == Fault.GARBLED) {
                body[body.length / 2] ^= 1;
            }
            send(exchange, status, body);
        }
    }

    @Override
    public void close() {
        super.close();
        content.close();
    }
}
