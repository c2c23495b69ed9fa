package io.posbias.cli.common;

import java.util.List;
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
}
