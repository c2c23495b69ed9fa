package io.posbias.cli.common;

import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.model.chat.CachedChat;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.chat.Sampling;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.api.ApiMeter;
import io.posbias.model.encode.api.TokenPrice;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The language model, its key, limits and prices. */
@Command(optionListHeading = "Language model:")
public final class ChatOptions {
    private static final int CONCURRENCY = 4;
    private static final Pattern ROLE = Pattern.compile("([a-z][a-z0-9-]*)=");

    @Heading("Options:")
    @Option(
            names = "--llm",
            paramLabel = "URL",
            description = "Address of an OpenAI-compatible chat service, for example http://localhost:8000/v1.")
    private List<String> addresses = List.of();

    @Heading("Options:")
    @Option(names = "--llm-model", paramLabel = "NAME", description = "Name of the model in the chat service.")
    private List<String> models = List.of();

    @Option(
            names = "--key-env",
            paramLabel = "VARIABLE",
            description = "Environment variable with the key (default: no key).")
    private List<String> keys = List.of();

    @Option(
            names = "--sampling",
            paramLabel = "HOW",
            description = "${COMPLETION-CANDIDATES}: temperature 0 and top_p 0 as in the paper; temperature 0 "
                    + "alone, where top_p 0 is refused (vLLM); neither (default: paper).")
    private @Nullable Sampling sampling;

    @Least(0)
    @Option(
            names = "--max-calls",
            paramLabel = "N",
            description = "Maximum calls of this run, then exit code 1; the same command continues. "
                    + "0 only prints the number of calls (default: no limit).")
    private @Nullable Integer maxCalls;

    @Option(
            names = "--max-cost",
            paramLabel = "USD",
            description = "Maximum cost of this run in US dollars, then exit code 1; the same command continues. "
                    + "Requires prices of all services (default: no limit).")
    private @Nullable Double maxCost;

    @Option(
            names = "--llm-price",
            split = ",",
            paramLabel = "INPUT,OUTPUT",
            description = "US dollars per million input and output tokens of --llm, for estimates " + "and --max-cost.")
    private @Nullable List<Double> price;

    @Least(1)
    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "Number of concurrent calls; results do not depend on it (default: " + CONCURRENCY + ").")
    private @Nullable Integer concurrency;

    private final ApiMeter meter = new ApiMeter();
    private @Nullable CallLimit limit;

    public boolean isAnyGiven() {
        return isAddressGiven()
                || !keys.isEmpty()
                || Stream.of(sampling, maxCalls, maxCost, price, concurrency).anyMatch(Objects::nonNull);
    }

    public boolean isAddressGiven() {
        return !addresses.isEmpty() || !models.isEmpty();
    }

    public int concurrency() {
        return concurrency == null ? CONCURRENCY : concurrency;
    }

    /** The limit of calls, shared by all models of the command. */
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

    public ChatSettings settings() {
        BaseCommand.refuse(!roles().isEmpty(), "--llm ROLE=URL is for 'posbias construct'; give --llm URL");
        return settings(valueOf("", addresses), valueOf("", models), "");
    }

    /** The roles with an address or model of their own, as {@code ROLE=URL}. */
    public Set<String> roles() {
        return Stream.concat(addresses.stream(), models.stream())
                .map(ChatOptions::roleOf)
                .filter(role -> !role.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Settings of a role of a pipeline: its own, else those of all roles; empty if neither is given. */
    public Optional<ChatSettings> settings(String role) {
        boolean own = roles().contains(role);
        if (!own
                && Stream.concat(addresses.stream(), models.stream())
                        .allMatch(given -> !roleOf(given).isEmpty())) {
            return Optional.empty();
        }
        String name = own ? role : "";
        return Optional.of(settings(
                valueOf(name, addresses).or(() -> valueOf("", addresses)),
                valueOf(name, models).or(() -> valueOf("", models)),
                name));
    }

    private ChatSettings settings(Optional<String> address, Optional<String> model, String role) {
        if (address.isEmpty() || model.isEmpty()) {
            throw new UsageException("give --llm, the address of a chat service (http://localhost:8000/v1), and"
                    + " --llm-model, the name of its model" + (role.isEmpty() ? "" : ", for the role " + role));
        }
        ChatSettings settings = ChatSettings.of("--llm", address.get(), model.get(), valueOf(role, keys), sampling());
        return price == null ? settings : settings.at(tokenPrice(price));
    }

    private static String roleOf(String given) {
        Matcher role = ROLE.matcher(given);
        return role.lookingAt() ? role.group(1) : "";
    }

    private static Optional<String> valueOf(String role, List<String> given) {
        return given.stream()
                .filter(each -> roleOf(each).equals(role))
                .map(each -> role.isEmpty() ? each : each.substring(role.length() + 1))
                .reduce((first, last) -> last);
    }

    private static TokenPrice tokenPrice(List<Double> price) {
        boolean isPrice = price.size() == 2 && price.stream().allMatch(usd -> usd >= 0 && usd < Double.MAX_VALUE);
        BaseCommand.refuse(
                !isPrice, "--llm-price must be two numbers, for input and output tokens, for example 0.15,0.60");
        return new TokenPrice(price.getFirst(), price.getLast());
    }

    /**
     * Settings of a judge; null parameters default to the reader's, but the reader's key is sent to its address only.
     */
    public ChatSettings judge(@Nullable String url, @Nullable String name, @Nullable String variable) {
        ChatSettings reader = settings();
        return ChatSettings.of(
                "--judge",
                url == null ? reader.base() : url,
                name == null ? reader.model() : name,
                variable == null && url == null ? valueOf("", keys) : Optional.ofNullable(variable),
                sampling());
    }

    public Sampling sampling() {
        return sampling == null ? Sampling.PAPER : sampling;
    }

    /** True for {@code --max-calls 0}. */
    public boolean isEstimate() {
        return maxCalls != null && maxCalls == 0;
    }

    /** Opens a model; all models share one limit of calls. */
    public CachedChat open(ChatSettings settings, Session session) {
        return new CachedChat(settings, session, concurrency(), meter, limit());
    }

    public ApiMeter meter() {
        return meter;
    }
}
