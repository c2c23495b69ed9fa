package io.posbias.cli.common;

import io.posbias.UsageException;
import io.posbias.dataset.DatasetFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What picocli does not check of options; a value that is null was not given. */
public final class Checks {
    private Checks() {}

    /** Refuses what cannot be carried out. */
    public static void refuse(boolean wrong, String message) {
        if (wrong) {
            throw new UsageException(message);
        }
    }

    /** Refuses numbers that are too small. */
    public static void atLeast(String option, @Nullable Number value, int least) {
        if (value != null && !(value.doubleValue() >= least)) {
            String range = least == 0 ? "0 or more" : "at least " + least;
            throw new UsageException(option + " must be " + range + ", not " + value);
        }
    }

    /** Refuses what is no confidence. */
    public static void confidence(@Nullable Double value) {
        refuse(value != null && !(value > 0 && value < 1), "--confidence must be between 0 and 1, not " + value);
    }

    /** Refuses a file that is not there. */
    public static void isFile(String option, Path file) {
        refuse(!Files.isRegularFile(file), option + " " + file + ": no such file");
    }

    /** Refuses a file where a folder is to be. */
    public static void isNoFile(String option, @Nullable Path folder) {
        refuse(
                folder != null && Files.exists(folder) && !Files.isDirectory(folder),
                option + " " + folder + " is a file");
    }

    /**
     * Refuses an option that has no meaning.
     *
     * @param wrong whether it was given without what it belongs to
     */
    public static void belongs(boolean wrong, String option, String to) {
        refuse(wrong, option + " belongs to " + to);
    }

    /**
     * Refuses a folder that holds what is not to be replaced: a mistyped folder with other things in it stays as it is.
     *
     * @param isPart tells what may be replaced, by its path in the folder
     * @param what what such files are, in words, and how a sentence calls it afterwards
     */
    public static void replaceable(Path folder, boolean overwrite, Predicate<Path> isPart, String what, String it) {
        if (!Files.exists(folder)) {
            return;
        }
        isNoFile("--out", folder);
        DatasetFiles.first(folder, isPart.negate()).ifPresent(foreign -> {
            throw new UsageException(
                    "--out " + folder + " holds " + foreign + ", which is no part of " + what + ": give a new folder");
        });
        refuse(
                !overwrite && DatasetFiles.first(folder, isPart).isPresent(),
                "--out " + folder + " holds " + what + ": use --overwrite to replace " + it);
    }
}
