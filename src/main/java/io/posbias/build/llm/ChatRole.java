package io.posbias.build.llm;

import io.posbias.Fields;
import io.posbias.encode.api.ChatSettings;
import io.posbias.encode.api.Sampling;
import io.posbias.encode.api.TokenPrice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A language model of a pipeline.
 *
 * @param role what stages call it, such as {@code writer}
 * @param settings which model it is, how it is reached and what it costs
 */
public record ChatRole(String role, ChatSettings settings) {
    private static final String INPUT_PRICE = "usd-per-million-input-tokens";
    private static final String OUTPUT_PRICE = "usd-per-million-output-tokens";
    private static final List<String> FIELDS =
            List.of("model", "endpoint", "key", "sampling", "provenance", INPUT_PRICE, OUTPUT_PRICE);

    /**
     * The language models of a pipeline, by role.
     *
     * @param models the pipeline's record of them
     * @param other the language model that all roles get instead, as options name it; empty for the pipeline's own
     */
    public static Map<String, ChatRole> of(Fields models, Optional<ChatSettings> other) {
        Map<String, ChatRole> roles = new LinkedHashMap<>();
        for (String role : models.names()) {
            Fields fields = models.record(role);
            fields.refuseOthers(FIELDS);
            // A pipeline may name a role and leave it to the user who it is.
            if (other.isPresent() || fields.has("endpoint")) {
                roles.put(role, other.map(chat -> new ChatRole(role, chat)).orElseGet(() -> of(role, fields)));
            }
        }
        return roles;
    }

    private static ChatRole of(String role, Fields fields) {
        Sampling sampling = fields.oneOf("sampling", Sampling.GREEDY, List.of(Sampling.values()));
        ChatSettings settings = ChatSettings.of(
                "language-models." + role,
                fields.text("endpoint"),
                fields.text("model"),
                fields.has("key") ? Optional.of(fields.text("key")) : Optional.empty(),
                sampling);
        return new ChatRole(role, price(fields).map(settings::at).orElse(settings));
    }

    private static Optional<TokenPrice> price(Fields fields) {
        for (String name : List.of(INPUT_PRICE, OUTPUT_PRICE)) {
            if (fields.number(name, 0) < 0) {
                throw fields.bad(name, "is " + fields.number(name), "it must not be negative");
            }
        }
        if (fields.has(INPUT_PRICE) != fields.has(OUTPUT_PRICE)) {
            throw fields.bad(
                    fields.has(INPUT_PRICE) ? INPUT_PRICE : OUTPUT_PRICE,
                    "is without " + (fields.has(INPUT_PRICE) ? OUTPUT_PRICE : INPUT_PRICE),
                    "give both or neither");
        }
        return fields.has(INPUT_PRICE)
                ? Optional.of(new TokenPrice(fields.number(INPUT_PRICE), fields.number(OUTPUT_PRICE)))
                : Optional.empty();
    }
}
