package io.posbias.report.query;

import io.posbias.base.table.Columns;
import io.posbias.base.table.Lines;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.table.TableFormat;
import io.posbias.base.table.TerminalStyle;
import io.posbias.base.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Renders single queries as text, tables and JSON. The evidence is between [[ and ]], or in colour on a terminal. */
public final class QueryText {
    private static final String SCHEMA = "posbias/query/1";

    private static final String BEFORE = "[[";
    private static final String AFTER = "]]";

    private static final String COLOUR = "\u001b[1;33m";

    private static final String PLAIN = "\u001b[0m";

    /** Placeholder of a colour code while lines are wrapped: one column wide, from the private use area. */
    private static final String COLOUR_HERE = "\uE000";

    private static final String PLAIN_HERE = "\uE001";

    private static final String INDENT = "  ";

    private QueryText() {}

    record RankedLine(
            String dataset,
            @Meaning("identifier of the query") String query,
            String model,

            @Meaning(value = "rank of the passage, from 1", unit = "number")
            int rank,

            @Meaning("identifier of the passage") String passage,

            @Meaning(value = "score of the passage", unit = "score")
            double score,

            @Meaning(value = "grade of the passage; empty without a judgement", unit = "number") @Nullable
            Integer grade) {
        static RankedLine of(ShownQuery query, String model, ShownQuery.RankedPassage hit) {
            return new RankedLine(
                    query.dataset(), query.query(), model, hit.rank(), hit.passage(), hit.score(), hit.grade());
        }
    }

    private static final Columns<ShownQuery.RankedPassage> HITS = new Columns<ShownQuery.RankedPassage>()
            .text("rank", ShownQuery.RankedPassage::rank)
            .text("passage", ShownQuery.RankedPassage::passage)
            .text("score", hit -> String.format(Locale.ROOT, "%.4f", hit.score()))
            .text("grade", ShownQuery.RankedPassage::grade)
            .text("text", hit -> marked(hit.text(), BEFORE, AFTER));

    public static final RecordCsv<RankedLine> LINES = new RecordCsv<>(RankedLine.class);

    public static Table raw(List<ShownQuery> queries) {
        return LINES.table(queries.stream()
                .flatMap(query -> query.models().stream()
                        .flatMap(answer ->
                                answer.ranking().stream().map(hit -> RankedLine.of(query, answer.model(), hit))))
                .toList());
    }

    public static List<Table> tables(List<ShownQuery> queries) {
        return queries.stream()
                .flatMap(query -> query.models().stream().map(answer -> table(query, answer)))
                .toList();
    }

    private static Table table(ShownQuery query, ShownQuery.ModelAnswer answer) {
        String scores = answer.scores().entrySet().stream()
                .map(score -> score.getKey() + " " + NumberFormat.FRACTION.print(score.getValue()))
                .collect(Collectors.joining(", "));
        List<String> notes = new ArrayList<>();
        Integer found = answer.found();
        if (found == null) {
            notes.add("no ranking" + (query.missing() == null ? "" : ": " + query.missing()));
        } else {
            notes.add(
                    answer.firstRelevant() == null
                            ? "no relevant passage among the " + found + " found"
                            : "first relevant passage at rank " + answer.firstRelevant() + " of " + found + " found");
        }
        notes.addAll(answer.unread());
        return HITS.table(
                query.dataset() + ", query " + query.query() + ", " + answer.model() + ": " + scores,
                answer.ranking(),
                notes);
    }

    /** Renders queries with their relevant passages, the evidence and each model's ranking. */
    public static String read(List<ShownQuery> queries, TerminalStyle style) {
        return queries.stream()
                .map(query -> head(query, style)
                        + tables(List.of(query)).stream()
                                .map(table -> "\n" + TableFormat.TABLE.render(table, style))
                                .collect(Collectors.joining()))
                .collect(Collectors.joining("\n"));
    }

    private static String head(ShownQuery query, TerminalStyle style) {
        StringBuilder head = new StringBuilder();
        String title = query.dataset() + ", query " + query.query();
        add(head, query.text() == null ? title : title + ": " + query.text(), "", style);
        add(head, place(query), "", style);
        for (ShownQuery.ShownPassage text : query.relevant()) {
            String name = text.title().isEmpty() ? text.passage() : text.passage() + ", " + text.title();
            head.append('\n');
            add(head, "relevant: " + name, "", style);
            String before = style.colour() ? COLOUR_HERE : BEFORE;
            String after = style.colour() ? PLAIN_HERE : AFTER;
            add(head, marked(text.text(), before, after), INDENT, style);
        }
        return head.toString();
    }

    private static String place(ShownQuery query) {
        List<String> parts = new ArrayList<>();
        parts.add(query.buckets().isEmpty() ? "in no bucket" : "bucket " + String.join(", ", query.buckets()));
        if (!query.stratum().isEmpty()) {
            parts.add("length " + query.stratum());
        }
        parts.add(
                query.start() == null
                        ? "the place of its evidence is not known"
                        : "evidence at " + query.start() + " to " + query.end() + " of " + query.textLength()
                                + " characters");
        return String.join("; ", parts);
    }

    private static void add(StringBuilder out, String text, String indent, TerminalStyle style) {
        for (String line : Lines.of(Printable.of(text), style.width() - indent.length(), 0)) {
            out.append(indent)
                    .append(line.replace(COLOUR_HERE, COLOUR).replace(PLAIN_HERE, PLAIN))
                    .append('\n');
        }
    }

    static String marked(Excerpt excerpt, String before, String after) {
        String text = excerpt.text();
        String inside = excerpt.mark() == null
                ? text
                : text.substring(0, excerpt.mark().start())
                        + before
                        + text.substring(excerpt.mark().start(), excerpt.mark().end())
                        + after
                        + text.substring(excerpt.mark().end());
        return (excerpt.before() > 0 ? "… " : "") + inside + (excerpt.after() > 0 ? " …" : "");
    }

    public record QueryFile(String schema, List<ShownQuery> queries) {}

    public static QueryFile document(List<ShownQuery> queries) {
        return new QueryFile(SCHEMA, queries);
    }
}
