package io.posbias;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a run of posbias knows of the world around it: made once where the process starts and handed down. Tests make their
 * own.
 *
 * @param environment variables by name
 * @param user the user's home folder
 * @param clock nanoseconds since any moment; only differences mean something
 * @param progress where to tell how far a long step is
 * @param say takes one line after another on what is done, for stderr
 */
public record Session(
        Map<String, String> environment, Path user, LongSupplier clock, Progress progress, Consumer<String> say) {
    private static final double NANOS = 1e9;

    /** A session that shows nothing. */
    public static Session quiet(Map<String, String> environment, Path user) {
        return new Session(environment, user, System::nanoTime, Progress.NONE, line -> {});
    }

    /** The same session, but nothing is said or shown. */
    public Session quiet() {
        return new Session(environment, user, clock, Progress.NONE, line -> {});
    }

    /** The same session, which also says what each step did and how long it took. */
    public Session verbose() {
        return new Session(environment, user, clock, progress.saying(say, clock), say);
    }

    /** Does some work that may take a while, and tells so. */
    public <T> T step(String label, Supplier<T> work) {
        try (Progress.Step step = progress.start(label, -1)) {
            T result = work.get();
            step.advance(0);
            return result;
        }
    }

    /** posbias's own folder, for models, benchmarks, vectors: POSBIAS_HOME, else XDG_CACHE_HOME/posbias, else ~/.cache/posbias. */
    public Path home() {
        return folder("POSBIAS_HOME").orElseGet(() -> cache().resolve("posbias"));
    }

    /** Where programs keep what they can make again: XDG_CACHE_HOME, else ~/.cache. */
    public Path cache() {
        return folder("XDG_CACHE_HOME").orElseGet(() -> user.resolve(".cache"));
    }

    /** A variable without white space around it; empty where it is not set or blank. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /** A variable that names a folder or file. */
    public Optional<Path> folder(String name) {
        return variable(name).map(Path::of);
    }

    /** Says a line, {@linkplain Printable#of safe to show}. */
    public void say(String line) {
        say.accept(Printable.of(line));
    }

    /**
     * What came of some work, and how long it took.
     *
     * @param seconds by the session's clock
     */
    public record Timed<T>(T result, double seconds) {}

    /** Does some work and takes the time. */
    public <T> Timed<T> time(Supplier<T> work) {
        long start = clock.getAsLong();
        T result = work.get();
        return new Timed<>(result, (clock.getAsLong() - start) / NANOS);
    }
}
