package io.posbias.cli.common;

import io.posbias.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What picocli does not check of options; a value that is null was not given. */
public final class Checks {
    private Checks() {}

    /** Refuses numbers that are too small. */
    public static void atLeast(String option, @Nullable Number value, int least) {
        if (value != null && !(value.doubleValue() >= least)) {
            String range = least == 0 ? "0 or more" : "at least " + least;
            throw new UsageException(option + " must be " + range + ", not " + value);
        }
    }

    /** Refuses what is no confidence. */
    public static void confidence(@Nullable Double value) {
        if (value != null && !(value > 0 && value < 1)) {
            throw new UsageException("--confidence must be between 0 and 1, not " + value);
        }
    }

    /** Refuses a file that is not there. */
    public static void isFile(String option, Path file) {
        if (!Files.isRegularFile(file)) {
            throw new UsageException(option + " " + file + ": no such file");
        }
    }

    /** Refuses a file where a folder is to be. */
    public static void isNoFile(String option, @Nullable Path folder) {
        if (folder != null && Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UsageException(option + " " + folder + " is a file");
        }
    }

    /**
     * Refuses an option that has no meaning.
     *
     * @param wrong whether it was given without what it belongs to
     */
    public static void belongs(boolean wrong, String option, String to) {
        if (wrong) {
            throw new UsageException(option + " belongs to " + to);
        }
    }
}
