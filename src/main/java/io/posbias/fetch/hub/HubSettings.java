package io.posbias.fetch.hub;

import io.posbias.base.files.FileNames;
import io.posbias.base.net.Addresses;
import io.posbias.base.net.Http;
import io.posbias.base.net.Secret;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Addresses of the Hub, GitHub and Maven Central, the token and the caches, from the environment variables of huggingface_hub,
 * POSBIAS_GITHUB, POSBIAS_MAVEN and POSBIAS_HOME.
 *
 * @param endpoint HF_ENDPOINT, else https://huggingface.co; without a slash at its end
 * @param github POSBIAS_GITHUB, else https://raw.githubusercontent.com: address of files on GitHub
 * @param maven POSBIAS_MAVEN, else https://repo1.maven.org/maven2: Maven Central, or a mirror of it
 * @param token HF_TOKEN, else the file HF_TOKEN_PATH, else the file {@code token} in HF_HOME
 * @param hubCache the Hub's own cache, HF_HUB_CACHE, else {@code hub} in HF_HOME (~/.cache/huggingface); only read
 * @param home POSBIAS_HOME, else XDG_CACHE_HOME/posbias, else ~/.cache/posbias
 * @param offline HF_HUB_OFFLINE: never touch the network
 * @param patience the first pause between tries; others are multiples of it
 * @param silence longest time without a byte: HF_HUB_DOWNLOAD_TIMEOUT in seconds, else a minute
 */
public record HubSettings(
        URI endpoint,
        URI github,
        URI maven,
        Optional<Secret> token,
        Path hubCache,
        Path home,
        boolean offline,
        Duration patience,
        Duration silence) {
    /** Folder of pulled benchmarks in posbias's home. */
    public static final String DATASETS = "datasets";

    public static final String GITHUB = "https://raw.githubusercontent.com";

    private static final String DEFAULT_ENDPOINT = "https://huggingface.co";
    private static final String DEFAULT_MAVEN = "https://repo1.maven.org/maven2";

    /** Reads a session's environment. */
    public static HubSettings of(Session session) {
        Path hfHome = session.folder("HF_HOME").orElse(session.cache().resolve("huggingface"));
        return new HubSettings(
                address(session, "HF_ENDPOINT", DEFAULT_ENDPOINT),
                address(session, "POSBIAS_GITHUB", GITHUB),
                address(session, "POSBIAS_MAVEN", DEFAULT_MAVEN),
                token(session, hfHome),
                session.folder("HF_HUB_CACHE").orElse(hfHome.resolve("hub")),
                session.home(),
                session.variable("HF_HUB_OFFLINE").orElse("").matches("(?i)1|true|yes|on"),
                Duration.ofSeconds(1),
                silence(session));
    }

    private static Duration silence(Session session) {
        String seconds = session.variable("HF_HUB_DOWNLOAD_TIMEOUT").orElse("60");
        if (!seconds.matches("[1-9][0-9]{0,4}")) {
            throw new UsageException(
                    "HF_HUB_DOWNLOAD_TIMEOUT is " + Printable.quoted(seconds) + ": it must be a number of seconds");
        }
        return Duration.ofSeconds(Long.parseLong(seconds));
    }

    private static URI address(Session session, String variable, String usual) {
        try {
            return Addresses.base(session.variable(variable).orElse(usual));
        } catch (IllegalArgumentException refused) {
            throw new UsageException(variable + " " + refused.getMessage() + ": it must be an address like " + usual);
        }
    }

    private static Optional<Secret> token(Session session, Path hfHome) {
        Optional<String> given = session.variable("HF_TOKEN");
        if (given.isPresent()) {
            return given.map(value -> new Secret("the token in HF_TOKEN", value));
        }
        Path file = session.folder("HF_TOKEN_PATH").orElse(hfHome.resolve("token"));
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            String token = Files.readString(file).strip();
            return token.isEmpty() ? Optional.empty() : Optional.of(new Secret("the Hub's token in " + file, token));
        } catch (IOException unreadable) {
            throw new UsageException("cannot read the Hub's token in " + file);
        }
    }

    List<Secret> secrets() {
        return token.stream().toList();
    }

    /** Returns a request without a body. One to the Hub carries the token. */
    Http.Request request(String method, URI address, Map<String, String> headers) {
        Map<String, Secret> secrets = new HashMap<>();
        token.filter(hub -> Addresses.isSame(endpoint, address)).ifPresent(hub -> {
            hub.checkGoesTo(
                    address, "send none: unset HF_TOKEN, and set HF_TOKEN_PATH=/dev/null where a token is stored");
            secrets.put(Http.BEARER, hub);
        });
        Map<String, String> all = new HashMap<>(headers);
        all.put("Accept-Encoding", "identity");
        return new Http.Request(method, address, all, new byte[0], secrets);
    }

    public Path dataset(String name) {
        return FileNames.inside(home.resolve(DATASETS), name);
    }

    /** The folder of a model, downloaded or copied by hand. */
    public Path model(String name) {
        return FileNames.directlyIn(home.resolve("models"), name);
    }
}
