package io.posbias.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;

/** Some of many texts, each with the same chance (Vitter 1985, algorithm R): so many tell the mean within a few percent. */
final class TextSample {
    private static final int MOST = 256;
    private static final long SEED = 42;

    private final Random random = new Random(SEED);
    private final List<String> drawn = new ArrayList<>();
    private long texts;
    private long characters;

    void add(String text) {
        texts++;
        characters += text.length();
        if (drawn.size() < MOST) {
            drawn.add(text);
        } else {
            long place = random.nextLong(texts);
            if (place < MOST) {
                drawn.set((int) place, text);
            }
        }
    }

    /** Counts the tokens of the texts that were drawn; the rest are in proportion to their characters. */
    TextCount count(ToIntFunction<String> tokens) {
        long own = drawn.stream().mapToLong(String::length).sum();
        return TextCount.of(drawn, tokens).scaled((double) texts, own == 0 ? 0 : (double) characters / own);
    }
}
