package io.posbias.build;

import io.posbias.Fields;
import io.posbias.encode.api.ChatSettings;
import io.posbias.encode.api.Sampling;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A language model of a pipeline.
 *
 * @param role what stages call it, such as {@code writer}
 * @param settings which model it is and how it is reached
 * @param usdPerMillionInput price of a million tokens that it reads; empty when nobody says
 * @param usdPerMillionOutput price of a million tokens that it writes; empty when nobody says
 */
public record ChatRole(
        String role, ChatSettings settings, Optional<Double> usdPerMillionInput, Optional<Double> usdPerMillionOutput) {
    private static final String INPUT_PRICE = "usd-per-million-input-tokens";
    private static final String OUTPUT_PRICE = "usd-per-million-output-tokens";
    private static final List<String> FIELDS =
            List.of("model", "endpoint", "key", "sampling", "provenance", INPUT_PRICE, OUTPUT_PRICE);

    /**
     * The language models of a pipeline, by role.
     *
     * @param other the language model that all roles get instead, as options name it; empty for the pipeline's own
     */
    public static Map<String, ChatRole> of(Pipeline pipeline, Optional<ChatSettings> other) {
        Map<String, ChatRole> roles = new LinkedHashMap<>();
        Fields models = pipeline.languageModels();
        for (String role : models.names()) {
            Fields fields = models.record(role);
            fields.refuseOthers(FIELDS);
            // A pipeline may name a role and leave it to the user who it is.
            if (other.isPresent() || fields.has("endpoint")) {
                roles.put(role, of(role, fields, other));
            }
        }
        return roles;
    }

    private static ChatRole of(String role, Fields fields, Optional<ChatSettings> other) {
        Sampling sampling = fields.oneOf("sampling", Sampling.GREEDY, List.of(Sampling.values()));
        ChatSettings settings = other.orElseGet(() -> ChatSettings.of(
                "language-models." + role,
                fields.text("endpoint"),
                fields.text("model"),
                fields.has("key") ? Optional.of(fields.text("key")) : Optional.empty(),
                sampling));
        return new ChatRole(
                role,
                settings,
                other.isPresent() ? Optional.empty() : price(fields, INPUT_PRICE),
                other.isPresent() ? Optional.empty() : price(fields, OUTPUT_PRICE));
    }

    private static Optional<Double> price(Fields fields, String name) {
        if (!fields.has(name)) {
            return Optional.empty();
        }
        double price = fields.number(name);
        if (!(price >= 0)) {
            throw fields.bad(name, "is " + price, "it must not be negative");
        }
        return Optional.of(price);
    }
}
