package io.posbias.base.process;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Seconds per step, in the order of first use. */
public final class Stopwatch {
    private final Map<String, Double> seconds = new LinkedHashMap<>();
    private final Progress progress;
    private final String subject;

    /**
     * @param subject of the steps, for example a benchmark
     */
    public Stopwatch(Progress progress, String subject) {
        this.progress = progress;
        this.subject = subject;
    }

    public Stopwatch() {
        this(Progress.NONE, "");
    }

    public Stopwatch copy() {
        Stopwatch copy = new Stopwatch(progress, subject);
        copy.seconds.putAll(seconds);
        return copy;
    }

    /** Runs a step and adds its wall-clock time. */
    public <T> T time(String step, Supplier<T> work) {
        long start = System.nanoTime();
        try (Progress.Step told = progress.start(step + " " + subject, -1)) {
            T result = work.get();
            told.advance(0);
            return result;
        } finally {
            double more = (System.nanoTime() - start) / Progress.NANOS;
            seconds.merge(step, Math.round(more * 1000) / 1000.0, Double::sum);
        }
    }

    /** "load 0.5 s, search 4.1 s". */
    @Override
    public String toString() {
        return seconds.entrySet().stream()
                .map(step -> step.getKey() + " " + String.format(Locale.ROOT, "%.1f", step.getValue()) + " s")
                .collect(Collectors.joining(", "));
    }

    public Map<String, Double> seconds() {
        return new LinkedHashMap<>(seconds);
    }
}
