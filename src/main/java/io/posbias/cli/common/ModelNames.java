package io.posbias.cli.common;

import java.util.List;
import picocli.CommandLine.Option;

/** Which models a command runs. */
public final class ModelNames {
    @Option(
            names = "--model",
            required = true,
            split = ",",
            paramLabel = "MODEL,..",
            hideParamSyntax = true,
            description = "Models: names from 'posbias models list' or .yaml recipes, separated by commas.")
    private List<String> names = List.of();

    /** As they were given: names of recipes, or their files. */
    public List<String> names() {
        return names;
    }
}
