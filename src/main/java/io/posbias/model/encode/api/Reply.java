package io.posbias.model.encode.api;

import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Json;
import io.posbias.base.json.Malformed;
import io.posbias.base.net.AnswerException;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;

/**
 * Content of an answer of any vendor.
 *
 * @param <T> vector, score or words
 * @param items in the order of the answer
 * @param usage of the call
 */
public record Reply<T>(List<Item<T>> items, Usage usage) {
    /**
     * Value of one text.
     *
     * @param index of the text, from 0
     */
    public record Item<T>(int index, T value) {}

    private static final String VECTOR = "embedding";

    /**
     * JSON as these vendors write it: snake_case, unknown fields, and at times NaN, which is read to be
     * refused with its place. Numbers become floats straight from their digits, without a double in between. Made when
     * first needed.
     */
    private static final class Mappers {
        static final JsonMapper ANSWERS = Json.mapper()
                .rebuild()
                .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .build();
    }

    /**
     * A vector as it is sent. Some servers send base64 where numbers were asked for. Read once and never compared.
     *
     * @param base64 null for numbers
     */
    @JsonDeserialize(using = VectorReader.class)
    @SuppressWarnings("ArrayRecordComponent")
    record Vector(float[] numbers, @Nullable String base64) {
        /** Decodes base64 as OpenAI writes it, 32-bit floats, little-endian; refuses what it cannot be. */
        float[] read(int dimension) throws AnswerException {
            if (base64 == null) {
                return numbers;
            }
            float[] read = new float[dimension];
            try {
                ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64));
                if (bytes.capacity() == (long) dimension * Float.BYTES) {
                    bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(read);
                }
            } catch (IllegalArgumentException notBase64) {
                // Refused below, as no number was read.
            }
            double largest = IntStream.range(0, dimension)
                    .mapToDouble(i -> Math.abs(read[i]))
                    .max()
                    .orElse(0);
            // That of bytes in another order, or of another type, is beyond.
            if (largest > 1e-6 && largest < 1e6) {
                return read;
            }
            throw AnswerException.forGood("a vector as a text, which is not the base64 of little-endian 32-bit"
                    + " floats of the recipe's dimension");
        }
    }

    private static final class VectorReader extends ValueDeserializer<Vector> {
        @Override
        public Vector deserialize(JsonParser json, DeserializationContext context) {
            if (json.hasToken(JsonToken.VALUE_STRING)) {
                return new Vector(new float[0], json.getString());
            }
            if (!json.isExpectedStartArrayToken()) {
                return (Vector) context.handleUnexpectedToken(float[].class, json);
            }
            float[] numbers = new float[1024];
            int count = 0;
            while (json.nextToken() != JsonToken.END_ARRAY) {
                numbers = count < numbers.length ? numbers : Arrays.copyOf(numbers, 2 * count);
                numbers[count++] = json.hasToken(JsonToken.VALUE_NULL) ? Float.NaN : number(json, context);
            }
            return new Vector(Arrays.copyOf(numbers, count), null);
        }

        private static float number(JsonParser json, DeserializationContext context) {
            return json.currentToken().isNumeric()
                    ? json.getFloatValue()
                    : (float) context.handleUnexpectedToken(float.class, json);
        }
    }

    /**
     * Vectors or scores. Vectors of OpenAI, Voyage and Jina say which text they belong to (those of some servers that speak alike do not): {@code {"data": [{"index": 0,
     * "embedding": [0.1, ...]}], "usage": {"total_tokens": 5}}}. Cohere's come by type, in the order of the texts. Scores
     * say which document they belong to, best first: {@code {"results": [{"index": 3, "relevance_score": 0.9}]}}; Voyage's
     * list is called {@code data}. Ollama and text-embeddings-inference answer otherwise: {@link OllamaAnswer} and bare lists.
     */
    record ServiceAnswer(
            @Nullable List<@Nullable Value> data,
            @Nullable List<@Nullable Value> results,
            @Nullable Map<String, @Nullable List<@Nullable Vector>> embeddings,
            Usage.@Nullable Tokens usage,
            Usage.@Nullable Billing meta) {
        private @Nullable List<@Nullable Value> list(String name) {
            return name.equals("data") ? data : name.equals("results") ? results : byType();
        }

        private @Nullable List<@Nullable Value> byType() {
            List<@Nullable Vector> vectors = embeddings == null ? null : embeddings.get("float");
            return vectors == null
                    ? null
                    : IntStream.range(0, vectors.size())
                            .<@Nullable Value>mapToObj(i -> new Value(i, vectors.get(i), null))
                            .toList();
        }
    }

    /** Answer of Ollama, in the order of the texts. */
    record OllamaAnswer(@Nullable List<@Nullable Vector> embeddings) {}

    /** A document's score by text-embeddings-inference, best first. */
    record Ranked(int index, float score) {}

    /** One text's vector, or one document's score. */
    record Value(
            @Nullable Integer index,
            @Nullable Vector embedding,
            @Nullable Float relevanceScore) {}

    /**
     * Reads vectors; their number and order, and the length of those that are numbers, are checked by others.
     *
     * @param dimension 0 if unknown
     */
    static Reply<float[]> vectors(byte[] json, String list, int dimension) throws AnswerException {
        ServiceAnswer answer = switch (list) {
            case "" -> bare(Arrays.asList(read(json, Vector[].class)));
            case "embeddings" -> bare(read(json, OllamaAnswer.class).embeddings);
            default -> read(json, ServiceAnswer.class);
        };
        Reply<Vector> sent = of(answer, list, VECTOR, Value::embedding);
        List<Item<float[]>> items = new ArrayList<>();
        for (Item<Vector> item : sent.items) {
            items.add(new Item<>(item.index, item.value.read(dimension)));
        }
        return new Reply<>(items, sent.usage);
    }

    private static ServiceAnswer bare(@Nullable List<@Nullable Vector> vectors) {
        return new ServiceAnswer(null, null, Collections.singletonMap("float", vectors), null, null);
    }

    /** Reads scores; their number and order are checked by others. */
    static Reply<Float> scores(byte[] json, String list) throws AnswerException {
        if (!list.isEmpty()) {
            return of(read(json, ServiceAnswer.class), list, "relevance_score", Value::relevanceScore);
        }
        List<Item<Float>> items = new ArrayList<>();
        for (Ranked one : read(json, Ranked[].class)) {
            items.add(new Item<>(one.index, one.score));
        }
        return new Reply<>(items, Usage.of(null, null));
    }

    private static <T> Reply<T> of(ServiceAnswer answer, String list, String field, Function<Value, @Nullable T> part)
            throws AnswerException {
        List<@Nullable Value> found = answer.list(list);
        if (found == null) {
            throw AnswerException.forGood("no field " + Printable.quoted(list));
        }
        // Servers that leave the index out, or write 0 for all, answer in the order of the texts; scores come best
        // first.
        boolean isInOrder = field.equals(VECTOR)
                && found.stream().allMatch(one -> one != null && (one.index() == null || one.index() == 0))
                && found.stream()
                                .map(one -> one == null ? null : one.index())
                                .distinct()
                                .count()
                        == 1;
        List<Item<T>> items = new ArrayList<>();
        for (Value one : found) {
            Integer index = one == null ? null : isInOrder ? (Integer) items.size() : one.index();
            T value = one == null ? null : part.apply(one);
            if (index == null || value == null) {
                throw AnswerException.at(
                        index == null ? -1 : index, "an item without \"" + (index == null ? "index" : field) + "\"");
            }
            items.add(new Item<>(index, value));
        }
        return new Reply<>(items, Usage.of(answer.usage, answer.meta));
    }

    /** Reads JSON. Malformed or incomplete text may be correct in another try. */
    public static <A> A read(byte[] json, Class<A> type) throws AnswerException {
        if (json.length == 0) {
            throw AnswerException.forNow("empty");
        }
        A answer;
        try {
            answer = Mappers.ANSWERS.readValue(json, type);
        } catch (JacksonException problem) {
            String words = Malformed.describe(problem);
            throw IoErrors.causes(problem).anyMatch(StreamReadException.class::isInstance)
                    ? AnswerException.forNow("not JSON, or not all of it: " + words)
                    : AnswerException.forGood("JSON of another shape: " + words);
        }
        if (answer == null) {
            throw AnswerException.forGood("null");
        }
        return answer;
    }

    /**
     * The values in the order of the texts, which need not be the order of the answer.
     *
     * @param count how many texts were sent
     */
    List<T> inOrder(int count) throws AnswerException {
        if (items.size() != count) {
            throw AnswerException.forGood(Plural.of(items.size(), "result") + " for " + Plural.of(count, "text"));
        }
        BitSet seen = new BitSet(count);
        for (Item<T> item : items) {
            if (item.index() < 0 || item.index() >= count) {
                throw AnswerException.forGood(
                        "index " + item.index() + " but only 0 to " + (count - 1) + " were requested");
            }
            if (seen.get(item.index())) {
                throw AnswerException.forGood("index " + item.index() + " twice");
            }
            seen.set(item.index());
        }
        return items.stream()
                .sorted(Comparator.comparingInt(Item::index))
                .map(Item::value)
                .toList();
    }
}
