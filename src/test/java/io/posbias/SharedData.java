package io.posbias;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Real data and golden outputs of other tools that are beside the repository and are not part of it. */
public final class SharedData {
    private static final Path ROOT = Path.of("../shared/data");

    private SharedData() {}

    /** A file there; the test is skipped, saying so, where the folder is absent. */
    public static Path file(String name) {
        Path file = ROOT.resolve(name);
        Assumptions.assumeTrue(Files.isRegularFile(file), () -> "skipped: there is no " + file);
        return file;
    }
}
