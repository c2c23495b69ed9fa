package io.posbias.model.retrieve;

import io.posbias.base.json.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A kind of recipe. Found through {@link ServiceLoader}: another jar on the class path adds a kind by
 * naming its provider in {@code META-INF/services/io.posbias.model.retrieve.RetrieverProvider}; see docs/extending.md.
 */
public interface RetrieverProvider {
    /** Returns the kind's name in recipes. */
    String kind();

    /**
     * Binds a recipe to the kind's Java record, with {@link io.posbias.base.json.Json#settings}. Loads nothing heavy.
     *
     * @throws io.posbias.base.json.BadInputException on a wrong setting
     */
    Recipe bind(Fields recipe);

    /** Returns the fields that options can set: {@code --depth} sets {@code depth}. */
    default List<String> options() {
        return List.of();
    }

    /** Returns the fields that name wrapped recipes, first the one of {@code MODEL+KIND}. */
    default List<String> wrappedIn() {
        return List.of();
    }

    static Optional<RetrieverProvider> forKind(String kind) {
        return Known.ALL.stream()
                .filter(provider -> provider.kind().equals(kind))
                .findFirst();
    }

    static List<String> kinds() {
        return Known.ALL.stream().map(RetrieverProvider::kind).sorted().toList();
    }

    static List<RetrieverProvider> all() {
        return Known.ALL;
    }

    /** Loaded once, since this reads every jar on the class path. */
    final class Known {
        private static final List<RetrieverProvider> ALL = all();

        private Known() {}

        private static List<RetrieverProvider> all() {
            List<RetrieverProvider> all = new ArrayList<>(RetrieverKind.ALL);
            ServiceLoader.load(RetrieverProvider.class).forEach(all::add);
            return List.copyOf(all);
        }
    }
}
