package io.posbias.rank.trec;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.RowFile;
import io.posbias.data.input.TextInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/**
 * Reader of runs as written by BEIR, ranx and pytrec_eval, {@code {"query": {"passage": score, ...}, ...}}, and of MTEB's
 * predictions, {@code {"mteb_model_meta": {...}, "subset": {"split": RUN}}}. Refuses the same errors as {@link TrecRunReader},
 * with file and line.
 */
final class JsonRunReader {
    private static final String FORM = "a run in JSON is {\"query\": {\"passage\": score}}, or MTEB's predictions";
    private static final String META = "mteb_model_meta";
    private static final String ONE_LINE =
            "write a line for each query: {\"query-id\": \"q1\", \"hits\": [{\"_id\": \"d1\", \"_score\": 1.5}]}";
    /** Fields of an answer of Elasticsearch, which may stand where a query's hits are expected. */
    private static final Set<String> SEARCH = Set.of("responses", "hits");

    private static final Set<String> AROUND = Set.of("took", "timed_out", "_shards", "status", "_scroll_id");
    private static final ObjectReader READER =
            Json.mapper().readerFor(Object.class).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final int PLAIN = 2;
    private static final int MTEB = 4;

    private final Path file;
    private final Supplier<RunHits> empty;
    private final Map<List<String>, RunHits> parts = new LinkedHashMap<>();

    private JsonRunReader(Path file, Supplier<RunHits> empty) {
        this.file = file;
        this.empty = empty;
    }

    /**
     * @param split chooses one of several parts
     */
    static RunHits read(Path file, Supplier<RunHits> empty, String split) {
        JsonRunReader reader = new JsonRunReader(file, empty);
        try (InputStream in = TextInput.open(file);
                JsonParser json = Json.mapper().createParser(in)) {
            reader.require(json, json.nextToken(), JsonToken.START_OBJECT);
            reader.record(json, new ArrayList<>());
            if (json.nextToken() != null) {
                throw reader.bad(json, "contains more than one record", FORM);
            }
        } catch (JacksonIOException problem) {
            IOException cause = problem.getCause();
            throw RowFile.unreadable(file, cause == null ? new IOException(problem) : cause);
        } catch (JacksonException broken) {
            throw Json.malformed("JSON", file, broken);
        } catch (IOException problem) {
            throw RowFile.unreadable(file, problem);
        }
        return reader.part(split);
    }

    /** Reads the fields of a record whose names are on the path: query, or subset, split and query. */
    private void record(JsonParser json, List<String> path) {
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            path.add(json.currentName());
            JsonToken value = json.nextToken();
            boolean isHits = path.size() == PLAIN && path.getLast().equals("hits") && value == JsonToken.START_OBJECT;
            if (path.size() == 1 && SEARCH.contains(path.getFirst())) {
                throw bad(json, "is an answer of a search that does not name its query", ONE_LINE);
            }
            if ((path.size() == 1 && path.getFirst().equals(META))
                    || (path.size() == PLAIN && AROUND.contains(path.getLast()))) {
                json.skipChildren();
            } else if (isHits || (path.size() == 1 && value == JsonToken.START_ARRAY)) {
                Object list = READER.readValue(json);
                Location where = new Location(
                        file, Math.max(0, json.currentTokenLocation().getLineNr()));
                refuse(json, TableRunReader.addAll(path.getFirst(), list, where, part(List.of())));
            } else if (value == JsonToken.START_OBJECT && path.size() < MTEB) {
                record(json, path);
            } else {
                add(json, value, path);
            }
            path.removeLast();
        }
    }

    private void add(JsonParser json, JsonToken score, List<String> path) {
        if (path.size() != PLAIN && path.size() != MTEB) {
            throw bad(json, "a record was expected", FORM);
        }
        String passage = path.getLast();
        if (!score.isNumeric()) {
            throw bad(json, "score of passage " + Printable.quoted(passage) + " is not a number", FORM);
        }
        refuse(
                json,
                part(List.copyOf(path.subList(0, path.size() - PLAIN)))
                        .add(path.get(path.size() - 2), passage, json.getString(), null));
    }

    private RunHits part(List<String> names) {
        return parts.computeIfAbsent(names, key -> empty.get());
    }

    private void refuse(JsonParser json, RunHits.@Nullable Refusal refusal) {
        if (refusal != null) {
            throw bad(json, refusal.found(), refusal.advice());
        }
    }

    private RunHits part(String split) {
        List<List<String>> names = parts.keySet().stream()
                .filter(part ->
                        parts.size() == 1 || (part.size() == 2 && part.getLast().equals(split)))
                .toList();
        if (parts.isEmpty()) {
            return empty.get();
        }
        if (names.size() != 1) {
            throw new BadInputException(
                    Location.of(file),
                    "holds the runs "
                            + String.join(
                                    ", ",
                                    parts.keySet().stream()
                                            .map(part -> Printable.cut(String.join("/", part)))
                                            .toList()),
                    "keep one of them, or choose a split with --split");
        }
        return Objects.requireNonNull(parts.get(names.getFirst()));
    }

    private void require(JsonParser json, JsonToken found, JsonToken wanted) {
        if (found != wanted) {
            throw bad(json, "a record was expected", FORM);
        }
    }

    private BadInputException bad(JsonParser json, String found, String advice) {
        long line = json.currentTokenLocation().getLineNr();
        return new BadInputException(new Location(file, Math.max(0, line)), found, advice);
    }
}
