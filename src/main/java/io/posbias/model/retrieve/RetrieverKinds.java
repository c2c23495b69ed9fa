package io.posbias.model.retrieve;

import io.posbias.base.process.PosbiasException;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Known kinds of recipes: those of posbias and those of other jars. */
public final class RetrieverKinds {
    /** Loaded once, since this reads every jar on the class path. */
    private static final List<RetrieverProvider> ALL = ServiceLoader.load(RetrieverProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    private RetrieverKinds() {}

    /**
     * Returns the provider of a kind; empty if it is unknown.
     *
     * @throws PosbiasException if two jars have the kind
     */
    static Optional<RetrieverProvider> forKind(String kind) {
        List<RetrieverProvider> own =
                ALL.stream().filter(provider -> provider.kind().equals(kind)).toList();
        if (own.size() > 1) {
            throw new PosbiasException("kind " + kind + " is provided by "
                    + own.getFirst().getClass().getName() + " and by "
                    + own.getLast().getClass().getName() + ": remove one from the class path");
        }
        return own.stream().findFirst();
    }

    public static List<String> kinds() {
        return ALL.stream().map(RetrieverProvider::kind).sorted().toList();
    }

    public static List<RetrieverProvider> all() {
        return ALL;
    }
}
