package io.posbias.encode.api;

import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * What an answer holds, whoever sent it.
 *
 * @param <T> what belongs to one text: a vector or a score
 * @param items in the order of the answer
 * @param usage what the call used up
 */
record Reply<T>(List<Item<T>> items, Usage usage) {
    /**
     * What belongs to one text.
     *
     * @param <T> a vector or a score
     * @param index which text, from 0
     * @param value what belongs to it
     */
    record Item<T>(int index, T value) {}

    /**
     * The values in the order of the texts, which need not be the order of the answer.
     *
     * @param count how many texts were sent
     */
    List<T> inOrder(int count) throws WrongAnswerException {
        if (items.size() != count) {
            throw WrongAnswerException.forGood(items.size() + " results for " + count + " texts");
        }
        BitSet seen = new BitSet(count);
        for (Item<T> item : items) {
            if (item.index() < 0 || item.index() >= count) {
                throw WrongAnswerException.forGood(
                        "index " + item.index() + " but only 0 to " + (count - 1) + " were requested");
            }
            if (seen.get(item.index())) {
                throw WrongAnswerException.forGood("index " + item.index() + " twice");
            }
            seen.set(item.index());
        }
        return items.stream()
                .sorted(Comparator.comparingInt(Item::index))
                .map(Item::value)
                .toList();
    }
}
