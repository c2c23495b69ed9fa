package io.posbias.encode.api;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Vectors that say which text they belong to, as OpenAI, Voyage and Jina answer: {@code {"data": [{"index": 0,
 * "embedding": [0.1, ...]}], "usage": {"total_tokens": 5}}}.
 */
record IndexedVectors(@Nullable List<@Nullable Item> data, Usage.@Nullable Tokens usage) {
    /** One text's vector. Read once and never compared. */
    @SuppressWarnings("ArrayRecordComponent")
    record Item(@Nullable Integer index, float @Nullable [] embedding) {}

    Reply<float[]> reply() throws WrongAnswerException {
        if (data == null) {
            throw WrongAnswerException.forGood("no field \"data\"");
        }
        List<Reply.Item<float[]>> items = new ArrayList<>();
        for (Item item : data) {
            items.add(
                    item == null
                            ? Reply.item(null, "embedding", null)
                            : Reply.item(item.index(), "embedding", item.embedding()));
        }
        return new Reply<>(items, Usage.of(usage, null));
    }
}
