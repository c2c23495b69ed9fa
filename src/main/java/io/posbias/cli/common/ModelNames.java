package io.posbias.cli.common;

import io.posbias.model.retrieve.Recipe;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

public final class ModelNames {
    @Option(
            names = "--model",
            required = true,
            split = ",",
            paramLabel = "MODEL,..",
            description = "Models: names from 'posbias models list', .yaml recipes, folders, or ORG/NAME on the Hub.")
    private List<String> names = List.of();

    public List<String> names() {
        return names;
    }

    /**
     * Returns what named models, by their names.
     *
     * @param recipes of the names, in their order
     */
    public Map<String, String> given(List<Recipe> recipes) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < recipes.size(); i++) {
            given.put(recipes.get(i).name(), names.get(i));
        }
        return given;
    }
}
