package io.posbias.dataset.convert;

import io.posbias.BadInputException;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.Location;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/** The paragraphs of a SQuAD file, {@code data[].paragraphs[]}, read one at a time. */
final class SquadJson {
    private static final TypeReference<Map<String, @Nullable Object>> PARAGRAPH = new TypeReference<>() {};

    private final Path path;
    private final ObjectReader reader =
            Json.mapper().readerFor(PARAGRAPH).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private int article = -1;

    SquadJson(Path path) {
        this.path = path;
    }

    void forEach(Consumer<Fields> consumer) {
        try (InputStream in = Files.newInputStream(path);
                JsonParser json = Json.mapper().createParser(in)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw notSquad();
            }
            forEachElement(json, "data", () -> {
                article++;
                int[] paragraph = {0};
                forEachElement(json, "paragraphs", () -> {
                    String place = "data[" + article + "].paragraphs[" + paragraph[0]++ + "].";
                    Location where =
                            new Location(path, json.currentTokenLocation().getLineNr());
                    consumer.accept(new Fields(where, place, reader.readValue(json)));
                });
            });
        } catch (JacksonException broken) {
            throw Json.malformed("JSON", path, broken);
        } catch (IOException unreadable) {
            throw new PosbiasException(Problems.describe("read", path, unreadable), unreadable);
        }
        if (article < 0) {
            throw notSquad();
        }
    }

    /** In the object that the parser stands at, visits each object in the list under {@code name}; skips the rest. */
    private void forEachElement(JsonParser json, String name, Runnable visit) {
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String found = json.currentName();
            JsonToken value = json.nextToken();
            if (!name.equals(found)) {
                json.skipChildren();
                continue;
            }
            if (value != JsonToken.START_ARRAY) {
                throw notSquad();
            }
            for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
                if (next != JsonToken.START_OBJECT) {
                    throw notSquad();
                }
                visit.run();
            }
        }
    }

    private BadInputException notSquad() {
        return new BadInputException(
                Location.of(path), "not a SQuAD file", "SQuAD JSON is { \"data\": [ { \"paragraphs\": [ … ] } ] }");
    }
}
