package io.posbias.retrieve.trec;

import io.posbias.BadInputException;
import io.posbias.Json;
import io.posbias.Location;
import io.posbias.Printable;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.RowFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.JacksonIOException;

/**
 * Reader of runs as written by BEIR, ranx and pytrec_eval: {@code {"query": {"passage": score, ...}, ...}}. Refuses
 * the same errors as {@link TrecRunReader}, with file and line.
 */
final class JsonRunReader {
    private static final String FORM = "a run in JSON is {\"query\": {\"passage\": score}}";

    private final Path file;
    private final RunHits hits;

    private JsonRunReader(Path file, Dataset dataset) {
        this.file = file;
        this.hits = new RunHits(dataset);
    }

    static RunReader.Read read(Path file, Dataset dataset) {
        JsonRunReader reader = new JsonRunReader(file, dataset);
        try (InputStream in = RowFile.inflate(file);
                JsonParser json = Json.mapper().createParser(in)) {
            reader.queries(json);
        } catch (JacksonIOException problem) {
            IOException cause = problem.getCause();
            throw RowFile.unreadable(file, cause == null ? new IOException(problem) : cause);
        } catch (JacksonException broken) {
            throw Json.malformed("JSON", file, broken);
        } catch (IOException problem) {
            throw RowFile.unreadable(file, problem);
        }
        return reader.hits.read(file);
    }

    private void queries(JsonParser json) {
        require(json, json.nextToken(), JsonToken.START_OBJECT);
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String query = json.currentName();
            require(json, json.nextToken(), JsonToken.START_OBJECT);
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String passage = json.currentName();
                JsonToken score = json.nextToken();
                if (!score.isNumeric()) {
                    throw bad(json, "score of passage " + Printable.quoted(passage) + " is not a number", FORM);
                }
                RunHits.Refusal refusal = hits.add(query, passage, json.getString());
                if (refusal != null) {
                    throw bad(json, refusal.found(), refusal.advice());
                }
            }
        }
        if (json.nextToken() != null) {
            throw bad(json, "contains more than one record", FORM);
        }
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
