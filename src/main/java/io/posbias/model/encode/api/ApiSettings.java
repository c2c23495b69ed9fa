package io.posbias.model.encode.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.base.net.Addresses;
import io.posbias.base.net.Http;
import io.posbias.base.net.Secret;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.model.encode.CallEstimate;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a service, from a recipe or the command line. Contains no key, only the name of its environment variable.
 *
 * @param service the vendor, or whose manner of talking a server has
 * @param endpoint the whole address that requests go to, http or https
 * @param model the vendor's name of the model
 * @param keyVariable the environment variable that holds the key; empty when none is sent
 * @param price of tokens; empty if unknown
 * @param wire differences between requests and the vendor's own
 * @param setup origin of the settings
 */
public record ApiSettings(
        Service service,
        URI endpoint,
        String model,
        Optional<String> keyVariable,
        Optional<TokenPrice> price,
        Wire wire,
        ConfiguredIn setup) {
    /**
     * Differences between requests and the vendor's own.
     *
     * @param omit fields that are left out
     * @param headers further headers; each value is a dollar sign and the environment variable that holds it
     * @param callsAtOnce concurrent calls; vendors limit requests by the minute, not by how many wait
     */
    public record Wire(
            @Setting(usual = "[]") List<String> omit,
            @Setting(usual = "{}") Map<String, String> headers,
            @Setting(usual = "4", least = 1, most = 64) int callsAtOnce) {
        public static final Wire USUAL = new Wire(List.of(), Map.of(), 4);

        // Set by posbias or by Java's client, which refuses to set them.
        private static final Pattern RESERVED = Pattern.compile(
                "(?i)(authorization|content-.*|accept|host|connection|expect|upgrade|transfer-encoding|user-agent)");

        public Wire {
            headers.forEach((name, value) -> {
                if (!name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+")
                        || RESERVED.matcher(name).matches()) {
                    throw new Setting.Wrong(
                            "headers",
                            "sets " + Printable.quoted(name),
                            "posbias sets this header itself, or it cannot be the name of one");
                }
                if (!value.startsWith("$") || !isVariable(value.substring(1))) {
                    throw new Setting.Wrong(
                            "headers",
                            "gives " + name + " a value that is not the name of an environment variable",
                            "it must be one like $MY_KEY; a key itself must not appear in a recipe");
                }
            });
        }

        void refuseOmitted(Dialect dialect) {
            for (String field : omit) {
                if (!field.equals("model") && !dialect.optional().contains(field)) {
                    throw new Setting.Wrong(
                            "omit",
                            "has " + Printable.quoted(field),
                            "requests can do without model, " + String.join(", ", dialect.optional()));
                }
            }
        }
    }

    // A key in an address would be in results and messages.
    private static final Pattern KEY_IN_QUERY =
            Pattern.compile("(?i)(^|.*[&_-])(key|token|secret|sig|code)=.*|.*apikey=.*");

    // Keys of the vendors have small letters, so a key that was put where its variable's name belongs is refused.
    private static final Pattern VARIABLE = Pattern.compile("[A-Z_][A-Z0-9_]{0,63}");

    /**
     * Fields of a recipe that embeddings and rerankers have in common.
     *
     * @param endpoint null for the vendor's own
     * @param key the environment variable that holds the key; null for the vendor's usual one
     * @param pricePerMillionTokens null if unknown
     */
    record ServiceFields(
            Service service,
            @Nullable String endpoint,
            @Setting(identifier = true) String model,
            @Nullable String key,
            @Setting(least = 0) @Nullable Double pricePerMillionTokens,
            @JsonUnwrapped Wire wire) {
        ServiceFields {
            try {
                String query = Addresses.parse(Objects.requireNonNullElse(endpoint, "https://localhost"))
                        .getRawQuery();
                if (query != null && KEY_IN_QUERY.matcher(query).matches()) {
                    throw new IllegalArgumentException("holds a key");
                }
            } catch (IllegalArgumentException refused) {
                throw new Setting.Wrong(
                        "endpoint",
                        String.valueOf(refused.getMessage()),
                        "it must be one like https://HOST/v1/embeddings; keys come from the environment");
            }
            if (key != null && !isVariable(key)) {
                throw new Setting.Wrong(
                        "key",
                        "is not the name of an environment variable",
                        "it names the variable that holds the key, for example "
                                + (service.keyVariable().isEmpty() ? "MY_KEY" : service.keyVariable())
                                + "; a key itself must not appear in a recipe");
            }
        }

        /** @param usual the vendor's own address */
        ApiSettings settings(URI usual) {
            URI address = endpoint == null ? usual : Addresses.parse(endpoint);
            return new ApiSettings(
                    service,
                    address,
                    model,
                    keyVariable(address, usual),
                    Optional.ofNullable(pricePerMillionTokens).map(price -> new TokenPrice(price, 0)),
                    wire,
                    ConfiguredIn.RECIPE);
        }

        /** The vendor's usual variable is for its own host only: a key for OpenAI must not go to everybody who talks alike. */
        private Optional<String> keyVariable(URI address, URI usual) {
            return Optional.ofNullable(key)
                    .or(() -> Optional.of(service.keyVariable())
                            .filter(own -> !own.isEmpty() && usual.getHost().equalsIgnoreCase(address.getHost())));
        }

        /** Returns true if the vendor is to truncate long texts: the default, if the vendor offers the choice. */
        boolean truncates(@Nullable Boolean truncate, Dialect facts) {
            if (!facts.canTruncate() && truncate != null) {
                throw new Setting.Wrong("truncate", "is set", "leave it out: " + service + " leaves no choice");
            }
            return facts.canTruncate() && !Boolean.FALSE.equals(truncate);
        }
    }

    /** Returns a limit of a call, or the usual one. */
    static int limit(String field, @Nullable Integer given, int usual, int most) {
        if (given != null && given > most) {
            throw new Setting.Wrong(field, "is " + given, "it must be 1 to " + most);
        }
        return Objects.requireNonNullElse(given, usual);
    }

    /** Returns true if a text may name an environment variable and cannot be a key. */
    public static boolean isVariable(String text) {
        return VARIABLE.matcher(text).matches();
    }

    /**
     * The key to send, from the environment.
     *
     * @return empty when the settings want none
     * @throws UsageException if it is missing, malformed, or would travel unencrypted
     */
    Optional<Secret> key(Map<String, String> environment) {
        return keyVariable.map(variable -> secret(variable, environment, setup.withoutKey));
    }

    /**
     * The key and the values of further headers, by header.
     *
     * @throws UsageException as {@link #key}
     */
    Map<String, Secret> secrets(Map<String, String> environment) {
        Map<String, Secret> values = new LinkedHashMap<>();
        key(environment).ifPresent(key -> values.put(Http.BEARER, key));
        wire.headers.forEach((name, value) ->
                values.put(name, secret(value.substring(1), environment, "leave out the header " + name)));
        return values;
    }

    private Secret secret(String variable, Map<String, String> environment, String without) {
        String value = environment.get(variable);
        if (value == null || value.isBlank()) {
            throw new UsageException(who() + " needs a key: set the environment variable " + variable);
        }
        Secret key = new Secret("the key in the environment variable " + variable, value);
        key.checkGoesTo(endpoint, without);
        return key;
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
}
