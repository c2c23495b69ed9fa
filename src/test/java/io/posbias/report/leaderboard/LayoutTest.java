package io.posbias.report.leaderboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.table.Table;
import io.posbias.base.table.TableFormat;
import io.posbias.report.Results;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Layouts that a user writes; those of the jar are in {@code TablesTest}. */
class LayoutTest {
    private static final String LEAST =
            "description: mine\ntitle: \"{measure} of mine\"\nrows: models\nvalues: [psi]\n";

    @TempDir
    Path temp;

    private Layout layout(String yaml) throws IOException {
        return Layout.find(Files.writeString(temp.resolve("mine.yaml"), yaml).toString());
    }

    @Test
    void aUsersFileHasItsOwnFamiliesAndPublishedRows() throws IOException {
        List<Result> own = List.of(
                Results.of("small-1", "dense", "wiki", 0.75),
                Results.of("large-1", "dense", "wiki", 1.0),
                Results.of("bm25", "sparse", "wiki", 0.6));
        Files.write(
                temp.resolve("printed.json"), ResultFile.toBytes(List.of(Results.of("bm25", "sparse", "wiki", 0.5))));
        Layout layout = layout(LEAST.replace("[psi]", "[buckets, psi]") + """
                headings: dataset
                families: {Small: ["small-*"], Lexical: [bm25]}
                published: {file: printed.json}
                """);
        assertThat(layout).hasToString("mine");
        assertThat(layout.published(own)).extracting(Result::model).containsExactly("bm25");
        Table table = layout.table(new Leaderboard(own, "nDCG@10", false, 1));
        assertThat(table.title()).isEqualTo("nDCG@10 of mine");
        assertThat(table.rows())
                .extracting(row -> row.cells().getFirst())
                .containsExactly("Small", "small-1", "Lexical", "bm25", "Other systems", "large-1");
        assertThat(TableFormat.CSV.render(table)).contains("small-1,75.0,50.0,25.0");
    }

    /** One row for two benchmarks would show one of them in silence. */
    @Test
    void aCellOfTwoBenchmarksIsRefusedUnlessItIsTheirMean() throws IOException {
        List<Result> own =
                List.of(Results.of("bm25", "sparse", "wiki", 0.75), Results.of("bm25", "sparse", "other", 0.25));
        Leaderboard board = new Leaderboard(own, "nDCG@10", false, 1);
        Layout one = layout(LEAST);
        assertThatThrownBy(() -> one.table(board)).hasMessageContainingAll("wiki, other", "average: true");
        Table mean = layout(LEAST.replace("[psi]", "[bucket-mean]") + "average: true\n")
                .table(board);
        assertThat(TableFormat.CSV.render(mean)).contains("bm25,41.7");
    }

    /** A model that has no value for a band is no pair of the correlation with the reference. */
    @Test
    void theReferenceCorrelatesModelsThatHaveBoth() throws IOException {
        List<Result> own = List.of(
                Results.ofLengths("a", "wiki", 0.4),
                Results.ofLengths("b", "wiki", 0.6),
                Results.ofLengths("c", "wiki", 0.8),
                Results.of("d", "dense", "wiki", 0.9));
        Files.write(
                temp.resolve("other.json"),
                ResultFile.toBytes(own.stream()
                        .map(result -> Results.of(result.model(), "dense", "tasks", 0.5))
                        .toList()));
        Table table = layout(LEAST.replace("[psi]", "[reference, average]") + """
                columns: length
                average: true
                reference: {file: other.json, name: Tasks}
                """)
                .table(new Leaderboard(own, "nDCG@10", false, 1));
        assertThat(table.rows())
                .extracting(row -> row.cells().getFirst())
                .contains("Agreement with Tasks", "Spearman's rho");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "rows: modles                             | \"rows\" is \"modles\"; did you mean models",
                "colums: value                            | unknown field \"colums\"; did you mean columns",
                "values: []                               | \"values\" is missing or empty",
                "values: [psy]                            | \"values[0]\" is \"psy\"",
                "digits: 9                                | \"digits\" is 9",
                "published: {file: posqq}                 | \"published.file\" is \"posqq\"; did you mean posq",
                "published: {file: none.json}             | \"published.file\" is none.json; there is no file",
                "published: {fil: posq}                   | unknown field \"published.fil\"",
                "columns: measure                         | \"measures\" is missing",
                "measures: [R@10]                         | \"measures\" has no meaning",
                "values: [reference]                      | \"reference\" is missing",
                "rows: profiles                           | \"rows\" is profiles",
                "rows: losses                             | \"rows\" is losses",
                "families: {Mine: []}                     | \"families\" has a heading without models",
                "star: 2                                  | \"star\" is 2",
            })
    void badLayoutsAreRefusedInOneLine(String line, String expected) {
        String field = line.substring(0, line.indexOf(':') + 1);
        String rest = LEAST.lines()
                .filter(other -> !other.startsWith(field))
                .reduce("", (lines, other) -> lines + other + "\n");
        assertThatThrownBy(() -> layout(rest + line + "\n"))
                .isInstanceOfSatisfying(
                        BadInputException.class,
                        wrong -> assertThat(wrong.line())
                                .contains("mine.yaml", expected)
                                .hasLineCount(1));
    }

    @Test
    void aLayoutOfLossesNeedsMovedEvidence() throws IOException {
        Layout losses = layout("description: mine\ntitle: mine\nrows: losses\n");
        Leaderboard board = new Leaderboard(List.of(Results.of("bm25", "sparse", "wiki", 0.75)), "nDCG@10", false, 1);
        assertThatThrownBy(() -> losses.table(board)).hasMessageContaining("--content-fixed");
    }

    @Test
    void helpHasALineForEachLayout() {
        assertThat(Layout.all()).hasSameSizeAs(Layout.names()).allSatisfy(layout -> {
            assertThat(layout.description()).isNotBlank().hasSizeLessThan(66);
        });
    }
}
