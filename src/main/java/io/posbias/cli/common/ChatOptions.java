package io.posbias.cli.common;

import io.posbias.Session;
import io.posbias.UsageException;
import io.posbias.encode.CallLimit;
import io.posbias.encode.api.ApiMeter;
import io.posbias.encode.api.CachedChat;
import io.posbias.encode.api.ChatSettings;
import io.posbias.encode.api.Sampling;
import io.posbias.encode.api.TokenPrice;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which language model is asked, how, and how often at most; shared by all that ask one. */
public final class ChatOptions {
    private static final int CONCURRENCY = 4;

    @Option(
            names = "--llm",
            paramLabel = "URL",
            description =
                    "Address of an OpenAI-compatible chat service. For example http://localhost:8000/v1; there is no default.")
    private @Nullable String address;

    @Option(names = "--llm-model", paramLabel = "NAME", description = "The model's name in that service.")
    private @Nullable String model;

    @Heading("Language model:")
    @Option(
            names = "--key-env",
            paramLabel = "VARIABLE",
            description = "The NAME of the environment variable that holds the key (default: none is sent).")
    private @Nullable String key;

    @Heading("Language model:")
    @Option(
            names = "--sampling",
            paramLabel = "HOW",
            description = "${COMPLETION-CANDIDATES}: temperature 0 and top_p 0 as in the paper; temperature 0 "
                    + "alone, where top_p 0 is refused (vLLM); neither (default: paper).")
    private @Nullable Sampling sampling;

    @Heading("Language model:")
    @Least(0)
    @Option(
            names = "--max-calls",
            paramLabel = "N",
            description = "Stop after so many calls of this run, with exit code 1; the same command continues "
                    + "where it stopped. 0 only prints how many are needed (default: no limit).")
    private @Nullable Integer maxCalls;

    @Heading("Language model:")
    @Option(
            names = "--max-cost",
            paramLabel = "USD",
            description = "Stop before the calls of this run cost more, with exit code 1; the same command continues "
                    + "with as much again. Needs the prices of all services (default: no limit).")
    private @Nullable Double maxCost;

    @Heading("Language model:")
    @Option(
            names = "--llm-price",
            split = ",",
            paramLabel = "INPUT,OUTPUT",
            hideParamSyntax = true,
            description = "With --llm: US dollars per million tokens that the model reads and writes, for estimates "
                    + "and --max-cost.")
    private @Nullable List<Double> price;

    @Heading("Language model:")
    @Least(1)
    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "Concurrent calls; results do not depend on it (default: " + CONCURRENCY + ").")
    private @Nullable Integer concurrency;

    private final ApiMeter meter = new ApiMeter();
    private @Nullable CallLimit limit;

    public boolean isAnyGiven() {
        return Stream.of(address, model, key, sampling, maxCalls, maxCost, price, concurrency)
                .anyMatch(Objects::nonNull);
    }

    /** Whether a language model was named. */
    public boolean isAddressGiven() {
        return address != null || model != null;
    }

    /** How many calls are under way at a time. */
    public int concurrency() {
        return concurrency == null ? CONCURRENCY : concurrency;
    }

    /** How many calls may be made by all that share these options. */
    public CallLimit limit() {
        CallLimit shared = limit;
        if (shared == null) {
            BaseCommand.refuse(maxCost != null && !(maxCost > 0), "--max-cost must be above 0, not " + maxCost);
            shared = new CallLimit(
                    maxCalls == null ? Integer.MAX_VALUE : maxCalls,
                    maxCost == null ? Double.POSITIVE_INFINITY : maxCost);
            limit = shared;
        }
        return shared;
    }

    /** The model's settings, checked. */
    public ChatSettings settings() {
        if (address == null || model == null) {
            throw new UsageException("give --llm, the address of a chat service such as http://localhost:8000/v1, and"
                    + " --llm-model, a model's name there");
        }
        ChatSettings settings = ChatSettings.of("--llm", address, model, Optional.ofNullable(key), sampling());
        return price == null ? settings : settings.at(tokenPrice(price));
    }

    private static TokenPrice tokenPrice(List<Double> price) {
        boolean isPrice = price.size() == 2 && price.stream().allMatch(usd -> usd >= 0 && usd < Double.MAX_VALUE);
        BaseCommand.refuse(!isPrice, "--llm-price is two numbers, of tokens read and written, such as 0.15,0.60");
        return new TokenPrice(price.getFirst(), price.getLast());
    }

    /**
     * The settings of a judge: the reader's unless told otherwise. The reader's key goes to no other address.
     *
     * @param url the judge's address; null for the reader's
     * @param name its model; null for the reader's
     * @param variable of its key; null for the reader's if the address is the reader's, and for none if not
     */
    public ChatSettings judge(@Nullable String url, @Nullable String name, @Nullable String variable) {
        ChatSettings reader = settings();
        return ChatSettings.of(
                "--judge",
                url == null ? reader.base() : url,
                name == null ? reader.model() : name,
                Optional.ofNullable(variable == null && url == null ? key : variable),
                sampling());
    }

    /** What both are told of how to choose tokens. */
    public Sampling sampling() {
        return sampling == null ? Sampling.PAPER : sampling;
    }

    /** Whether what would be called is only to be counted. */
    public boolean isEstimate() {
        return maxCalls != null && maxCalls == 0;
    }

    /** Prepares to ask a model; all that are opened share one limit of calls. */
    public CachedChat open(ChatSettings settings, Session session) {
        return new CachedChat(settings, session, concurrency(), meter, limit());
    }

    public ApiMeter meter() {
        return meter;
    }
}
