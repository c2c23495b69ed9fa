package io.posbias.evaluate;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Seconds by step, in the order of their first use. */
public final class Stopwatch {
    private static final double NANOS = 1e9;

    private final Map<String, Double> seconds = new LinkedHashMap<>();

    /** Does a step and adds its wall-clock time. */
    public <T> T time(String step, Supplier<T> work) {
        long start = System.nanoTime();
        try {
            return work.get();
        } finally {
            add(step, (System.nanoTime() - start) / NANOS);
        }
    }

    void add(String step, double more) {
        seconds.merge(step, Math.round(more * 1000) / 1000.0, Double::sum);
    }

    void addAll(Stopwatch other) {
        other.seconds.forEach(this::add);
    }

    /** "load 0.5 s, search 4.1 s". */
    @Override
    public String toString() {
        return seconds.entrySet().stream()
                .map(step -> step.getKey() + " " + String.format(Locale.ROOT, "%.1f", step.getValue()) + " s")
                .collect(Collectors.joining(", "));
    }

    Map<String, Double> seconds() {
        return new LinkedHashMap<>(seconds);
    }
}
