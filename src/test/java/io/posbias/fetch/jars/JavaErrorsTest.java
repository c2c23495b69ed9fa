package io.posbias.fetch.jars;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.ServiceConfigurationError;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JavaErrorsTest {
    private static final String HOME = "/home/a/.cache/posbias/native/x/libx.so";
    private static final String NOEXEC = ": failed to map segment from shared object";

    /** Messages as JDK 21 and 25 word them. */
    static Stream<Arguments> known() {
        return Stream.of(
                Arguments.of(new OutOfMemoryError("Java heap space"), "heap", "POSBIAS_JAVA_OPTS=-Xmx"),
                Arguments.of(new OutOfMemoryError("GC overhead limit exceeded"), "heap", "POSBIAS_JAVA_OPTS=-Xmx"),
                Arguments.of(
                        new OutOfMemoryError("unable to create native thread: possibly out of memory or"
                                + " process/resource limits reached"),
                        "no more threads",
                        "POSBIAS_JAVA_OPTS=-Xmx"),
                Arguments.of(
                        new OutOfMemoryError(
                                "Cannot reserve 8192 bytes of direct buffer memory (allocated: 0, limit: 1024)"),
                        "buffers outside the heap",
                        "POSBIAS_JAVA_OPTS=-XX:MaxDirectMemorySize="),
                Arguments.of(
                        new OutOfMemoryError("Required array size too large"), "limit of 2 GiB", "POSBIAS_JAVA_OPTS"),
                Arguments.of(
                        new UncheckedIOException(new IOException("Map failed", new OutOfMemoryError("Map failed"))),
                        "Map failed",
                        ""),
                Arguments.of(
                        new NoClassDefFoundError("io/posbias/study/build/Candidates$Sink"),
                        "a file of the program itself cannot be read (io/posbias/study/build/Candidates$Sink)",
                        "install posbias again"),
                Arguments.of(
                        new ServiceConfigurationError("io.posbias.Kind: Evil not a subtype"),
                        "Evil",
                        "POSBIAS_CLASSPATH"),
                Arguments.of(new StackOverflowError(), "nested too deeply", "POSBIAS_JAVA_OPTS=-Xss"),
                Arguments.of(
                        new ExceptionInInitializerError(new UnsatisfiedLinkError(HOME + ": " + HOME + NOEXEC)),
                        "cannot load " + HOME + ": ",
                        "noexec"),
                Arguments.of(
                        new UnsatisfiedLinkError("libgomp.so.1: cannot open shared object file"), "libgomp.so.1", ""),
                Arguments.of(
                        new UncheckedIOException(new FileSystemException("/data/x", null, "Too many open files")),
                        "too many open files",
                        "ulimit -n"),
                Arguments.of(
                        new IllegalStateException(new UncheckedIOException(
                                new FileSystemException("/data/x", null, "Input/output error"))),
                        "cannot use /data/x: input/output error",
                        ""));
    }

    @ParameterizedTest
    @MethodSource("known")
    void oneLineSaysWhatRanOutAndWhatToSet(Throwable failure, String what, String advice) {
        assertThat(JavaErrors.explain(failure))
                .get()
                .satisfies(line ->
                        assertThat(line.line()).contains(what).contains(advice).doesNotContain("\n"));
    }

    @Test
    void defectsStayDefects() {
        assertThat(JavaErrors.explain(new AssertionError("never"))).isEmpty();
        assertThat(JavaErrors.explain(new NoClassDefFoundError("Could not initialize class io.posbias.Gone")))
                .isEmpty();
        assertThat(JavaErrors.explain(new IllegalStateException("never"))).isEmpty();
    }
}
