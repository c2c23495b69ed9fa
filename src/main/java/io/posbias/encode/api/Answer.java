package io.posbias.encode.api;

import io.posbias.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What vendors answer. Vectors of OpenAI, Voyage and Jina say which text they belong to: {@code {"data": [{"index": 0,
 * "embedding": [0.1, ...]}], "usage": {"total_tokens": 5}}}. Cohere's come by type, in the order of the texts. Scores say
 * which document they belong to, best first: {@code {"results": [{"index": 3, "relevance_score": 0.9}]}}; Voyage's list is
 * called {@code data}.
 */
record Answer(
        @Nullable List<@Nullable Item> data,
        @Nullable List<@Nullable Item> results,
        @Nullable Map<String, @Nullable List<float @Nullable []>> embeddings,
        Usage.@Nullable Tokens usage,
        Usage.@Nullable Billing meta) {
    /** One text's vector, or one document's score. Read once and never compared. */
    @SuppressWarnings("ArrayRecordComponent")
    record Item(
            @Nullable Integer index,
            float @Nullable [] embedding,
            @Nullable Float relevanceScore) {}

    /** Takes the vectors out of an answer; their number, order and length are checked by others. */
    static Reply<float[]> vectors(byte[] json, String list) throws WrongAnswerException {
        return ApiJson.read(json, Answer.class).reply(list, "embedding", Item::embedding);
    }

    /** Takes the scores out of an answer; their number and order are checked by others. */
    static Reply<Float> scores(byte[] json, String list) throws WrongAnswerException {
        return ApiJson.read(json, Answer.class).reply(list, "relevance_score", Item::relevanceScore);
    }

    private <T> Reply<T> reply(String list, String field, Function<Item, @Nullable T> part)
            throws WrongAnswerException {
        List<@Nullable Item> found = list.equals("data") ? data : list.equals("results") ? results : byType();
        if (found == null) {
            throw WrongAnswerException.forGood("no field " + Printable.quoted(list));
        }
        List<Reply.Item<T>> items = new ArrayList<>();
        for (Item item : found) {
            Integer index = item == null ? null : item.index();
            T value = item == null ? null : part.apply(item);
            if (index == null || value == null) {
                throw WrongAnswerException.forGood("an item without \"" + (index == null ? "index" : field) + "\"");
            }
            items.add(new Reply.Item<>(index, value));
        }
        return new Reply<>(items, Usage.of(usage, meta));
    }

    private @Nullable List<@Nullable Item> byType() {
        List<float @Nullable []> vectors = embeddings == null ? null : embeddings.get("float");
        return vectors == null
                ? null
                : IntStream.range(0, vectors.size())
                        .<@Nullable Item>mapToObj(i -> new Item(i, vectors.get(i), null))
                        .toList();
    }
}
