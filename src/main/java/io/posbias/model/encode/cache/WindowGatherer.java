package io.posbias.model.encode.cache;

import io.posbias.model.encode.TextEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects distinct texts into windows for an encoder. */
final class WindowGatherer {
    private final WindowSink sink;
    private Map<Key, String> window = new LinkedHashMap<>();
    private long characters;

    @FunctionalInterface
    interface WindowSink {
        void take(List<Key> keys, List<String> texts);
    }

    WindowGatherer(WindowSink sink) {
        this.sink = sink;
    }

    /** Adds a text; returns false if it is in this window already. */
    boolean add(Key key, String text) {
        if (window.putIfAbsent(key, text) != null) {
            return false;
        }
        characters += text.length();
        if (window.size() >= TextEncoder.WINDOW_TEXTS || characters >= TextEncoder.WINDOW_CHARACTERS) {
            flush();
        }
        return true;
    }

    /** Hands over the current window. */
    void flush() {
        if (window.isEmpty()) {
            return;
        }
        Map<Key, String> full = window;
        window = new LinkedHashMap<>();
        characters = 0;
        sink.take(new ArrayList<>(full.keySet()), new ArrayList<>(full.values()));
    }
}
