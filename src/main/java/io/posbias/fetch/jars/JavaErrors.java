package io.posbias.fetch.jars;

import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Temporary;
import io.posbias.base.process.PosbiasException;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Explains errors of the JVM to users: out of memory, threads, open files or stack, and native libraries and jars that
 * fail to load.
 */
public final class JavaErrors {
    private static final String OPTIONS = "POSBIAS_JAVA_OPTS";
    private static final String TOO_MANY_FILES = "Too many open files";
    private static final long GIB = 1L << 30;

    /** "/home/a/lib.so: /home/a/lib.so: failed to map segment from shared object". */
    private static final Pattern NOT_EXECUTABLE = Pattern.compile(
            "^(.+?): .*(failed to map segment|Operation not permitted|Permission denied).*", Pattern.DOTALL);

    /** The message of a missing class; failed initialisers have a sentence instead. */
    private static final Pattern CLASS = Pattern.compile("[\\w$]+(?:/[\\w$]+)+");

    private JavaErrors() {}

    /** Loads the classes that explanations need, while memory and open files suffice. */
    public static void load() {
        explain(new OutOfMemoryError()).ifPresent(PosbiasException::line);
    }

    /** Explains a failure in one line; empty for a defect of posbias. */
    public static Optional<PosbiasException> explain(Throwable failure) {
        return IoErrors.causes(failure)
                .flatMap(cause -> Optional.ofNullable(line(cause)).stream())
                .findFirst()
                .or(() -> loading(failure))
                .map(line -> new PosbiasException(line, failure));
    }

    private static @Nullable String line(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (message.contains(TOO_MANY_FILES)) {
            return files();
        }
        if (cause instanceof OutOfMemoryError) {
            return memory(message);
        }
        if (cause instanceof StackOverflowError) {
            return "out of stack: an input is nested too deeply; " + OPTIONS + "=-Xss16m allows deeper ones";
        }
        if (cause instanceof UnsatisfiedLinkError) {
            return library(message);
        }
        if (cause instanceof ServiceConfigurationError) {
            return "a jar on the class path (POSBIAS_CLASSPATH) cannot be used: " + message;
        }
        return cause instanceof IOException problem ? io(problem) : null;
    }

    private static String io(IOException problem) {
        return problem instanceof FileSystemException known && known.getFile() != null
                ? IoErrors.describe("use", Path.of(known.getFile()), problem)
                : "a file could not be read or written: " + problem.getMessage();
    }

    private static String memory(String message) {
        long max = Runtime.getRuntime().maxMemory();
        if (message.contains("native thread")) {
            return "the system lets this process start no more threads: use fewer --threads, raise the limit (ulimit"
                    + " -u, or the container's), or leave it more memory with a"
                    + " smaller " + OPTIONS + "=-Xmx" + gib(max / 2);
        }
        if (message.contains("direct buffer")) {
            return "out of memory: Java's buffers outside the heap are full; " + OPTIONS + "=-XX:MaxDirectMemorySize="
                    + gib(max) + " gives them more";
        }
        if (message.contains("array size") || message.contains("implementation limit")) {
            return "a file or text is longer than Java's limit of 2 GiB for one piece: split it (more memory, "
                    + OPTIONS + "=-Xmx, does not help)";
        }
        if (message.contains("heap") || message.contains("GC overhead")) {
            return "out of memory: Java's heap of " + max / (1 << 20) + " MiB is full; " + OPTIONS + "=-Xmx"
                    + gib(2 * max) + " gives it more, fewer --threads need less";
        }
        return "out of memory (" + message + "): the system gives Java no more; fewer --threads need less, and "
                + OPTIONS + "=-Xmx" + gib(max / 2) + " leaves more beside Java's heap";
    }

    private static String gib(long bytes) {
        return Math.max(1, Math.ceilDiv(bytes, GIB)) + "g";
    }

    private static String library(String message) {
        Matcher refused = NOT_EXECUTABLE.matcher(message);
        if (!refused.matches()) {
            return "cannot load a native library: " + message;
        }
        Path library = Path.of(refused.group(1));
        boolean temporary = Temporary.holds(library);
        return "cannot load " + library + ": programs may not be run from its folder (is it mounted with noexec?); "
                + (temporary ? OPTIONS + "=-Djava.io.tmpdir=DIR" : "POSBIAS_HOME=DIR") + " sets another";
    }

    /** A missing class may be in an unreadable jar; other failures to load a class are defects. */
    private static Optional<String> loading(Throwable failure) {
        boolean isLoading = IoErrors.causes(failure)
                .anyMatch(cause -> cause instanceof LinkageError || cause instanceof ClassNotFoundException);
        if (isLoading && hasNoMoreFiles()) {
            return Optional.of(files());
        }
        String message = String.valueOf(failure.getMessage());
        return failure instanceof NoClassDefFoundError && CLASS.matcher(message).matches()
                ? Optional.of("a file of the program itself cannot be read (" + message + "): was it replaced while it"
                        + " ran, or does its disk fail? Run again, or install posbias again")
                : Optional.empty();
    }

    private static String files() {
        return "too many open files: raise the limit, for example with 'ulimit -n 1024'";
    }

    /** Missing classes may be in jars that cannot be opened because of the limit on open files. */
    private static boolean hasNoMoreFiles() {
        try (FileInputStream probe = new FileInputStream(System.getProperty("java.home") + "/release")) {
            return probe.getFD() == null;
        } catch (FileNotFoundException refused) {
            return String.valueOf(refused.getMessage()).contains(TOO_MANY_FILES);
        } catch (IOException other) {
            return false;
        }
    }
}
