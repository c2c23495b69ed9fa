package io.posbias.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Json;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.core.type.TypeReference;

/** A headless Chromium, told what to do in the DevTools protocol. */
public final class Chromium implements AutoCloseable {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int SECONDS = 60;
    private static final TypeReference<Map<String, @Nullable Object>> RECORD = new TypeReference<>() {};

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Path profile;
    private final String port;

    private Chromium(Process process, Path profile, String port) {
        this.process = process;
        this.profile = profile;
        this.port = port;
    }

    /**
     * Starts the browser; the test is skipped, saying so, on a machine without one.
     *
     * @param profile a new folder for what it writes
     */
    public static Chromium start(Path profile) throws IOException, InterruptedException {
        Optional<Path> program = find();
        Assumptions.assumeTrue(
                program.isPresent(), "skipped: none of " + NAMES + " is on the path (.ci/run installs chromium)");
        Process process = new ProcessBuilder(
                        program.orElseThrow().toString(),
                        "--headless=new",
                        // Its sandbox refuses to work for root, which builds in containers run as.
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--no-first-run",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new Chromium(process, profile, port(profile.resolve("DevToolsActivePort"), process));
    }

    private static Optional<Path> find() {
        List<String> folders = Arrays.asList(
                Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator, -1));
        return NAMES.stream()
                .flatMap(name -> folders.stream().map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static String port(Path file, Process process) throws IOException, InterruptedException {
        for (int wait = 0; wait < 10 * SECONDS && process.isAlive(); wait++) {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            if (lines.size() > 1) {
                return lines.getFirst();
            }
            Thread.sleep(100);
        }
        process.destroyForcibly();
        throw new IOException("Chromium did not open its DevTools port");
    }

    public Tab open(Path page) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?about:blank"))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        Map<String, @Nullable Object> made = Json.mapper()
                .readValue(http.send(request, BodyHandlers.ofString()).body(), RECORD);
        Tab tab = new Tab(http, URI.create(String.valueOf(made.get("webSocketDebuggerUrl"))));
        tab.load(page);
        return tab;
    }

    @Override
    public void close() throws IOException {
        http.close();
        // Its own processes outlive it for a moment, and write into the folder that JUnit deletes.
        List<ProcessHandle> others = process.descendants().toList();
        process.destroy();
        process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join().destroyForcibly();
        for (ProcessHandle other : others) {
            other.destroyForcibly();
            other.onExit().completeOnTimeout(other, 10, TimeUnit.SECONDS).join();
        }
        // A link out of the folder, which JUnit would warn of when it deletes the folder.
        Files.deleteIfExists(profile.resolve("SingletonSocket"));
    }

    public static final class Tab implements AutoCloseable, WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();
        private final AtomicInteger last = new AtomicInteger();
        private final Map<Integer, CompletableFuture<Map<String, @Nullable Object>>> answers =
                new ConcurrentHashMap<>();
        private final List<String> problems = Collections.synchronizedList(new ArrayList<>());
        private final Map<String, String> requests = Collections.synchronizedMap(new LinkedHashMap<>());
        private final CompletableFuture<Void> loaded = new CompletableFuture<>();
        private final WebSocket socket;

        private Tab(HttpClient http, URI address) {
            socket = http.newWebSocketBuilder().buildAsync(address, this).join();
            Stream.of("Runtime.enable", "Log.enable", "Page.enable", "Network.enable")
                    .forEach(method -> call(method, Map.of()));
        }

        private void load(Path page) {
            call("Page.navigate", Map.of("url", page.toUri().toString()));
            loaded.orTimeout(SECONDS, TimeUnit.SECONDS).join();
        }

        /** Errors, warnings and violations of the page's policy so far. */
        public List<String> problems() {
            // An answer comes after the events before it.
            evaluate("0");
            return List.copyOf(problems);
        }

        /** The addresses that were asked, its own among them; without those that the page's policy forbade to ask. */
        public List<String> requests() {
            return List.copyOf(requests.values());
        }

        /** Runs JavaScript in the page; promises are waited for. */
        @Nullable
        public Object evaluate(String expression) {
            Map<String, @Nullable Object> answer = call(
                    "Runtime.evaluate",
                    Map.of("expression", expression, "returnByValue", true, "awaitPromise", true, "userGesture", true));
            assertThat(answer.get("exceptionDetails")).as(expression).isNull();
            return record(answer.get("result")).get("value");
        }

        public String text(String expression) {
            return String.valueOf(evaluate(expression));
        }

        List<String> texts(String expression) {
            Object value = Objects.requireNonNull(evaluate(expression));
            return ((List<?>) value).stream().map(String::valueOf).toList();
        }

        void press(String key) {
            Map<String, Integer> codes = Map.of("Tab", 9, "Enter", 13, " ", 32, "ArrowLeft", 37, "ArrowRight", 39);
            Map<String, Object> event = new LinkedHashMap<>();
            event.put("type", "keyDown");
            event.put("key", key);
            event.put("code", key.equals(" ") ? "Space" : key);
            event.put("windowsVirtualKeyCode", Objects.requireNonNull(codes.get(key)));
            if (key.equals("Enter") || key.equals(" ")) {
                event.put("text", key.equals("Enter") ? "\r" : " ");
            }
            call("Input.dispatchKeyEvent", event);
            event.put("type", "keyUp");
            event.remove("text");
            call("Input.dispatchKeyEvent", event);
        }

        /** Moves the mouse to a part of an element: 0 is left or top, 1 right or bottom. */
        void hover(String selector, double across, double down) {
            String box = "(e => { e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
                    + "return [r.left + " + across + " * r.width, r.top + " + down + " * r.height]; })(document"
                    + ".querySelector('" + selector + "'))";
            List<Double> place = texts(box).stream().map(Double::valueOf).toList();
            call("Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", place.getFirst(), "y", place.getLast()));
            nextFrame();
        }

