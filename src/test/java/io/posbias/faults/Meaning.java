package io.posbias.faults;

import io.posbias.faults.Mutator.Coding;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whether two files say the same, by a parser that knows nothing of what they are for. */
final class Meaning {
    private static final JsonMapper JSON = new JsonMapper();

    private Meaning() {}

    static boolean same(FileKind kind, byte[] one, byte[] other) {
        if (kind.coding() == Coding.GZIP) {
            return Stream.of(other)
                    .map(Meaning::inflated)
                    .anyMatch(bytes -> bytes.isPresent() && Arrays.equals(bytes.get(), Mutator.inflate(one)));
        }
        if (!kind.file().contains(".json")) {
            return false;
        }
        Optional<List<JsonNode>> right = values(one);
        return right.isPresent() && right.equals(values(other));
    }

    private static Optional<byte[]> inflated(byte[] gzip) {
        try {
            return Optional.of(Mutator.inflate(gzip));
        } catch (RuntimeException broken) {
            return Optional.empty();
        }
    }

    private static Optional<List<JsonNode>> values(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            try (var values = JSON.readerFor(JsonNode.class).<JsonNode>readValues(text)) {
                return Optional.of(values.readAll());
            }
        } catch (JacksonException | CharacterCodingException broken) {
            return Optional.empty();
        }
    }
}
