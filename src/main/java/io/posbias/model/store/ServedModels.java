package io.posbias.model.store;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.net.Addresses;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.api.ApiEncoder;
import io.posbias.model.encode.api.ApiException;
import io.posbias.model.encode.model.Kind;
import io.posbias.model.encode.model.KnownModel;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Recipes of models that a server runs, by its address: {@code http://HOST/v1#MODEL} of servers that speak like OpenAI's,
 * {@code ollama:MODEL}, {@code tei:http://HOST}. The server is asked once, for the dimension of its vectors.
 *
 * @param instruction what queries ask of models that take one; null for nothing
 */
record ServedModels(Session session, @Nullable String instruction) {
    private static final String OLLAMA = "ollama:";
    private static final String TEI = "tei:";

    static boolean isServed(String word) {
        return word.startsWith(OLLAMA) || word.startsWith(TEI) || word.matches("https?://.*");
    }

    /**
     * Asks the server for the dimension and returns the recipe.
     *
     * @throws UsageException if the word names no model or no address
     * @throws PosbiasException if the server cannot be reached, or refuses a text
     */
    Recipe recipe(String word) {
        if (word.startsWith(OLLAMA)) {
            String model = word.substring(OLLAMA.length());
            return encoder("ollama", host() + "/api/embed", model, "ollama-" + model);
        }
        URI given = address(word.startsWith(TEI) ? word.substring(TEI.length()) : word);
        String model = Objects.requireNonNullElse(given.getFragment(), "");
        String plain = given.toString().replaceFirst("#.*", "");
        String host = Addresses.host(given).replace(':', '-');
        String own = model.substring(model.lastIndexOf('/') + 1);
        if (word.startsWith(TEI)) {
            String root = plain.replaceFirst("/*$", "");
            return tei(root, model.isEmpty() ? "tei-" + host : model, (own.isEmpty() ? "tei" : own) + "-" + host);
        }
        if (model.isEmpty()) {
            throw new UsageException(word + " names no model: write it behind the address, " + word + "#MODEL");
        }
        String path = given.getPath() == null ? "" : given.getPath();
        boolean isWhole = path.endsWith("/embeddings");
        return encoder(
                "openai", isWhole ? plain : plain.replaceFirst("/*$", "") + "/embeddings", model, own + "-" + host);
    }

    private static URI address(String text) {
        try {
            URI address = Addresses.parse(text);
            if (address.getHost() == null) {
                throw new IllegalArgumentException("has no host");
            }
            return address;
        } catch (IllegalArgumentException refused) {
            throw new UsageException(
                    text + " " + refused.getMessage() + ": it must be an address like http://localhost:8080/v1#MODEL");
        }
    }

    /** As Ollama's own commands: a host, a port or both, with or without a scheme; a server listens on 0.0.0.0. */
    private String host() {
        String said = session.variable("OLLAMA_HOST").orElse("127.0.0.1:11434");
        String whole = said.contains("://") ? said : "http://" + said;
        URI host = address(whole.replace("0.0.0.0", "127.0.0.1"));
        return host.getScheme() + "://" + host.getHost() + ":" + (host.getPort() < 0 ? 11434 : host.getPort());
    }

    /** Text-embeddings-inference serves an encoder or a reranker, and says which by what it refuses. */
    private Recipe tei(String root, String model, String name) {
        try {
            return encoder("tei", root + "/embed", model, name);
        } catch (ApiException refused) {
            SequencedMap<String, Object> record = record(Kind.RERANK_API, name, "tei", root + "/rerank", model);
            record.put("first-stage", "bm25");
            Recipe recipe = read(record);
            Model.Reranker reranker =
                    (Model.Reranker) recipe.retriever().model().orElseThrow();
            try (PairScorer scorer = reranker.opener().apply(Engine.quiet(1, session))) {
                scorer.prepare(List.of(new PairScorer.TextPair("a", "a"))).run(scores -> {});
            } catch (PosbiasException neither) {
                refused.addSuppressed(neither);
                throw refused;
            }
            return recipe;
        }
    }

    private Recipe encoder(String service, String endpoint, String model, String name) {
        SequencedMap<String, Object> record = record(Kind.EMBEDDING_API, name, service, endpoint, model);
        record.put("normalise", true);
        record.put("similarity", "cosine");
        // Before the prompts: a server of a reranker refuses, and its model has none.
        int dimension = dimension(record);
        prompts(model, record);
        record.put("dimension", dimension);
        session.say(model + " at " + endpoint + ": " + record.get("dimension") + " dimensions, query-prompt \""
                + record.get("query-prompt") + "\", document-prompt \"" + record.get("document-prompt") + "\""
                + (record.containsKey("unknown") ? "; its prompts are unknown" : " (" + KnownModel.REGISTRY + ")"));
        return read(record);
    }

    private int dimension(SequencedMap<String, Object> record) {
        SequencedMap<String, Object> whole = new LinkedHashMap<>(record);
        whole.put("dimension", 1);
        Model.Encoder asked = (Model.Encoder) read(whole).retriever().model().orElseThrow();
        try (TextEncoder encoder = asked.opener().apply(Engine.quiet(1, session))) {
            return ((ApiEncoder) encoder).askDimension();
        }
    }

    private SequencedMap<String, Object> record(Kind kind, String name, String service, String endpoint, String model) {
        SequencedMap<String, Object> record = new LinkedHashMap<>();
        record.put("name", name.replaceAll("[^\\p{L}\\p{N}._-]+", "-"));
        record.put("kind", kind.word());
        record.put("family", kind.family());
        record.put("description", model + ", served at " + endpoint);
        record.put("service", service);
        record.put("endpoint", endpoint);
        record.put("model", model);
        if (service.equals("tei")) {
            record.put("omit", List.of("model"));
        }
        return record;
    }

    private void prompts(String model, Map<String, Object> record) {
        Optional<KnownModel> known = KnownModel.find(model);
        record.put("query-prompt", KnownModel.beforeQueries(known, model, instruction));
        record.put("document-prompt", known.map(KnownModel::documentPrompt).orElse(""));
        if (known.isEmpty()) {
            record.put("unknown", List.of("Prompts of " + model + " are unknown; they belong in a recipe."));
        }
    }

    private static Recipe read(SequencedMap<String, Object> record) {
        String place = String.valueOf(record.get("name")).toLowerCase(Locale.ROOT);
        return RecipeBook.read(new Fields(Location.of(Path.of(place + " (served)")), new LinkedHashMap<>(record)));
    }
}