        /** Charts and media queries answer when the page is drawn again. */
        private void nextFrame() {
            evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        }

        public void click(String selector) {
            evaluate("document.querySelector('" + selector + "').click()");
        }

        void choose(String id, String value) {
            evaluate("(e => { e.value = '" + value + "'; e.dispatchEvent(new Event('change')); })(document"
                    + ".getElementById('" + id + "'))");
        }

        public void colours(String scheme) {
            call(
                    "Emulation.setEmulatedMedia",
                    Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
            nextFrame();
        }

        void resize(int width, int height) {
            call(
                    "Emulation.setDeviceMetricsOverride",
                    Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
            nextFrame();
        }

        private Map<String, @Nullable Object> call(String method, Map<String, ?> parameters) {
            int id = last.incrementAndGet();
            CompletableFuture<Map<String, @Nullable Object>> answer = new CompletableFuture<>();
            answers.put(id, answer);
            String text = Json.mapper().writeValueAsString(Map.of("id", id, "method", method, "params", parameters));
            socket.sendText(text, true).join();
            Map<String, @Nullable Object> received =
                    answer.orTimeout(SECONDS, TimeUnit.SECONDS).join();
            assertThat(received.get("error")).as(method).isNull();
            return record(received.get("result"));
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
            message.append(part);
            if (isLast) {
                Map<String, @Nullable Object> received = Json.mapper().readValue(message.toString(), RECORD);
                message.setLength(0);
                if (received.get("id") instanceof Integer id) {
                    Objects.requireNonNull(answers.remove(id)).complete(received);
                } else {
                    note(String.valueOf(received.get("method")), record(received.get("params")));
                }
            }
            from.request(1);
            return null;
        }

        private void note(String event, Map<String, @Nullable Object> parameters) {
            switch (event) {
                case "Page.loadEventFired" -> loaded.complete(null);
                case "Runtime.exceptionThrown", "Log.entryAdded" -> problems.add(parameters.toString());
                case "Runtime.consoleAPICalled" -> {
                    if (!List.of("log", "info", "debug").contains(String.valueOf(parameters.get("type")))) {
                        problems.add(parameters.toString());
                    }
                }
                case "Network.requestWillBeSent" -> {
                    String url =
                            String.valueOf(record(parameters.get("request")).get("url"));
                    if (!url.startsWith("data:")) {
                        requests.put(String.valueOf(parameters.get("requestId")), url);
                    }
                }
                case "Network.loadingFailed" -> {
                    if ("csp".equals(parameters.get("blockedReason"))) {
                        requests.remove(String.valueOf(parameters.get("requestId")));
                    }
                }
                default -> {
                    // Chromium tells more than tests ask for.
                }
            }
        }

        private static Map<String, @Nullable Object> record(@Nullable Object value) {
            return Json.mapper().convertValue(Objects.requireNonNullElse(value, Map.of()), RECORD);
        }

        @Override
        public void close() {
            call("Page.close", Map.of());
            socket.abort();
        }
    }
}
