package io.posbias.cli;

import java.nio.file.Path;

/** Small models that know the words of the demo benchmark, for tests that need some model: written at once, and fast. */
final class DemoModels {
    static final String DENSE = "reference-primacy-2";

    private DemoModels() {}

    static Path dense(Path folder) {
        Cli.Ended ended =
                Cli.run("calibrate references --dataset demo --out", folder, "--reference", DENSE, "--overwrite");
        if (ended.code() != 0) {
            throw new AssertionError(ended.err());
        }
        return folder.resolve(DENSE).resolve("recipe.yaml");
    }
}
