package io.posbias.encode.cache;

import io.posbias.encode.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Tells what a model would have to encode: each text once, and none whose vectors are known. Encodes nothing. */
public final class Backlog {
    private final KeyTable counted = new KeyTable();

    /**
     * Gives windows of texts that neither the cache nor an earlier call has, as an encoder would be given them.
     *
     * @param known the encoder whose cache is looked into; null for none
     * @param texts is given where to put them
     */
    public void windows(
            @Nullable CachedEncoder known,
            Consumer<Consumer<String>> texts,
            Role role,
            Consumer<List<String>> windows) {
        windows(key -> known != null && known.knows(key), texts, role, windows);
    }

    /** As above, of texts whose keys are not known. */
    void windows(Predicate<Key> known, Consumer<Consumer<String>> texts, Role role, Consumer<List<String>> windows) {
        WindowGatherer gatherer = new WindowGatherer((keys, window) -> windows.accept(window));
        texts.accept(text -> {
            Key key = Key.of(role, text);
            if (known.test(key) || counted.find(key) >= 0) {
                return;
            }
            counted.put(key, 0, 0);
            gatherer.add(key, text);
        });
        gatherer.flush();
    }

    /**
     * The sizes of the windows of texts that are not here.
     *
     * @param texts how many
     * @param length UTF-16 units of each
     */
    public static List<Integer> windows(long texts, double length) {
        int most = WindowGatherer.texts(length);
        List<Integer> windows = new ArrayList<>();
        for (long left = texts; left > 0; left -= most) {
            windows.add((int) Math.min(left, most));
        }
        return windows;
    }
}
