package io.posbias.base.files;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** One-line messages for errors of the file system. */
public final class IoErrors {
    private IoErrors() {}

    /**
     * For example "cannot write results/demo: no space left on device".
     *
     * @param verb for example "read" or "write"
     */
    public static String describe(String verb, Path file, IOException problem) {
        return "cannot " + verb + " " + Printable.of(file.toString()) + ": " + reason(problem);
    }

    /** The error that {@link #describe} describes. */
    public static PosbiasException refused(String verb, Path file, IOException problem) {
        return new PosbiasException(describe(verb, file, problem), problem);
    }

    /** Error about posbias's home folder, with advice on POSBIAS_HOME. */
    public static PosbiasException kept(Path folder, IOException problem) {
        return new PosbiasException(
                describe("write", folder, problem) + "; POSBIAS_HOME=DIR sets another folder for what posbias keeps",
                problem);
    }

    /** A throwable and its causes, outermost first. */
    public static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    /** Code that does I/O and returns a value. */
    @FunctionalInterface
    public interface Call<T> {
        T call() throws IOException;
    }

    /** Code that does I/O. */
    @FunctionalInterface
    public interface Run {
        void run() throws IOException;
    }

    /**
     * Calls code that does I/O.
     *
     * @param verb as in {@link #describe}
     * @throws PosbiasException for an I/O error, in one line
     */
    public static <T> T call(String verb, Path file, Call<T> work) {
        try {
            return work.call();
        } catch (IOException refused) {
            throw refused(verb, file, refused);
        } catch (UncheckedIOException refused) {
            throw refused(verb, file, Objects.requireNonNull(refused.getCause()));
        }
    }

    /** Runs code that does I/O. */
    public static void run(String verb, Path file, Run work) {
        call(verb, file, () -> {
            work.run();
            return file;
        });
    }

    private static String reason(IOException problem) {
        if (problem instanceof NoSuchFileException missing) {
            return Optional.ofNullable(missing.getFile())
                    .map(Path::of)
                    .flatMap(Pointers::broken)
                    .orElse("file or folder not found");
        }
        if (problem instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (problem instanceof FileAlreadyExistsException) {
            return "a file of this name exists";
        }
        if (problem instanceof NotDirectoryException) {
            return "not a folder";
        }
        // A FileSystemException's message begins with the file's name, which the caller has said already.
        String reason = problem instanceof FileSystemException known ? known.getReason() : problem.getMessage();
        if ("Not a directory".equals(reason)) {
            return "not a folder";
        }
        return reason == null ? problem.getClass().getSimpleName() : lowerFirst(reason);
    }

    private static String lowerFirst(String text) {
        boolean word = text.length() > 1 && Character.isLowerCase(text.charAt(1));
        return word ? Character.toLowerCase(text.charAt(0)) + text.substring(1) : text;
    }
}
