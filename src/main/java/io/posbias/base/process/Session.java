package io.posbias.base.process;

import io.posbias.base.text.Printable;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Environment of a run, created once at startup and passed on. It holds the state of a run that belongs to no other object;
 * static fields hold none.
 *
 * @param user the user's home folder: HOME, as for other tools, else the given one
 * @param clock nanoseconds from an arbitrary origin
 * @param say takes lines for stderr
 * @param shutdown what an interruption deletes, and what it leaves
 * @param made for later parts of the run, by name: class loaders of libraries, workers that were started early
 */
public record Session(
        Map<String, String> environment,
        Path user,
        LongSupplier clock,
        Progress progress,
        Consumer<String> say,
        Shutdown shutdown,
        Map<String, Object> made) {
    public Session {
        user = variable(environment, "HOME")
                .map(Session::checked)
                .map(Path::of)
                .orElse(user)
                .toAbsolutePath();
    }

    /** Creates a session that nothing happened in yet. */
    public Session(
            Map<String, String> environment,
            Path user,
            LongSupplier clock,
            Progress progress,
            Consumer<String> say,
            Shutdown shutdown) {
        this(environment, user, clock, progress, say, shutdown, new ConcurrentHashMap<>());
    }

    public static Session quiet(Map<String, String> environment, Path user) {
        return new Session(environment, user, System::nanoTime, Progress.NONE, line -> {}, new Shutdown());
    }

    /** Suppresses progress and messages. */
    public Session quiet() {
        return with(Progress.NONE, line -> {});
    }

    /** Prints each step and its time. */
    public Session verbose() {
        return with(progress.saying(say, clock), say);
    }

    /** Returns this session with another place for progress and messages. */
    public Session with(Progress steps, Consumer<String> lines) {
        return new Session(environment, user, clock, steps, lines, shutdown, made);
    }

    public <T> T step(String label, Supplier<T> work) {
        try (Progress.Step step = progress.start(label, -1)) {
            T result = work.get();
            step.advance(0);
            return result;
        }
    }

    /** Folder of models, benchmarks and vectors: POSBIAS_HOME, else XDG_CACHE_HOME/posbias, else ~/.cache/posbias. */
    public Path home() {
        return folder("POSBIAS_HOME").orElseGet(() -> cache().resolve("posbias"));
    }

    /** XDG_CACHE_HOME, else ~/.cache. */
    public Path cache() {
        return folder("XDG_CACHE_HOME").orElseGet(() -> user.resolve(".cache"));
    }

    /** A trimmed environment variable; empty if unset or blank. */
    public Optional<String> variable(String name) {
        return variable(environment, name);
    }

    private static Optional<String> variable(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /** An absolute path from an environment variable, as libraries need; {@code ~} is the user's home folder. */
    public Optional<Path> folder(String name) {
        return variable(name)
                .map(Session::checked)
                .map(text -> text.equals("~") || text.startsWith("~/")
                        ? user.resolve(text.replaceFirst("^~/?", ""))
                        : Path.of(text).toAbsolutePath());
    }

    /** Returns the encoding of arguments and names, that of the locale, if it lacks characters; Windows uses none. */
    public static Optional<Charset> narrowEncoding() {
        String name = System.getProperty("sun.jnu.encoding", "UTF-8");
        boolean isWide = name.equals("UTF-8") || System.getProperty("os.name").startsWith("Windows");
        return isWide ? Optional.empty() : Optional.of(Charset.forName(name));
    }

    /** Returns an argument, name or path; refuses one with characters that the locale's encoding lacks, so that it is garbled. */
    public static String checked(String text) {
        narrowEncoding()
                .filter(encoding -> !encoding.newEncoder().canEncode(text))
                .ifPresent(encoding -> {
                    throw new UsageException(Printable.quoted(text) + " has characters that the locale's encoding, "
                            + encoding + ", lacks: set LC_ALL=C.UTF-8, or another locale with UTF-8 of 'locale -a'");
                });
        return text;
    }

    /** Prints a line, {@linkplain Printable#of escaped}. */
    public void say(String line) {
        say.accept(Printable.of(line));
    }

    /** A result and its time by the session's clock. */
    public record Timed<T>(T result, double seconds) {}

    /** Measures the time of some work. */
    public <T> Timed<T> time(Supplier<T> work) {
        long start = clock.getAsLong();
        T result = work.get();
        return new Timed<>(result, (clock.getAsLong() - start) / Progress.NANOS);
    }
}
