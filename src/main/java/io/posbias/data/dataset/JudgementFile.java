package io.posbias.data.dataset;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.text.Plural;
import io.posbias.data.input.LineReader;
import io.posbias.data.input.TextInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Judgements with the fields {@value #QUERY}, {@value #PASSAGE} and {@value #GRADE}, whatever their file calls them: JSON
 * lines, Parquet, or lines with a header, with BEIR's three columns, or with TREC's four ({@code query 0 passage grade}),
 * separated by tabs or white space.
 */
record JudgementFile(Path path) implements RowFile {
    static final String QUERY = "query-id";
    static final String PASSAGE = "corpus-id";
    static final String GRADE = "score";

    /** Names of MTEB, ir_datasets, PyTerrier and others. */
    private static final Map<String, List<String>> NAMES = Map.of(
            QUERY, List.of(QUERY, "query_id", "queryid", "qid", "query"),
            PASSAGE,
                    List.of(
                            PASSAGE,
                            "corpus_id",
                            "corpusid",
                            "doc_id",
                            "doc-id",
                            "docid",
                            "docno",
                            "did",
                            "pid",
                            "passage_id",
                            "passage-id"),
            GRADE, List.of(GRADE, "relevance", "rel", "label", "grade", "judgment", "judgement"));

    private static final Set<String> ITERATION = Set.of("0", "Q0");
    private static final int BEIR = 3;
    private static final int TREC = 4;

    private static final String FORMS =
            "judgements are lines of query, passage and grade, or of TREC's four columns query 0 passage grade; others need"
                    + " a header that names query-id, corpus-id and score";

    private static final String COLUMNS = "columns are separated by single tabs, or by spaces without any tab";

    @Override
    public void forEach(Consumer<Fields> consumer) {
        String name = String.valueOf(path.getFileName());
        if (name.endsWith(".parquet") || name.contains(".jsonl")) {
            RowFile.open(path).forEach(row -> consumer.accept(named(row)));
            return;
        }
        try (InputStream in = TextInput.open(path)) {
            LineReader lines = new LineReader(in);
            String[] header = null;
            boolean tabs = true;
            while (lines.next()) {
                if (lines.isBlank()) {
                    continue;
                }
                if (header == null) {
                    String first = lines.text();
                    tabs = first.indexOf('\t') >= 0;
                    String[] cells = cells(first, tabs);
                    header = header(cells, new Location(path, lines.number()));
                    if (isHeader(cells)) {
                        continue;
                    }
                }
                Location where = new Location(path, lines.number());
                consumer.accept(named(TabSeparated.row(header, cells(lines.text(), tabs), where, COLUMNS)));
            }
        } catch (IOException problem) {
            throw RowFile.unreadable(path, problem);
        }
    }

    private static String[] cells(String line, boolean tabs) {
        return tabs ? line.split("\t", -1) : line.strip().split("\\s+");
    }

    private static boolean isHeader(String[] cells) {
        return has(cells, QUERY) && has(cells, PASSAGE);
    }

    private static boolean has(String[] cells, String field) {
        return Arrays.stream(cells).anyMatch(cell -> names(field).contains(cell.strip()));
    }

    private static List<String> names(String field) {
        return NAMES.getOrDefault(field, List.of());
    }

    /** Returns the names of the columns by the first line, which may be a judgement. */
    private static String[] header(String[] first, Location where) {
        if (isHeader(first)) {
            return TabSeparated.distinct(Arrays.stream(first).map(String::strip).toArray(String[]::new), where);
        }
        boolean isJudgement = first[first.length - 1].strip().matches("-?\\d+(\\.\\d+)?");
        if (isJudgement && first.length == BEIR) {
            return new String[] {QUERY, PASSAGE, GRADE};
        }
        if (isJudgement && first.length == TREC && ITERATION.contains(first[1].strip())) {
            return new String[] {QUERY, "iteration", PASSAGE, GRADE};
        }
        throw new BadInputException(
                where,
                "is neither a header with query-id, corpus-id and score nor a judgement ("
                        + Plural.of(first.length, "column") + ")",
                FORMS);
    }

    private static Fields named(Fields row) {
        if (row.has(QUERY) && row.has(PASSAGE) && row.has(GRADE)) {
            return row;
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(row.toMap());
        for (String field : NAMES.keySet()) {
            if (!fields.containsKey(field)) {
                List<String> present =
                        names(field).stream().filter(fields::containsKey).toList();
                if (present.size() == 1) {
                    fields.put(field, fields.remove(present.getFirst()));
                }
            }
        }
        return new Fields(row.where(), fields);
    }
}
