package io.posbias.study.annotate;

import io.posbias.base.files.Staging;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.table.Columns;
import io.posbias.base.table.TableFormat;
import io.posbias.report.page.Html;
import io.posbias.study.build.Candidate;
import io.posbias.study.build.Funnel;
import io.posbias.study.build.text.BoundedDraw;
import io.posbias.study.build.text.Draw;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Blind sheets of a construction's questions for annotators, and the key to them. Each sheet has all drawn questions, in an order
 * and with item names of its own.
 *
 * @param perStratum questions of each length bucket and position; all where there are fewer
 * @param annotators at least 1
 */
public record Sheets(Funnel built, int perStratum, int annotators, int seed) {
    static final String KEY = "key.csv";
    static final String LENGTH = "length";
    static final String ITEM = "item";
    static final String ANSWER = "answer";
    static final String ANNOTATOR = "annotator-";

    /** A length bucket and position, with the numbers of its questions. */
    public record Stratum(String length, String position, long questions, int drawn) {}

    private record Row(String item, String question, List<String> segments) {
        String markup() {
            return "<section>\n<h2>" + item + "</h2>\n<p dir=\"auto\"><b>" + Html.escape(question) + "</b></p>\n<ol>\n"
                    + segments.stream()
                            .map(segment -> "<li dir=\"auto\">" + Html.escape(segment) + "</li>\n")
                            .collect(Collectors.joining())
                    + "</ol>\n</section>\n";
        }
    }

    private static final Columns<Row> SHEET = new Columns<Row>()
            .text(ITEM, Row::item)
            .text(ANSWER, row -> "")
            .text("question", Row::question)
            .text("segment_1", row -> row.segments.get(0))
            .text("segment_2", row -> row.segments.get(1))
            .text("segment_3", row -> row.segments.get(2));

    /** Writes {@code key.csv} and, for each annotator, a sheet as CSV and as a page. */
    public List<Stratum> write(Path folder, Session session) {
        List<Stratum> strata = new ArrayList<>();
        List<Candidate> drawn = drawn(strata);
        List<List<String>> segments = built.segments(drawn);
        List<Integer> numbers = IntStream.range(0, drawn.size()).boxed().toList();
        Columns<Integer> key = new Columns<Integer>()
                .text(Candidate.QUESTION, i -> drawn.get(i).id())
                .text(LENGTH, i -> length(drawn.get(i)))
                .text(Candidate.POSITION, i -> drawn.get(i).text(Candidate.POSITION));
        try (Staging staging = Staging.beside(folder, session)) {
            for (int annotator = 1; annotator <= annotators; annotator++) {
                String name = ANNOTATOR + annotator;
                List<Row> rows = numbers.stream()
                        .map(i -> row(name, drawn.get(i), segments.get(i)))
                        .toList();
                key.text(name, i -> rows.get(i).item());
                List<Row> mixed =
                        rows.stream().sorted(Comparator.comparing(Row::item)).toList();
                // Spreadsheets know the encoding by the byte order mark.
                Staging.writeFile(
                        staging.folder().resolve(name + ".csv"),
                        "\ufeff" + TableFormat.CSV.render(SHEET.table("", mixed, List.of())));
                String items = mixed.stream().map(Row::markup).collect(Collectors.joining());
                Staging.writeFile(
                        staging.folder().resolve(name + ".html"),
                        Html.fill(Html.resource("sheet.html"), Map.of("sheet", name, "items", items)));
            }
            Staging.writeFile(staging.folder().resolve(KEY), TableFormat.CSV.render(key.table("", numbers, List.of())));
            staging.commitFolder();
        }
        return strata;
    }

    /** The item's name is a digest of its annotator and question: it tells no label, and is of no other sheet. */
    private Row row(String annotator, Candidate question, List<String> segments) {
        String text = question.text(Candidate.QUESTION);
        long digest = Draw.priority(seed, annotator + "\n" + question.id() + "\n" + text);
        return new Row(String.format("q%012x", digest >>> 16), text, segments);
    }

    private static String length(Candidate question) {
        return question.fields().text(Candidate.BUCKET, "any");
    }

    private List<Candidate> drawn(List<Stratum> strata) {
        Map<List<String>, BoundedDraw<Candidate>> draws = new LinkedHashMap<>();
        built.lastCandidates().forEach(question -> {
            if (question.has(Candidate.QUESTION) && question.has(Candidate.POSITION)) {
                draws.computeIfAbsent(
                                List.of(length(question), question.text(Candidate.POSITION)),
                                none -> new BoundedDraw<>(seed, perStratum))
                        .add(question.id(), question);
            }
        });
        if (draws.isEmpty()) {
            throw new UsageException(built.folder() + ": its last stage kept no question with a position");
        }
        draws.forEach((of, draw) -> strata.add(new Stratum(of.get(0), of.get(1), draw.added(), draw.size())));
        return draws.values().stream().flatMap(draw -> draw.drawn().stream()).toList();
    }
}
