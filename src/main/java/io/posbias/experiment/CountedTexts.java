package io.posbias.experiment;

import io.posbias.encode.cache.Backlog;
import io.posbias.retrieve.Recipe;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The texts that are in cells before, by the recipe whose vectors of them are kept: a strategy finds those of its model. */
final class CountedTexts {
    private final Map<String, Backlog> backlogs = new HashMap<>();
    private final Map<String, Set<String>> corpora = new HashMap<>();

    /** Those of a recipe. */
    Backlog of(Recipe recipe) {
        return backlogs.computeIfAbsent(recipe.fingerprint(), texts -> new Backlog());
    }

    /** Whether no cell before has the passages of a corpus that is not here. */
    boolean isNew(Recipe recipe, String corpus) {
        return corpora.computeIfAbsent(recipe.fingerprint(), all -> new HashSet<>())
                .add(corpus);
    }

    /** Forgets the texts of models that are in none of these recipes: of millions they take much memory. */
    void keep(Stream<Recipe> recipes) {
        Set<String> kept =
                recipes.flatMap(CountedTexts::within).map(Recipe::fingerprint).collect(Collectors.toSet());
        backlogs.keySet().retainAll(kept);
        corpora.keySet().retainAll(kept);
    }

    /** A recipe, those that it wraps, and their first stages. */
    static Stream<Recipe> within(Recipe recipe) {
        Recipe first = recipe.wrapped().isEmpty() ? recipe.retriever().reading().firstStage() : null;
        return Stream.concat(
                Stream.of(recipe),
                Stream.concat(Stream.ofNullable(first), recipe.wrapped().stream())
                        .flatMap(CountedTexts::within));
    }
}
