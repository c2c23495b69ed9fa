package io.posbias.encode.api;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scores that say which document they belong to, best first, as rerankers answer: {@code {"results": [{"index": 3,
 * "relevance_score": 0.9}]}}. Voyage's list is called {@code data}.
 */
record IndexedScores(
        @Nullable List<@Nullable Item> results,
        @Nullable List<@Nullable Item> data,
        Usage.@Nullable Tokens usage,
        @Nullable Billing meta) {
    /** One document's score. */
    record Item(@Nullable Integer index, @Nullable Float relevanceScore) {}

    /**
     * The scores of the list that the vendor uses.
     *
     * @param field what the vendor calls it
     */
    Reply<Float> reply(String field, @Nullable List<@Nullable Item> list) throws WrongAnswerException {
        if (list == null) {
            throw WrongAnswerException.forGood("no field \"" + field + "\"");
        }
        List<Reply.Item<Float>> items = new ArrayList<>();
        for (Item item : list) {
            items.add(
                    item == null
                            ? Reply.item(null, "relevance_score", null)
                            : Reply.item(item.index(), "relevance_score", item.relevanceScore()));
        }
        return new Reply<>(items, Usage.of(usage, meta));
    }
}
