package io.posbias.encode.api;

import io.posbias.Json;
import io.posbias.Problems;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON as these vendors write it: snake_case, fields that nobody asked for, and at times NaN, which is read here to be
 * refused with its place. Numbers become floats straight from their digits, without a double in between.
 */
final class ApiJson {
    private ApiJson() {}

    /** Made when first needed. */
    private static final class Mappers {
        static final JsonMapper ANSWERS = Json.mapper()
                .rebuild()
                .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    /** Reads an answer. Text that is no JSON, or only the beginning of it, may come right when asked for again. */
    static <A> A read(byte[] json, Class<A> type) throws WrongAnswerException {
        if (json.length == 0) {
            throw WrongAnswerException.forNow("empty");
        }
        A answer;
        try {
            answer = Mappers.ANSWERS.readValue(json, type);
        } catch (JacksonException problem) {
            // The first line, and names of classes without their packages.
            String words = problem.getOriginalMessage()
                    .lines()
                    .findFirst()
                    .orElse("")
                    .stripTrailing()
                    .replaceAll("\\b([a-z]+\\.)+(?=[A-Z])", "");
            throw Problems.causes(problem).anyMatch(StreamReadException.class::isInstance)
                    ? WrongAnswerException.forNow("not JSON, or not all of it: " + words)
                    : WrongAnswerException.forGood("JSON of another shape: " + words);
        }
        if (answer == null) {
            throw WrongAnswerException.forGood("null");
        }
        return answer;
    }
}
