package io.posbias;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/** Plain words for what a file system or the network refused. */
public final class IoErrors {
    /** What to do when no server can be reached. */
    public static final String NO_NETWORK = "Is there a network, and does it let this machine out? Behind a proxy set"
            + " POSBIAS_JAVA_OPTS=\"-Dhttps.proxyHost=HOST -Dhttps.proxyPort=PORT\".";

    private IoErrors() {}

    /**
     * "cannot write results/demo: no space left on device".
     *
     * @param verb what was tried, for example "read" or "write"
     * @param file what it was tried on
     * @param problem what the system answered
     */
    public static String describe(String verb, Path file, IOException problem) {
        return "cannot " + verb + " " + Printable.of(file.toString()) + ": " + reason(problem);
    }

    /** The same for a problem that came out of a stream. */
    public static String describe(String verb, Path file, UncheckedIOException problem) {
        return describe(verb, file, Objects.requireNonNull(problem.getCause()));
    }

    /** What a file system said of something in posbias's folder, with what to do about it. */
    public static PosbiasException kept(Path folder, IOException problem) {
        return new PosbiasException(
                describe("write", folder, problem) + "; POSBIAS_HOME=DIR sets another folder for what posbias keeps",
                problem);
    }

    /** A failure and what caused it, the innermost last. */
    public static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    /** Whether a server's name could not be resolved: trying again at once helps nobody. */
    public static boolean isUnknownHost(Throwable failure) {
        return causes(failure)
                .anyMatch(
                        cause -> cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException);
    }

    /** Work on a file that has an outcome. */
    @FunctionalInterface
    public interface Call<T> {
        /** Does it. */
        T call() throws IOException;
    }

    /** Work on a file. */
    @FunctionalInterface
    public interface Run {
        /** Does it. */
        void run() throws IOException;
    }

    /**
     * Does work on a file.
     *
     * @param verb what it is, as in {@link #describe}
     * @throws PosbiasException if the file system refuses, in one line
     */
    public static <T> T call(String verb, Path file, Call<T> work) {
        try {
            return work.call();
        } catch (IOException refused) {
            throw new PosbiasException(describe(verb, file, refused), refused);
        } catch (UncheckedIOException refused) {
            throw new PosbiasException(describe(verb, file, refused), refused);
        }
    }

    /** The same for work without an outcome. */
    public static void run(String verb, Path file, Run work) {
        call(verb, file, () -> {
            work.run();
            return file;
        });
    }

    private static String reason(IOException problem) {
        if (problem instanceof NoSuchFileException) {
            return "no such file or folder";
        }
        if (problem instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (problem instanceof FileAlreadyExistsException) {
            return "a file of that name is there";
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
