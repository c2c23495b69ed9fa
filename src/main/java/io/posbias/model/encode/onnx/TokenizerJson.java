package io.posbias.model.encode.onnx;

import io.posbias.base.json.Json;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads tokenizer.json in two parts, because a tree of the whole file takes many times its size in memory. Both parts refuse
 * a name that stands twice: the library may read the other one.
 */
final class TokenizerJson {
    private static final Set<String> VOCABULARY = Set.of("vocab", "merges");

    private TokenizerJson() {}

    /**
     * Returns the file without vocabulary and merges, which are megabytes.
     *
     * @throws tools.jackson.core.JacksonException if it is malformed
     */
    static JsonNode outline(byte[] json) {
        try (JsonParser parser = reader().createParser(json)) {
            parser.nextToken();
            return record(parser, name -> name.equals("model") ? model(parser) : parser.readValueAsTree());
        }
    }

    /** Detects names that stand twice in what becomes a tree. */
    private static ObjectReader reader() {
        return Json.mapper()
                .reader()
                .without(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);
    }

    private static JsonNode model(JsonParser parser) {
        return parser.currentToken() == JsonToken.START_OBJECT
                ? record(parser, name -> VOCABULARY.contains(name) ? skip(parser) : parser.readValueAsTree())
                : parser.readValueAsTree();
    }

    /** Reads a record whose first token was read. */
    private static JsonNode record(JsonParser parser, Function<String, JsonNode> values) {
        ObjectNode record = JsonNodeFactory.instance.objectNode();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            parser.nextToken();
            if (record.has(name)) {
                throw twice(parser, name);
            }
            record.set(name, values.apply(name));
        }
        return record;
    }

    private static StreamReadException twice(JsonParser parser, String name) {
        return new StreamReadException(parser, "Duplicate Object property \"" + name + "\"");
    }

    private static JsonNode skip(JsonParser parser) {
        parser.skipChildren();
        return JsonNodeFactory.instance.booleanNode(true);
    }

    /**
     * Returns the ids of the model's tokens by their text.
     *
     * @param id reads the id of a token
     * @throws tools.jackson.core.JacksonException if the file is malformed
     */
    static Map<String, Integer> vocabulary(byte[] json, ToIntBiFunction<String, JsonNode> id) {
        Map<String, Integer> ids = new HashMap<>();
        try (JsonParser parser = reader().createParser(json)) {
            parser.nextToken();
            if (enter(parser, "model") && enter(parser, "vocab")) {
                if (parser.currentToken() == JsonToken.START_ARRAY) {
                    pieces(parser, ids);
                } else if (parser.currentToken() == JsonToken.START_OBJECT) {
                    tokens(parser, ids, id);
                }
            }
        }
        return ids;
    }

    /** Moves to the value of a name in the record whose first token was read; false if it lacks the name. */
    private static boolean enter(JsonParser parser, String wanted) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return false;
        }
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            parser.nextToken();
            if (name.equals(wanted)) {
                return true;
            }
            parser.skipChildren();
        }
        return false;
    }

    /** Unigram: a list of [piece, score], the id is the place. */
    private static void pieces(JsonParser parser, Map<String, Integer> ids) {
        for (int id = 0; parser.nextToken() != JsonToken.END_ARRAY; id++) {
            JsonNode piece = parser.readValueAsTree();
            ids.put(piece.path(0).asString(""), id);
        }
    }

    private static void tokens(JsonParser parser, Map<String, Integer> ids, ToIntBiFunction<String, JsonNode> id) {
        for (String token = parser.nextName(); token != null; token = parser.nextName()) {
            parser.nextToken();
            if (ids.put(token, id.applyAsInt(token, parser.readValueAsTree())) != null) {
                throw twice(parser, token);
            }
        }
    }
}
