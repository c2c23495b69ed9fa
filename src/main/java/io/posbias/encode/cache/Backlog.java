package io.posbias.encode.cache;

import io.posbias.encode.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts the texts that a model would have to encode: each once, and none whose vectors are known. Encodes nothing. */
public final class Backlog {
    private final @Nullable CachedEncoder known;
    private final int sample;
    private final Random random;
    private final KeyTable counted = new KeyTable();

    /**
     * @param known the encoder whose cache is looked into; null for none
     * @param sample how many texts are drawn of each count, at most
     * @param seed of the draws
     */
    public Backlog(@Nullable CachedEncoder known, int sample, long seed) {
        this.known = known;
        this.sample = sample;
        this.random = new Random(seed);
    }

    /**
     * What is to be encoded of some texts.
     *
     * @param texts how many
     * @param characters their UTF-16 units
     * @param drawn some of them, each with the same chance (Vitter 1985, algorithm R)
     */
    public record Count(long texts, long characters, List<String> drawn) {}

    /**
     * Counts texts that neither the cache nor an earlier count has.
     *
     * @param texts is given where to put them
     */
    public Count count(Consumer<Consumer<String>> texts, Role role) {
        long[] sums = {0, 0};
        List<String> drawn = new ArrayList<>();
        texts.accept(text -> {
            Key key = Key.of(role, text);
            if ((known != null && known.knows(key)) || counted.find(key) >= 0) {
                return;
            }
            counted.put(key, 0, 0);
            sums[0]++;
            sums[1] += text.length();
            if (drawn.size() < sample) {
                drawn.add(text);
            } else {
                long place = random.nextLong(sums[0]);
                if (place < sample) {
                    drawn.set((int) place, text);
                }
            }
        });
        return new Count(sums[0], sums[1], drawn);
    }
}
