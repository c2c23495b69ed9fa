package io.posbias.hub;

import io.posbias.UsageException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Where the Hub is, who asks, and what is here already: the environment variables that huggingface_hub reads, and
 * POSBIAS_HOME.
 *
 * @param endpoint HF_ENDPOINT, else https://huggingface.co; without a slash at its end
 * @param token HF_TOKEN, else the file HF_TOKEN_PATH, else the file {@code token} in HF_HOME
 * @param hubCache the Hub's own cache, HF_HUB_CACHE, else {@code hub} in HF_HOME (~/.cache/huggingface); only read
 * @param home POSBIAS_HOME, else XDG_CACHE_HOME/posbias, else ~/.cache/posbias
 * @param offline HF_HUB_OFFLINE: never touch the network
 * @param patience how long the first pause between tries is, and what others are multiples of
 */
public record HubSettings(
        URI endpoint, Optional<Secret> token, Path hubCache, Path home, boolean offline, Duration patience) {
    private static final String DEFAULT_ENDPOINT = "https://huggingface.co";

    /** Reads the environment of this process. */
    public static HubSettings fromEnvironment() {
        return of(System.getenv(), Path.of(System.getProperty("user.home")));
    }

    /**
     * Reads an environment.
     *
     * @param environment variables by name
     * @param user the user's home folder
     */
    public static HubSettings of(Map<String, String> environment, Path user) {
        Path cache = path(environment, "XDG_CACHE_HOME").orElse(user.resolve(".cache"));
        Path hfHome = path(environment, "HF_HOME").orElse(cache.resolve("huggingface"));
        return new HubSettings(
                endpoint(environment),
                token(environment, hfHome),
                path(environment, "HF_HUB_CACHE").orElse(hfHome.resolve("hub")),
                path(environment, "POSBIAS_HOME").orElse(cache.resolve("posbias")),
                isTrue(environment.getOrDefault("HF_HUB_OFFLINE", "")),
                Duration.ofSeconds(1));
    }

    private static URI endpoint(Map<String, String> environment) {
        String text = value(environment, "HF_ENDPOINT").orElse(DEFAULT_ENDPOINT).replaceFirst("/+$", "");
        try {
            URI endpoint = URI.create(text);
            if (("https".equals(endpoint.getScheme()) || "http".equals(endpoint.getScheme()))
                    && endpoint.getHost() != null) {
                return endpoint;
            }
        } catch (IllegalArgumentException notUri) {
            throw new UsageException("HF_ENDPOINT is \"" + text + "\": " + notUri.getMessage());
        }
        throw new UsageException("HF_ENDPOINT is \"" + text + "\": it must be an address like " + DEFAULT_ENDPOINT);
    }

    private static Optional<Secret> token(Map<String, String> environment, Path hfHome) {
        Optional<String> given = value(environment, "HF_TOKEN");
        if (given.isPresent()) {
            return given.map(Secret::new);
        }
        Path file = path(environment, "HF_TOKEN_PATH").orElse(hfHome.resolve("token"));
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            String token = Files.readString(file).strip();
            return token.isEmpty() ? Optional.empty() : Optional.of(new Secret(token));
        } catch (IOException unreadable) {
            throw new UsageException("cannot read the Hub's token in " + file);
        }
    }

    private static Optional<Path> path(Map<String, String> environment, String name) {
        return value(environment, name).map(Path::of);
    }

    private static Optional<String> value(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static boolean isTrue(String text) {
        return text.equals("1")
                || text.equalsIgnoreCase("true")
                || text.equalsIgnoreCase("yes")
                || text.equalsIgnoreCase("on");
    }

    /** The folder of a benchmark that was pulled. */
    public Path dataset(String name) {
        return home.resolve("datasets").resolve(name);
    }

    /** The folder of a model that was pulled, or that a person brought here. */
    public Path model(String name) {
        return home.resolve("models").resolve(name);
    }
}
