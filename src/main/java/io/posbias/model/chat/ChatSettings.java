package io.posbias.model.chat;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.net.Addresses;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.api.ApiSettings;
import io.posbias.model.encode.api.ConfiguredIn;
import io.posbias.model.encode.api.Service;
import io.posbias.model.encode.api.TokenPrice;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Settings of a language model, from the command line.
 *
 * @param sampling how the model chooses tokens
 */
public record ChatSettings(ApiSettings api, Sampling sampling) {
    private static final String PATH = "/chat/completions";

    /**
     * Checks an address and a key's variable.
     *
     * @param option what errors call the address, for example {@code --llm}
     * @param base the address up to {@code /chat/completions}, which it may end with too
     * @param model the service's name of the model
     * @param keyVariable the environment variable that holds the key; empty when none is sent
     * @throws UsageException if one of them cannot be what it should be
     */
    public static ChatSettings of(
            String option, String base, String model, Optional<String> keyVariable, Sampling sampling) {
        if (model.isBlank() || !model.equals(model.strip())) {
            throw new UsageException(option + "-model is empty, or has white space around it");
        }
        // The text is not repeated: it may be a key that was typed where its variable's name belongs.
        if (keyVariable.filter(variable -> !ApiSettings.isVariable(variable)).isPresent()) {
            throw new UsageException("the variable of the key of " + option + " is not the name of an environment"
                    + " variable, for example OPENAI_API_KEY; a key itself must not appear on the command line");
        }
        URI endpoint = URI.create(address(option, base) + PATH);
        return new ChatSettings(
                new ApiSettings(
                        Service.OPENAI,
                        endpoint,
                        model,
                        keyVariable,
                        Optional.empty(),
                        ApiSettings.Wire.USUAL,
                        ConfiguredIn.OPTIONS),
                sampling);
    }

    /** Sets the price of tokens. */
    public ChatSettings at(TokenPrice price) {
        ApiSettings priced = new ApiSettings(
                api.service(),
                api.endpoint(),
                api.model(),
                api.keyVariable(),
                Optional.of(price),
                api.wire(),
                api.setup());
        return new ChatSettings(priced, sampling);
    }

    /** Price of its tokens; empty if unknown. */
    public Optional<TokenPrice> price() {
        return api.price();
    }

    /** The address without what follows. */
    private static String address(String option, String text) {
        try {
            String base = Addresses.base(text).toString();
            return base.endsWith(PATH) ? base.substring(0, base.length() - PATH.length()) : base;
        } catch (IllegalArgumentException refused) {
            throw new UsageException(option + " " + refused.getMessage()
                    + ": it must be an address like http://localhost:8000/v1; keys come from the environment");
        }
    }

    /** The model's name at the service. */
    public String model() {
        return api.model();
    }

    /** The address without {@code /chat/completions}. */
    public String base() {
        String endpoint = api.endpoint().toString();
        return endpoint.substring(0, endpoint.length() - PATH.length());
    }

    /** The model's name as a folder's name; not unique. */
    public String folderName() {
        return FileNames.ofModel(model()).replaceFirst("^\\.", "_");
    }

    /** SHA-256 of address and model: whose replies these are. */
    public String space() {
        return Checksums.sha256((base() + "\n" + model()).getBytes(StandardCharsets.UTF_8));
    }

    /** SHA-256 of a question and how it is asked. */
    public String key(String prompt) {
        return Checksums.sha256((sampling + "\n" + prompt).getBytes(StandardCharsets.UTF_8));
    }
}
