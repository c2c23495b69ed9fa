package io.posbias.encode.api;

import io.posbias.Fields;
import io.posbias.UsageException;
import io.posbias.encode.CallEstimate;
import io.posbias.net.Addresses;
import io.posbias.net.Secret;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Settings of a service, from a recipe or the command line. Contains no key, only the name of its environment variable.
 *
 * @param service the vendor, or whose manner of talking a server has
 * @param endpoint the whole address that requests go to, http or https
 * @param model the vendor's name of the model
 * @param keyVariable the environment variable that holds the key; empty when none is sent
 * @param price of tokens; empty if unknown
 * @param setup origin of the settings
 */
public record ApiSettings(
        Service service,
        URI endpoint,
        String model,
        Optional<String> keyVariable,
        Optional<TokenPrice> price,
        ConfiguredIn setup) {
    static final List<String> FIELDS = List.of("service", "endpoint", "model", "key", "price-per-million-tokens");

    // Keys of the vendors have small letters, so a key that was put where its variable's name belongs is refused.
    private static final Pattern VARIABLE = Pattern.compile("[A-Z_][A-Z0-9_]{0,63}");

    /**
     * Reads what embeddings and rerankers have in common.
     *
     * @param usual the vendor's own address
     */
    static ApiSettings of(Fields recipe, Service service, URI usual) {
        URI endpoint = recipe.has("endpoint") ? endpoint(recipe) : usual;
        double price = recipe.number("price-per-million-tokens", 0);
        if (price < 0) {
            throw recipe.bad("price-per-million-tokens", "is " + price, "it must not be negative");
        }
        return new ApiSettings(
                service,
                endpoint,
                recipe.id("model"),
                keyVariable(recipe, service, endpoint, usual),
                recipe.has("price-per-million-tokens") ? Optional.of(new TokenPrice(price, 0)) : Optional.empty(),
                ConfiguredIn.RECIPE);
    }

    private static URI endpoint(Fields recipe) {
        try {
            return Addresses.parse(recipe.text("endpoint"));
        } catch (IllegalArgumentException refused) {
            throw recipe.bad(
                    "endpoint",
                    String.valueOf(refused.getMessage()),
                    "it must be one like https://HOST/v1/embeddings; keys come from the environment");
        }
    }

    /**
     * The variable that the recipe names; else the vendor's usual one, but only for the vendor's own host: a key for
     * OpenAI must not go to everybody who talks like OpenAI.
     */
    private static Optional<String> keyVariable(Fields recipe, Service service, URI endpoint, URI usual) {
        if (!recipe.has("key")) {
            return usual.getHost().equalsIgnoreCase(endpoint.getHost())
                    ? Optional.of(service.keyVariable())
                    : Optional.empty();
        }
        String variable = recipe.text("key");
        if (!isVariable(variable)) {
            throw recipe.bad(
                    "key",
                    "is not the name of an environment variable",
                    "it names the variable that holds the key, for example " + service.keyVariable()
                            + "; a key itself must not appear in a recipe");
        }
        return Optional.of(variable);
    }

    /** Returns true if a text may name an environment variable and cannot be a key. */
    static boolean isVariable(String text) {
        return VARIABLE.matcher(text).matches();
    }

    /**
     * The key to send, from the environment.
     *
     * @return empty when the settings want none
     * @throws UsageException if it is missing, malformed, or would travel unencrypted
     */
    Optional<Secret> key(Map<String, String> environment) {
        return keyVariable.map(variable -> {
            String value = environment.get(variable);
            if (value == null || value.isBlank()) {
                throw new UsageException(who() + " needs a key: set the environment variable " + variable);
            }
            Secret key = new Secret("the key in the environment variable " + variable, value);
            key.checkGoesTo(endpoint, setup.withoutKey);
            return key;
        });
    }

    /** Returns the estimate of a number of calls. */
    CallEstimate estimate(long calls, long texts, long tokens) {
        return new CallEstimate(
                calls,
                texts,
                tokens,
                calls == 0
                        ? (Double) 0.0
                        : price.isEmpty() ? null : (Double) price.get().usd(tokens, 0));
    }

    /** Noun for errors: the service of a recipe, the model of the command line. */
    String who() {
        return setup == ConfiguredIn.RECIPE ? service.toString() : model;
    }

    /** The host and, where it is unusual, the port: what errors call the endpoint. */
    public String host() {
        return Addresses.host(endpoint);
    }

    static int between(Fields recipe, String name, int fallback, int least, int most) {
        int value = recipe.integer(name, fallback);
        if (value < least || value > most) {
            throw recipe.bad(name, "is " + value, "it must be " + least + " to " + most);
        }
        return value;
    }

    static OptionalInt maxTokens(Fields recipe) {
        return recipe.has("max-tokens")
                ? OptionalInt.of(between(recipe, "max-tokens", 1, 1, Integer.MAX_VALUE))
                : OptionalInt.empty();
    }

    /** Returns true if the vendor is to truncate long texts: the default, if the vendor offers the choice. */
    static boolean truncate(Fields recipe, Service service, boolean canTruncate) {
        if (!canTruncate && recipe.has("truncate")) {
            throw recipe.bad("truncate", "is set", "leave it out: " + service + " leaves no choice");
        }
        return canTruncate && recipe.flag("truncate", true);
    }
}
