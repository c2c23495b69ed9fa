package io.posbias.model.encode.api;

import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Json;
import io.posbias.base.net.Addresses;
import io.posbias.base.net.Http;
import io.posbias.base.net.HttpReply;
import io.posbias.base.net.Limits;
import io.posbias.base.net.RetryPolicy;
import io.posbias.base.net.Secret;
import io.posbias.base.net.TooLongException;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.CallLimit;
import java.io.IOException;
import java.io.Serial;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Calls to one endpoint, each tried until it is answered or it is clear that it will not be. Safe for several threads.
 */
public final class ApiConnection implements AutoCloseable {
    /** Rate limits are counted by the minute, so two minutes asked for and five in all outlast them. */
    static final RetryPolicy USUAL = new RetryPolicy(
            Duration.ofSeconds(120),
            6,
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            Duration.ofMinutes(2),
            Duration.ofMinutes(5),
            Thread::sleep,
            () -> ThreadLocalRandom.current().nextDouble());

    /** Longest answer in bytes: 2,048 vectors, the most that a service takes per call, of 4,096 numbers of 16 bytes. */
    private static final long MOST = 128 << 20;

    /** Longest refusal in bytes; longer ones are web pages. */
    private static final int MOST_REFUSAL = 1 << 16;

    /** Tokens that an answer is taken to have until one was longer: a page of text. */
    private static final int USUAL_REPLY = 1000;

    private static final Map<String, String> HEADERS =
            Map.of("Content-Type", "application/json", "Accept", "application/json");

    private final ApiSettings settings;
    private final ApiProblems problems;
    private final ApiMeter meter;
    private final CallLimit limit;
    private final Consumer<String> say;
    private final RetryPolicy patience;
    private final Optional<Secret> key;
    private final Map<String, Secret> headers;
    private final AtomicLong longest = new AtomicLong(USUAL_REPLY);
    /** Maximum texts of a call, halved by refusals. */
    private final AtomicInteger mostTexts = new AtomicInteger(Integer.MAX_VALUE);

    private volatile boolean closed;
    private final Http http;

    public ApiConnection(
            ApiSettings settings,
            Map<String, String> environment,
            ApiMeter meter,
            CallLimit limit,
            Consumer<String> say,
            RetryPolicy patience) {
        this.settings = settings;
        // Nobody needs a key to know what calls would cost.
        this.key = limit.isEstimate() ? Optional.empty() : settings.key(environment);
        this.headers = limit.isEstimate() ? Map.of() : settings.headers(environment);
        this.problems = new ApiProblems(
                settings, Stream.concat(key.stream(), headers.values().stream()).toList());
        this.meter = meter;
        this.limit = limit;
        this.say = say;
        this.patience = patience;
        this.http = new Http(environment);
        if (limit.limitsCost() && settings.price().isEmpty()) {
            throw new UsageException("--max-cost needs the prices of " + settings.who() + ", and none are known");
        }
    }

    public interface Reader<T> {
        Reply<T> read(byte[] json) throws WrongAnswerException;
    }

    public static ApiConnection of(ApiSettings settings, Session session, ApiMeter meter, CallLimit limit) {
        return new ApiConnection(settings, session.environment(), meter, limit, session::say, USUAL);
    }

    /** Counts of {@link ApiMeter#figures()}. */
    Map<String, Number> usage() {
        return meter.figures();
    }

    /** A try that failed, where another may not. */
    private static final class PassingException extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        private final String problem;
        private final transient Optional<Duration> asked;

