package io.posbias.model.encode.api;

import io.posbias.base.json.Json;
import io.posbias.base.net.AnswerException;
import io.posbias.base.net.Http;
import io.posbias.base.net.HttpReply;
import io.posbias.base.net.Limits;
import io.posbias.base.net.RefusedException;
import io.posbias.base.net.RetryPolicy;
import io.posbias.base.net.Secret;
import io.posbias.base.net.Transfer;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.CallLimit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls to one endpoint, with their limit, meter and messages. Safe for several threads. */
public final class ApiConnection implements AutoCloseable {
    static final RetryPolicy USUAL = new RetryPolicy(Duration.ofSeconds(120), Duration.ofSeconds(1), true);

    /** Longest answer in bytes: 2,048 vectors, the most that a service takes per call, of 4,096 numbers of 16 bytes. */
    private static final long MOST = 128 << 20;

    /** Tokens that an answer is taken to have until one was longer: a page of text. */
    private static final int USUAL_REPLY = 1000;

    private static final Map<String, String> HEADERS =
            Map.of("Content-Type", "application/json", "Accept", "application/json");

    private final ApiSettings settings;
    private final Map<String, Secret> secrets;
    private final ApiProblems problems;
    private final ApiMeter meter;
    private final CallLimit limit;
    private final Consumer<String> say;
    private final Limits limits;
    private final Transfer transfer;
    private final AtomicLong longest = new AtomicLong(USUAL_REPLY);
    /** Maximum texts of a call, halved by refusals. */
    private final AtomicInteger mostTexts = new AtomicInteger(Integer.MAX_VALUE);

    public ApiConnection(
            ApiSettings settings,
            Map<String, String> environment,
            ApiMeter meter,
            CallLimit limit,
            Consumer<String> say,
            RetryPolicy patience) {
        this.settings = settings;
        // Nobody needs a key to know what calls would cost.
        this.secrets = limit.isEstimate() ? Map.of() : settings.secrets(environment);
        this.problems = new ApiProblems(settings, secrets.values());
        this.meter = meter;
        this.limit = limit;
        this.say = say;
        this.limits = new Limits(patience.timeout(), patience.timeout(), MOST);
        this.transfer = new Transfer(new Http(environment), patience);
        if (limit.limitsCost() && settings.price().isEmpty()) {
            throw new UsageException("--max-cost needs the prices of " + settings.who() + ", and none are known");
        }
    }

    public interface Reader<T> {
        Reply<T> read(byte[] json) throws AnswerException;
    }

    public static ApiConnection of(ApiSettings settings, Session session, ApiMeter meter, CallLimit limit) {
        return new ApiConnection(settings, session.environment(), meter, limit, session::say, USUAL);
    }

    /** Counts of {@link ApiMeter#figures()}. */
    Map<String, Number> usage() {
        return meter.figures();
    }

    /** Says a line about the service. */
    void say(String line) {
        say.accept(problems.who() + ": " + line);
    }

    /**
     * Asks about texts in one call. A refusal with status 400, 413 or 422 may be of their number, their length or of one
     * text: this and all further calls have half as many, down to the one text, which is then named. A text that the
     * server fails with (500, in the same words twice) while it answers others is found by halving and named.
     *
     * @param texts at least one
     * @param body the request about some of them
     * @param field of the recipe that limits the texts of a call
     * @return the values in the order of the texts
     * @throws ApiException with the place of the text, where a call of one text fails
     */
    <T> List<T> ask(
            List<String> texts, Function<List<String>, Map<String, Object>> body, Reader<T> reader, String field) {
        List<T> values = new ArrayList<>();
        @Nullable ApiException halved = null;
        while (values.size() < texts.size()) {
            int from = values.size();
            int count = Math.min(mostTexts.get(), texts.size() - from);
            try {
                values.addAll(call(body.apply(texts.subList(from, from + count)), count, reader, count > 1));
            } catch (ApiException refusal) {
                boolean isFailure = count > 1 && refusal.isFailure();
                if (!isFailure && (count == 1 || !refusal.halves())) {
                    throw refusal.after(from, count, field);
                }
                if (isFailure) {
                    Optional<List<T>> whole = apart(texts.subList(from, from + count), body, reader, from, field);
                    if (whole.isPresent()) {
                        values.addAll(whole.get());
                        continue;
                    }
                }
                int half = (count + 1) / 2;
                if (mostTexts.getAndAccumulate(half, Math::min) > half) {
                    halved = refusal;
                }
            }
        }
        if (halved != null) {
            say.accept(halved.line() + "; " + field + " is " + mostTexts + " for the rest of this run");
        }
        return values;
    }

