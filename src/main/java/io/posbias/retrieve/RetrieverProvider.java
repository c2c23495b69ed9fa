package io.posbias.retrieve;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Makes retrievers of one kind. Found through {@link ServiceLoader}, so another jar on the class path adds a kind by
 * naming its provider in {@code META-INF/services/io.posbias.retrieve.RetrieverProvider}; see docs/extending.md.
 */
public interface RetrieverProvider {
    /** The word for this kind in recipes. */
    String kind();

    /**
     * Makes a retriever. Reads the recipe's settings, refuses fields it does not know, and loads nothing heavy yet.
     *
     * @throws io.posbias.BadInputException if a setting is wrong, naming the field
     */
    Retriever create(Recipe recipe);

    /** The recipe's fields that options of the command line may set: {@code --depth} sets {@code depth}. */
    default List<String> options() {
        return List.of();
    }

    /**
     * The fields that name the recipes which this kind wraps, the first of them the one that {@code MODEL+KIND} names; empty
     * for kinds that wrap none.
     */
    default List<String> wrappedIn() {
        return List.of();
    }

    /** The provider of a kind. */
    static Optional<RetrieverProvider> forKind(String kind) {
        return Known.ALL.stream()
                .filter(provider -> provider.kind().equals(kind))
                .findFirst();
    }

    /** All kinds there are. */
    static List<String> kinds() {
        return Known.ALL.stream().map(RetrieverProvider::kind).sorted().toList();
    }

    /** All providers, those of posbias first. */
    static List<RetrieverProvider> all() {
        return Collections.unmodifiableList(Known.ALL);
    }

    /** Looked for on the class path once: that reads every jar. */
    final class Known {
        private static final List<RetrieverProvider> ALL = all();

        private Known() {}

        private static List<RetrieverProvider> all() {
            List<RetrieverProvider> all = new ArrayList<>(RetrieverKind.ALL);
            ServiceLoader.load(RetrieverProvider.class).forEach(all::add);
            return all;
        }
    }
}
