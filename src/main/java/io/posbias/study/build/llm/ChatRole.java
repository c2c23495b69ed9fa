package io.posbias.study.build.llm;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.chat.Sampling;
import io.posbias.model.encode.api.TokenPrice;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A language model of a pipeline's record, under its role.
 *
 * @param endpoint null: the user must name the service
 * @param key environment variable with the key
 * @param provenance for readers
 */
public record ChatRole(
        @Nullable String model,
        @Nullable String endpoint,
        @Nullable String key,
        @Setting(words = {"greedy", "paper", "server"}) String sampling,
        @Nullable String provenance,
        @Setting(least = 0) @Nullable Double usdPerMillionInputTokens,
        @Setting(least = 0) @Nullable Double usdPerMillionOutputTokens) {
    public ChatRole {
        if (endpoint != null && model == null) {
            throw new Setting.Wrong("model", "is missing", "an endpoint goes with the name of its model");
        }
        if ((usdPerMillionInputTokens == null) != (usdPerMillionOutputTokens == null)) {
            String given = usdPerMillionInputTokens == null ? "output" : "input";
            String other = usdPerMillionInputTokens == null ? "input" : "output";
            throw new Setting.Wrong(
                    "usd-per-million-" + given + "-tokens",
                    "is without usd-per-million-" + other + "-tokens",
                    "give both or neither");
        }
    }

    /**
     * Returns the services of a pipeline by role, without unnamed roles.
     *
     * @param given services that replace those of roles
     */
    public static Map<String, ChatSettings> of(Fields models, Function<String, Optional<ChatSettings>> given) {
        Map<String, ChatSettings> roles = new LinkedHashMap<>();
        for (String role : models.names()) {
            ChatRole own = Json.settings(models.record(role), ChatRole.class);
            given.apply(role).or(() -> own.settings(role)).ifPresent(chat -> roles.put(role, chat));
        }
        return roles;
    }

    private Optional<ChatSettings> settings(String role) {
        if (endpoint == null || model == null) {
            return Optional.empty();
        }
        Sampling how = Sampling.valueOf(sampling.toUpperCase(Locale.ROOT));
        ChatSettings chat = ChatSettings.of("language-models." + role, endpoint, model, Optional.ofNullable(key), how);
        return Optional.of(
                usdPerMillionInputTokens == null || usdPerMillionOutputTokens == null
                        ? chat
                        : chat.at(new TokenPrice(usdPerMillionInputTokens, usdPerMillionOutputTokens)));
    }
}