    /**
     * Finds the text that the server fails with.
     *
     * @return the values, if the server answers none alone and then all of them; empty if it answers each part alone
     * @throws ApiException with the text's place; without one if the server answers nothing
     */
    private <T> Optional<List<T>> apart(
            List<String> texts,
            Function<List<String>, Map<String, Object>> body,
            Reader<T> reader,
            int from,
            String field) {
        int low = 0;
        int high = texts.size();
        boolean answersOthers = false;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            boolean isFine = failure(texts.subList(low, middle), body, reader).isEmpty();
            answersOthers |= isFine;
            low = isFine ? middle : low;
            high = isFine ? high : middle;
        }
        int last = texts.size() - 1;
        if (!answersOthers
                && failure(texts.subList(last, last + 1), body, reader).isPresent()) {
            try {
                return Optional.of(call(body.apply(texts), texts.size(), reader));
            } catch (ApiException refusal) {
                throw refusal.after(from, texts.size(), field);
            }
        }
        Optional<ApiException> alone = failure(texts.subList(low, low + 1), body, reader);
        if (alone.isPresent()) {
            throw alone.get().after(from + low, 1, field);
        }
        return Optional.empty();
    }

    private <T> Optional<ApiException> failure(
            List<String> texts, Function<List<String>, Map<String, Object>> body, Reader<T> reader) {
        try {
            call(body.apply(texts), texts.size(), reader, true);
            return Optional.empty();
        } catch (ApiException refusal) {
            if (!refusal.isFailure()) {
                throw refusal;
            }
            return Optional.of(refusal);
        }
    }

    /** Returns true if the service has answered. */
    boolean hasAnswered() {
        Number calls = meter.figures().get("api_calls");
        return calls != null && calls.longValue() > 0;
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
        return call(body, count, reader, false);
    }

    /** @param endsAtSame true to give up after a second failure (500) in the same words */
    private <T> List<T> call(Map<String, Object> body, int count, Reader<T> reader, boolean endsAtSame) {
        byte[] json = Json.mapper().writeValueAsBytes(body);
        Http.Request sent = new Http.Request("POST", settings.endpoint(), HEADERS, json, secrets);
        double most = mostUsd(json);
        limit.take(most);
        double[] usd = new double[1];
        String[] said = {""};
        try {
            return transfer.tried(
                    settings.endpoint(),
                    () -> {
                        try (HttpReply answer = transfer.send(sent, limits, HttpReply::isFine)) {
                            Reply<T> reply = read(answer.body().readAllBytes(), reader);
                            OptionalDouble cost = cost(reply.usage());
                            // Counted before it is checked: what cannot be used is billed, too.
                            meter.answered(reply.usage(), cost);
                            usd[0] += cost.orElse(most);
                            longest.accumulateAndGet(reply.usage().written().orElse(0), Math::max);
                            return reply.inOrder(count);
                        } catch (RefusedException refusal) {
                            boolean isSame = endsAtSame
                                    && refusal.status() == ApiException.FAILURE
                                    && refusal.problem().equals(said[0]);
                            said[0] = refusal.problem();
                            throw isSame ? refusal.lasting() : refusal;
                        }
                    },
                    this::failed);
        } catch (IOException failure) {
            throw problems.of(failure, transfer.mayPass(failure, settings.endpoint()));
        } finally {
            limit.ended(most, usd[0]);
        }
    }

    private <T> Reply<T> read(byte[] json, Reader<T> reader) throws AnswerException {
        try {
            return reader.read(json);
        } catch (AnswerException wrong) {
            Optional<RefusedException> error = RefusedException.inside(json, secrets.values());
            throw error.isPresent() ? error.get() : wrong;
        }
    }

    private void failed(IOException failure, int next, Duration pause) {
        meter.retried();
        say(problems.words(failure) + "; try " + next + " of " + RetryPolicy.TRIES + " in " + Limits.words(pause));
    }

    private OptionalDouble cost(Usage usage) {
        return settings.price().map(price -> price.usd(usage)).orElse(OptionalDouble.empty());
    }

    /**
     * Returns the cost of a call that reads the whole request and writes as much as the longest answer so far or {@link
     * #USUAL_REPLY}.
     */
    private double mostUsd(byte[] json) {
        long read = CallEstimate.tokens(new String(json, StandardCharsets.UTF_8));
        return settings.price().map(price -> price.usd(read, longest.get())).orElse(0.0);
    }

    /** The error for values that have the right number and are not what they should be. */
    ApiException wrong(String problem) {
        return problems.of(AnswerException.forGood(problem), false);
    }

    /** Breaks off what is under way, which then is not tried again. */
    @Override
    public void close() {
        transfer.close();
    }
}