        PassingException(String problem, Optional<Duration> asked) {
            super(problem);
            this.problem = problem;
            this.asked = asked;
        }
    }

    /** Says a line about the service. */
    void say(String line) {
        say.accept(problems.who() + ": " + line);
    }

    /**
     * Asks about texts in one call. After a refusal of their number, all further calls have half of it; a refused text is
     * found by smaller calls.
     *
     * @param texts at least one
     * @param body the request about some of them
     * @param field of the recipe that limits the texts of a call
     * @return the values in the order of the texts
     * @throws ApiException with the place of the refused text
     */
    <T> List<T> ask(
            List<String> texts, Function<List<String>, Map<String, Object>> body, Reader<T> reader, String field) {
        List<T> values = new ArrayList<>();
        Deque<Batch> open = new ArrayDeque<>(List.of(new Batch(0, texts.size())));
        while (!open.isEmpty()) {
            Batch next = open.pop();
            int half = (next.size() + 1) / 2;
            boolean splits = next.size() > mostTexts.get();
            if (!splits) {
                try {
                    values.addAll(call(body.apply(next.of(texts)), next.size(), reader));
                } catch (ApiException refusal) {
                    if (refusal.refused() == ApiException.Refused.OTHER) {
                        throw refusal;
                    }
                    if (next.size() == 1) {
                        throw refusal.at(next.from());
                    }
                    splits = true;
                    if (refusal.refused() == ApiException.Refused.NUMBER_OF_TEXTS
                            && mostTexts.getAndAccumulate(half, Math::min) > half) {
                        say.accept(refusal.getMessage() + "; " + field + " is " + half + " for the rest of this run");
                    }
                }
            }
            if (splits) {
                open.push(new Batch(next.from() + half, next.to()));
                open.push(new Batch(next.from(), next.from() + half));
            }
        }
        return values;
    }

    /**
     * Sends a request until it is answered.
     *
     * @param body to be written as JSON
     * @param count how many values the answer must have, one per text
     * @return the values in the order of the texts
     * @throws CallLimit.ReachedException if no more calls may be made
     */
    public <T> List<T> call(Map<String, Object> body, int count, Reader<T> reader) {
        byte[] json = Json.mapper().writeValueAsBytes(body);
        double most = mostUsd(json);
        limit.take(most);
        double[] usd = new double[1];
        try {
            return tried(json, count, answer -> {
                Reply<T> reply = reader.read(answer);
                OptionalDouble cost =
                        settings.price().map(price -> price.usd(reply.usage())).orElse(OptionalDouble.empty());
                // Counted before it is checked: what cannot be used is billed, too.
                meter.answered(reply.usage(), cost);
                usd[0] += cost.orElse(most);
                longest.accumulateAndGet(reply.usage().written().orElse(0), Math::max);
                return reply;
            });
        } finally {
            limit.ended(most, usd[0]);
        }
    }

    /**
     * Returns the cost of a call that reads the whole request and writes as much as the longest answer so far or {@link
     * #USUAL_REPLY}.
     */
    private double mostUsd(byte[] json) {
        long read = CallEstimate.tokens(new String(json, StandardCharsets.UTF_8));
        return settings.price().map(price -> price.usd(read, longest.get())).orElse(0.0);
    }

    private <T> List<T> tried(byte[] json, int count, Reader<T> reader) {
        Duration waited = Duration.ZERO;
        for (int tried = 1; ; tried++) {
            try {
                return once(json, count, reader);
            } catch (PassingException passing) {
                Optional<Duration> pause = patience.pause(tried, waited, passing.asked);
                if (pause.isEmpty()) {
                    throw problems.gaveUp(passing.problem, tried);
                }
                meter.retried();
                say.accept(problems.who() + ": " + passing.problem + "; try " + (tried + 1) + " of " + patience.tries()
                        + " in " + seconds(pause.get()));
                sleep(pause.get());
                waited = waited.plus(pause.get());
            } catch (WrongAnswerException wrong) {
                throw problems.wrong(wrong.problem);
            }
        }
    }

    /** The error for values that have the right number and are not what they should be. */
    ApiException wrong(String problem) {
        return problems.wrong(problem);
    }

    private <T> List<T> once(byte[] json, int count, Reader<T> reader) throws PassingException, WrongAnswerException {
        byte[] answer;
        try {
            answer = send(json);
        } catch (TooLongException endless) {
            throw WrongAnswerException.forGood("it is " + endless.getMessage());
        } catch (IOException broken) {
            throw broken(broken);
        }
        Reply<T> reply;
        try {
            reply = reader.read(answer);
        } catch (WrongAnswerException wrong) {
            Optional<ApiProblems.Refusal> error = ApiProblems.Refusal.inside(answer);
            if (error.isPresent() && !(wrong.mayPass && error.get().status() == 200)) {
                throw refused(200, error.get(), Optional.empty());
            }
            if (wrong.mayPass) {
                throw new PassingException(
                        error.map(words -> problems.answered(200, words)).orElseGet(() -> problems.line(wrong.problem)),
                        Optional.empty());
            }
            throw wrong;
        }
        return reply.inOrder(count);
    }

    /** One request and its whole answer. */
    private byte[] send(byte[] json) throws IOException, PassingException {
        Http.Request request = new Http.Request("POST", settings.endpoint(), HEADERS, json, key, headers);
        try (HttpReply reply = http.send(request, new Limits(patience.timeout(), patience.timeout(), MOST))) {
            if (reply.status() / 100 != 2) {
                Optional<Duration> exact =
                        reply.header("retry-after-ms").flatMap(milliseconds -> RetryPolicy.number(milliseconds, 1));
                throw refused(
                        reply.status(),
                        ApiProblems.Refusal.of(reply.body().readNBytes(MOST_REFUSAL)),
                        exact.or(() -> reply.header("Retry-After").flatMap(RetryPolicy::retryAfter)));
            }
            return reply.body().readAllBytes();
        }
    }

    private PassingException broken(IOException broken) {
        if (closed) {
            throw new PosbiasException("the call to " + problems.who() + " was broken off");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted();
        }
        if (IoErrors.isUnknownHost(broken)) {
            throw problems.unknownHost();
        }
        if (IoErrors.causes(broken).anyMatch(ConnectException.class::isInstance)
                && Addresses.isThisMachine(settings.endpoint())) {
            throw problems.nobodyThere();
        }
        if (IoErrors.isUntrusted(broken)) {
            throw problems.untrusted(reason(broken));
        }
        String words = problems.line("no whole answer (" + reason(broken) + ")");
        return new PassingException(words, Optional.empty());
    }

    /** "2 s" or "1500 ms". */
    private static String seconds(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /** The words of the innermost failure, or its name. They may quote the server: to be masked. */
    private static String reason(Throwable failure) {
        // Without words, and its cause is a closed channel, which does not say that there is no server.
        if (IoErrors.causes(failure).anyMatch(ConnectException.class::isInstance)) {
            return "no connection";
        }
        Throwable inner = IoErrors.causes(failure).reduce(failure, (outer, cause) -> cause);
        return inner.getMessage() == null ? inner.getClass().getSimpleName() : inner.getMessage();
    }

    /** A refusal, by its status or by an error in an answer of status 200. */
    private PassingException refused(int status, ApiProblems.Refusal message, Optional<Duration> asked) {
        if (!isPassing(status == 200 ? message.status() : status)
                || message.saysQuotaIsSpent()
                || message.saysTextIsTooLarge()) {
            throw problems.refused(status, message);
        }
        return new PassingException(problems.answered(status, message), asked);
    }

    /** Limits that pass, conflicts (as OpenAI's own client has it), servers that are not well (Cloudflare's 52x, too). */
    private static boolean isPassing(int status) {
        return List.of(408, 409, 429).contains(status) || (status >= 500 && status != 501 && status != 505);
    }

    private void sleep(Duration pause) {
        try {
            patience.sleep().sleep(pause);
        } catch (InterruptedException interrupted) {
            throw interrupted();
        }
    }

    private PosbiasException interrupted() {
        Thread.currentThread().interrupt();
        return new PosbiasException("interrupted while waiting for " + problems.who());
    }

    /** Breaks off what is under way, which then is not tried again. */
    @Override
    public void close() {
        closed = true;
        http.close();
    }
}
