package io.posbias.data.dataset;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A row of a training file: a query, the passages that answer it, and hard negatives. Formats are told apart by their fields:
 * those of sentence-transformers and MS MARCO's triples are columns, FlagEmbedding's are lists of texts, Tevatron's lists of
 * passages with identifiers.
 */
public record TrainingRow(String query, List<Text> positives, List<Text> negatives) {
    /** File of a set in its folder. */
    public static final String FILE = "train.jsonl";

    /** The formats in words, for messages. */
    public static final String FORMATS =
            "anchor or query and positive, query and pos, or query and positive_passages, and negatives";

    /** Field of a query in sentence-transformers' rows. */
    public static final String ANCHOR = "anchor";

    private static final String QUERY = "query";
    private static final String POSITIVE = "positive";

    /** Columns of sentence-transformers' mine_hard_negatives. */
    private static final Pattern NEGATIVE = Pattern.compile("negative(_[0-9]+)?");

    /** Readers by the field that identifies the format. */
    private static final Map<String, Function<Fields, TrainingRow>> FORMS = Map.of(
            POSITIVE, TrainingRow::columns, "pos", TrainingRow::lists, "positive_passages", TrainingRow::passages);

    /**
     * A passage.
     *
     * @param docid empty in formats without identifiers, whose passages are told apart by their texts
     */
    public record Text(
            @Setting(identifier = true) String docid,
            @Setting(usual = "''") String title,
            String text) {
        private static Text unnamed(String text) {
            return new Text("", "", text);
        }

        /** Returns what tells it apart from others. */
        public String key() {
            return docid.isEmpty() ? text : docid;
        }
    }

    private record Tevatron(
            String query,
            @Setting(usual = "[]") List<Text> positivePassages,
            @Setting(usual = "[]") List<Text> negativePassages) {}

    /** Returns the file of the set in a folder, or the path itself if there is none. */
    public static Path file(Path path) {
        Path inside = path.resolve(FILE);
        return Files.isRegularFile(inside) ? inside : path;
    }

    /**
     * Reads a row.
     *
     * @return empty if it is of another kind
     */
    public static Optional<TrainingRow> of(Fields row) {
        return FORMS.entrySet().stream()
                .filter(form -> row.has(form.getKey()) && (row.has(QUERY) || row.has(ANCHOR)))
                .findFirst()
                .map(form -> form.getValue().apply(row));
    }

    private static TrainingRow columns(Fields row) {
        List<Text> negatives = row.names().stream()
                .filter(name -> NEGATIVE.matcher(name).matches())
                .map(row::text)
                .map(Text::unnamed)
                .toList();
        String query = row.text(row.has(ANCHOR) ? ANCHOR : QUERY);
        return new TrainingRow(query, List.of(Text.unnamed(row.text(POSITIVE))), negatives);
    }

    private static TrainingRow lists(Fields row) {
        return new TrainingRow(row.text(QUERY), unnamed(row.texts("pos")), unnamed(row.texts("neg")));
    }

    private static List<Text> unnamed(List<String> texts) {
        return texts.stream().map(Text::unnamed).toList();
    }

    private static TrainingRow passages(Fields row) {
        Tevatron found = Json.row(row, Tevatron.class);
        return new TrainingRow(found.query, found.positivePassages, found.negativePassages);
    }
}
