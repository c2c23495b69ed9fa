package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code report}: marks and letters by the tests of {@code compare}, and by value where there are none. */
class ReportTiersTest {
    private static final int QUERIES = 300;

    @TempDir
    Path temp;

    private Path results;

    /** Means of about 0.7, 0.695 (not told apart), 0.6 and 0.3. */
    @BeforeEach
    void write() throws IOException {
        results = temp.resolve("results");
        cell("high", 0.7);
        cell("alike", 0.695);
        cell("middle", 0.6);
        cell("low", 0.3);
    }

    private Path cell(String model, double mean) throws IOException {
        SyntheticCell cell = new SyntheticCell(QUERIES);
        cell.model = model;
        return cell.write(
                results.resolve(model),
                query -> mean + 0.4 * (new SplittableRandom(query + 1000L * model.hashCode()).nextDouble() - 0.5));
    }

    private String report(String options) {
        return Cli.run("report", results, options).ok().out();
    }

    private static String letters(String table, String model) {
        return Pattern.compile("[a-d] " + model + " .*?\\d\\d\\.\\d ([a-d ]*)")
                .matcher(table.lines()
                        .filter(line -> line.matches("[a-d] " + model + " .*"))
                        .findFirst()
                        .orElseThrow())
                .results()
                .map(found -> found.group(1).strip())
                .findFirst()
                .orElseThrow();
    }

    private static String letter(String table, String model) {
        return table.lines()
                .filter(line -> line.matches("[a-d] " + model + " .*"))
                .findFirst()
                .orElseThrow()
                .substring(0, 1);
    }

    @Test
    void lettersAreThoseOfCompare() {
        // Without buckets the mean is the first number of a row.
        String table = report("--layout " + layout("[query-mean, psi]"));
        String compared = Cli.run("compare", results).ok().out();
        for (String model : List.of("high", "alike", "middle", "low")) {
            List<String> beaten = List.of("high", "alike", "middle", "low").stream()
                    .filter(other -> letters(table, model).contains(letter(table, other)))
                    .toList();
            List<String> expected = List.of("high", "alike", "middle", "low").stream()
                    .filter(other -> letters(compared, model).contains(letter(compared, other)))
                    .toList();
            assertThat(beaten).as(model).isEqualTo(expected);
        }
        assertThat(letters(table, "high")).hasSize(2);
        assertThat(letters(table, "low")).isEmpty();
        assertThat(table).contains("letters: better than these (Holm p < 0.05, 6 pairs");
    }

    private Path layout(String values) {
        try {
            return Files.writeString(
                    temp.resolve("layout.yaml"), "description: x\ntitle: x\nrows: models\nvalues: " + values + "\n");
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void fontsAreByTests() {
        assertThat(report("--format markdown"))
                .containsPattern("\\| high \\|.*\\*\\*7\\d\\.\\d\\*\\* \\|")
                .containsPattern("\\| alike \\|.*\\*\\*\\d\\d\\.\\d\\*\\* \\|")
                .containsPattern("\\| middle \\|.*<ins>\\d\\d\\.\\d</ins> \\|")
                .doesNotContainPattern("\\| low \\|.*(<ins>|\\*\\*)[23]\\d\\.\\d")
                .contains("bold: no model is better, underlined: only bold ones are")
                .doesNotContain("by value alone");
        assertThat(report("--format latex")).containsPattern("high & .*\\\\textbf\\{");
    }

    @Test
    void csvHasNeither() {
        assertThat(report("--format csv").lines().skip(1))
                .allMatch(line -> line.matches("(high|alike|middle|low),[^ ]*"));
    }

    @Test
    void aResultWithoutQueriesLeavesMarksToValues() throws IOException {
        Files.delete(results.resolve("middle/queries.csv"));
        assertThat(report("--format markdown"))
                .contains("bold: best, underlined: second, by value alone")
                .doesNotContain("no model is better");
        assertThat(report("--digits 1")).doesNotContain("letters:");
    }

    @Test
    void queriesThatCannotBePairedAreNamed() throws IOException {
        SyntheticCell other = new SyntheticCell(QUERIES);
        other.model = "other";
        other.idPrefix = "x";
        other.write(results.resolve("other"), query -> 0.5);
        assertThat(report("--digits 1").replaceAll("\\s+", " ")).contains("no tests on made-up: query");
        assertThat(report("--format markdown")).contains("no tests on made-up", "by value alone");
    }
}
