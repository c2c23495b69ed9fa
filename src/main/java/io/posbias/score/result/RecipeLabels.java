package io.posbias.score.result;

import java.util.Set;

/** Fields of recipes without effect on rankings. */
public final class RecipeLabels {
    /** Architecture of a dense model, for white-box analysis. */
    public static final String TRANSFORMER = "transformer";

    public static final Set<String> ALL =
            Set.of("description", "citation", "licence", "hub-names", "unknown", "published-as", TRANSFORMER, "size");

    private RecipeLabels() {}
}
