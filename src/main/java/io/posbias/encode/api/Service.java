package io.posbias.encode.api;

import io.posbias.Fields;
import io.posbias.Names;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The vendors, by the names that recipes use. What is special about one stands in its own class. */
public enum Service {
    /** OpenAI, and the many servers that talk like it. Embeddings only. */
    OPENAI,
    /** Voyage AI. */
    VOYAGE,
    /** Cohere, version 2 of its interface. */
    COHERE,
    /** Jina AI. */
    JINA;

    /** The environment variable that usually holds the vendor's key. */
    public String keyVariable() {
        return name() + "_API_KEY";
    }

    EmbeddingVendor embedding() {
        return switch (this) {
            case OPENAI -> new OpenAi();
            case VOYAGE -> new Voyage();
            case COHERE -> new Cohere();
            case JINA -> new Jina();
        };
    }

    Optional<RerankVendor> rerank() {
        return switch (this) {
            case OPENAI -> Optional.empty();
            case VOYAGE -> Optional.of(new Voyage());
            case COHERE -> Optional.of(new Cohere());
            case JINA -> Optional.of(new Jina());
        };
    }

    /** The service that a recipe names, one of those given. */
    static Service of(Fields recipe, List<Service> known) {
        String name = recipe.text("service");
        return known.stream()
                .filter(service -> service.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> recipe.bad(
                        "service",
                        "names an " + Names.unknown("service", name, Service.names(known)),
                        "it is one of those"));
    }

    static List<Service> rerankers() {
        return Arrays.stream(values())
                .filter(service -> service.rerank().isPresent())
                .toList();
    }

    private static List<String> names(List<Service> services) {
        return services.stream().map(Service::toString).toList();
    }

    /** The name in recipes, for example {@code openai}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
