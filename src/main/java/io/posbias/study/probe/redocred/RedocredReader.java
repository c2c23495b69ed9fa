package io.posbias.study.probe.redocred;

import io.posbias.base.files.IoErrors;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.json.Setting;
import io.posbias.study.probe.Spaces;
import io.posbias.study.probe.redocred.RedocredDocument.Entity;
import io.posbias.study.probe.redocred.RedocredDocument.Label;
import io.posbias.study.probe.redocred.RedocredDocument.Mention;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/**
 * Reads Re-DocRED's files: a JSON list of documents with {@code title}, {@code sents}, {@code vertexSet} and {@code labels}. A
 * reference outside its document is an error with record and field. Names that differ from their tokens, repeated mentions and
 * blank tokens occur in the published files and are kept.
 */
final class RedocredReader {
    private static final TypeReference<Map<String, @Nullable Object>> DOCUMENT = new TypeReference<>() {};

    private final Path file;
    private final String split;
    private final ObjectReader reader =
            Json.mapper().readerFor(DOCUMENT).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private RedocredReader(Path file, String split) {
        this.file = file;
        this.split = split;
    }

    /**
     * Reads a file.
     *
     * @param split prefix of query ids
     * @return at least one document, in file order
     */
    static List<RedocredDocument> read(Path file, String split) {
        List<RedocredDocument> documents = new ArrayList<>();
        forEach(file, split, documents::add);
        return documents;
    }

    /** Streams the documents of a file, at least one. */
    static void forEach(Path file, String split, Consumer<RedocredDocument> consumer) {
        new RedocredReader(file, split).read(consumer);
    }

    private void read(Consumer<RedocredDocument> consumer) {
        try (InputStream in = Files.newInputStream(file);
                JsonParser json = Json.mapper().createParser(in)) {
            if (json.nextToken() != JsonToken.START_ARRAY) {
                throw notRedocred("is not a list");
            }
            int read = 0;
            for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
                consumer.accept(document(json, next, "[" + read + "]"));
                read++;
            }
            if (read == 0) {
                throw notRedocred("holds no document");
            }
            if (json.nextToken() != null) {
                throw notRedocred("goes on behind its list");
            }
        } catch (JacksonException broken) {
            throw Json.malformed("JSON", file, broken);
        } catch (IOException unreadable) {
            throw IoErrors.refused("read", file, unreadable);
        }
    }

    private RedocredDocument document(JsonParser json, JsonToken first, String place) {
        Location where = new Location(file, json.currentTokenLocation().getLineNr());
        if (first != JsonToken.START_OBJECT) {
            throw new BadInputException(where, "record " + place + " is not a document", "it must be { … }");
        }
        Fields fields = new Fields(where, place + ".", reader.readValue(json));
        List<List<String>> sentences = sentences(fields);
        List<Entity> entities = entities(fields, place, sentences);
        return RedocredDocument.of(
                split, text(fields, "title"), sentences, entities, labels(fields, entities.size(), sentences.size()));
    }

    private BadInputException notRedocred(String found) {
        return new BadInputException(
                Location.of(file), found, "a Re-DocRED file is [ { \"title\": …, \"sents\": [[…]], … }, … ]");
    }

    private static List<List<String>> sentences(Fields fields) {
        List<List<String>> sentences = new ArrayList<>();
        for (Object sentence : list(fields, "sents", fields.raw("sents"))) {
            List<String> tokens = new ArrayList<>();
            for (Object token : list(fields, "sents[" + sentences.size() + "]", sentence)) {
                if (!(token instanceof String text)) {
                    throw fields.bad("sents[" + sentences.size() + "]", "holds " + token, "tokens are strings");
                }
                tokens.add(text);
            }
            sentences.add(tokens);
        }
        if (sentences.stream()
                .flatMap(List::stream)
                .allMatch(token -> Spaces.strip(token).isEmpty())) {
            throw fields.bad("sents", "holds no word", "a document has at least one sentence");
        }
        return sentences;
    }

    private static List<Entity> entities(Fields fields, String place, List<List<String>> sentences) {
        List<Entity> entities = new ArrayList<>();
        for (Object entity : list(fields, "vertexSet", fields.raw("vertexSet"))) {
            String name = "vertexSet[" + entities.size() + "]";
            List<Mention> mentions = new ArrayList<>();
            for (Object mention : list(fields, name, entity)) {
                String path = name + "[" + mentions.size() + "]";
                mentions.add(mention(child(fields, place, path, mention), sentences));
            }
            if (mentions.isEmpty()) {
                throw fields.bad(name, "is empty", "an entity has at least one mention");
            }
            entities.add(new Entity(mentions));
        }
        return entities;
    }

    private record MentionRow(
            int sentId, @Setting(usual = "[]") List<Integer> pos) {}

    private record LabelRow(
            int h, int t, @Setting(usual = "[]") List<Integer> evidence) {}

    private static Mention mention(Fields fields, List<List<String>> sentences) {
        MentionRow row = Json.row(fields, MentionRow.class);
        int sentence = index(fields, "sent_id", row.sentId, sentences.size(), "sentences");
        int length = sentences.get(sentence).size();
        List<Integer> span = row.pos;
        if (span.size() != 2 || span.get(0) < 0 || span.get(0) >= span.get(1) || span.get(1) > length) {
            throw fields.bad(
                    "pos", "is " + span, "it must be [first token, token after the last] of " + length + " tokens");
        }
        return new Mention(text(fields, "name"), text(fields, "type"), sentence, span.get(0), span.get(1));
    }

    private static List<Label> labels(Fields fields, int entities, int sentences) {
        list(fields, "labels", fields.raw("labels"));
        List<Label> labels = new ArrayList<>();
        for (Fields label : fields.records("labels")) {
            LabelRow row = Json.row(label, LabelRow.class);
            row.evidence.forEach(sentence -> index(label, "evidence", sentence, sentences, "sentences"));
            labels.add(new Label(
                    text(label, "r"),
                    index(label, "h", row.h, entities, "entities"),
                    index(label, "t", row.t, entities, "entities"),
                    row.evidence));
        }
        return labels;
    }

    private static int index(Fields fields, String name, int index, int size, String things) {
        if (index < 0 || index >= size) {
            throw fields.bad(name, "names " + index, "the document has " + size + " " + things + ", counted from 0");
        }
        return index;
    }

    private static String text(Fields fields, String name) {
        String text = fields.text(name);
        if (Spaces.strip(text).isEmpty()) {
            throw fields.bad(name, "is blank", "it must hold a word");
        }
        return text;
    }

    private static List<?> list(Fields fields, String name, @Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw fields.bad(name, value == null ? "is missing" : "is no list", "it must be a list");
    }

    private static Fields child(Fields fields, String place, String path, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw fields.bad(path, "must be a record", "a mention is { \"name\": …, \"sent_id\": …, … }");
        }
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        map.forEach((key, field) -> values.put(String.valueOf(key), field));
        return new Fields(fields.where(), place + "." + path + ".", values);
    }
}
