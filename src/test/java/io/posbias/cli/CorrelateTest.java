package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code correlate}: PosIR's Table 2 is the known answer. */
class CorrelateTest {
    private static final String MMTEB = """
            model,params,retrieval
            gte-multilingual-base,305M,57.16
            bge-m3,568M,54.60
            Qwen3-Embedding-0.6B,0.6B,64.65
            inf-retriever-v1-1.5b,1.5B,62.96
            Qwen3-Embedding-4B,4B,69.60
            inf-retriever-v1,7B,66.48
            NV-Embed-v2,7B,56.72
            llama-embed-nemotron-8b,8B,68.69
            Qwen3-Embedding-8B,8B,70.88
            KaLM-Embedding-Gemma3-12B-2511,12B,75.66
            unknown-model,1B,10
            """;

    @TempDir
    Path temp;

    private Path mmteb;

    @BeforeEach
    void file() throws IOException {
        mmteb = Files.writeString(temp.resolve("mmteb.csv"), MMTEB);
    }

    private List<Fields> rows(Object... arguments) throws IOException {
        String json =
                Cli.run("correlate --x", mmteb, arguments, "--format json").out();
        Path file = Files.writeString(temp.resolve("rows.json"), json);
        return Json.readJson(file).records("rows");
    }

    @Test
    void givesPosirsSpearmanRow() throws IOException {
        List<Fields> rows = rows("--x-column retrieval --with-published --average");
        assertThat(rows).extracting(row -> row.text("stratum")).containsExactly("all", "Q1", "Q2", "Q3", "Q4");
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.text("dataset")).isEqualTo("mean of 10");
            assertThat(row.texts("models")).hasSize(10).doesNotContain("unknown-model");
        });
        assertThat(rows)
                .extracting(row -> String.format(
                        Locale.ROOT,
                        "%.2f %.3f",
                        row.record("spearman").number("value"),
                        row.record("spearman").number("p_value")))
                .containsExactly("0.62 0.054", "0.73 0.016", "0.71 0.022", "0.44 0.200", "0.39 0.260");
    }

    /** "The correlation drops from .73 to .39" rests on one model. */
    @Test
    void bandsAreComparedWithTheFirst() throws IOException {
        List<Fields> rows = rows("--x-column retrieval --with-published --average");
        assertThat(rows).extracting(row -> row.has("difference")).containsExactly(false, false, true, true, true);
        Fields last = rows.getLast().record("difference");
        assertThat(last.text("against")).isEqualTo("Q1");
        Fields rho = last.record("rho");
        assertThat(rho.number("value")).isCloseTo(0.339, within(5e-4));
        assertThat(rho.number("p_value")).isCloseTo(0.51171875, within(1e-12));
        assertThat(last.number("holm_p_value")).isEqualTo(1);
        assertThat(last.text("without")).startsWith("KaLM");
        assertThat(last.number("own_without")).isCloseTo(0.783, within(5e-4));
        Cli.Ended table = Cli.run("correlate --x", mmteb, "--x-column retrieval --with-published --average");
        assertThat(table.ok().out().lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void printsATable() {
        Cli.Ended table = Cli.run("correlate --x", mmteb, "--x-column retrieval --with-published --average --width 120")
                .ok();
        assertThat(table.out())
                .startsWith("nDCG@10 (posir) against mmteb.csv, ")
                // tanh(atanh(0.6242) -+ 1.96 sqrt((1 + 0.6242^2 / 2) / 7)), by hand
                .containsPattern("mean of 10 +all +10 +0\\.624 +0\\.054 +\\[-0\\.078, 0\\.912\\]")
                .contains("interval: 95%, Fisher's z of rho");
    }

    @Test
    void theIntervalIsInCsvAndJsonToo() throws IOException {
        Cli.Ended csv = Cli.run("correlate --x", mmteb, "--x-column retrieval --with-published --average --format csv");
        assertThat(csv.out().lines().findFirst())
                .hasValue("dataset,stratum,n,spearman,spearman_p_value,spearman_low,spearman_high,"
                        + "kendall,kendall_p_value,pearson,pearson_p_value,difference_against,difference_n,"
                        + "difference_rho,difference_rho_low,difference_rho_high,difference_rho_p_value,"
                        + "difference_holm_p_value,difference_without,difference_against_without,"
                        + "difference_own_without");
        assertThat(csv.out()).contains("mean of 10,all,10,0.6242424242424");
        Fields all = rows("--x-column retrieval --with-published --average --confidence 0.8")
                .getFirst();
        // numpy and scipy, as above
        assertThat((List<?>) all.raw("spearman_interval"))
                .first(InstanceOfAssertFactories.DOUBLE)
                .isCloseTo(0.19973424387148175, within(1e-9));
        assertThat(Cli.run("correlate --x", mmteb, "--with-published --confidence 95")
                        .err())
                .contains("--confidence must be between 0 and 1");
    }

    @Test
    void comparesTheNumberThatIsAskedFor() throws IOException {
        Path results = temp.resolve("results");
        double[] base = SyntheticCell.scores(60);
        String[] models = {"a", "b", "c", "d"};
        for (int m = 0; m < models.length; m++) {
            SyntheticCell cell = new SyntheticCell(60);
            cell.model = models[m];
            int better = m;
            // Better models lose more in the last bucket: means rise, PSI rises.
            cell.write(
                    results.resolve(models[m]), i -> base[i] * (i % 6 == 5 ? 0.5 - 0.05 * better : 0.5 + 0.1 * better));
        }
        mmteb = Files.writeString(temp.resolve("other.csv"), "model,score\na,1\nb,2\nc,4\nd,3\n");
        Fields means = rows("--y", results, "--number query-mean").getFirst();
        assertThat(means.record("spearman").number("value")).isCloseTo(0.8, within(1e-12));
        Fields psi = rows("--y", results, "--number psi --dataset made-*").getFirst();
        assertThat(psi.texts("models")).containsExactly("a", "b", "c", "d");
        assertThat(psi.record("kendall").number("value")).isCloseTo(2 / 3.0, within(1e-12));
    }

    @Test
    void tooFewModelsHaveNoCorrelation() throws IOException {
        mmteb = Files.writeString(temp.resolve("two.csv"), "model,score\nbge-m3,1\nNV-Embed-v2,2\n");
        Fields row = rows("--with-published --average").getFirst();
        assertThat(row.texts("models")).hasSize(2);
        assertThat(row.raw("spearman")).isNull();
    }

    @Test
    void refusesWhatIsNoBenchmark() throws IOException {
        refused("model,score\nzzz,1\n", "no model of ");
        refused("model,score\nbge-m3,high\n", "field \"score\" is \"high\"; it must be a finite number");
        refused("model,score\nbge-m3,NaN\n", "field \"score\" is \"NaN\"; it must be a finite number");
        refused("model,score\nbge-m3,1\nbge-m3,2\n", "names bge-m3 again; each model has one row");
        refused("name,score\nbge-m3,1\n", "field \"model\" is missing");
        refused("model\nbge-m3\n", "a column of numbers is needed beside it");
        assertThat(Cli.run("correlate --x", temp.resolve("none.csv"), "--with-published")
                        .err())
                .endsWith("none.csv: file not found\n");
        assertThat(Cli.run("correlate --x", mmteb).err()).contains("give --y result.json files");
        Cli.Ended number = Cli.run("correlate --x", mmteb, "--with-published --number psy");
        assertThat(number.code()).isEqualTo(2);
        assertThat(number.err()).contains("\"psy\"", "did you mean psi?");
    }

    private void refused(String csv, String reason) throws IOException {
        Path file = Files.writeString(temp.resolve("bad.csv"), csv);
        Cli.Ended ended = Cli.run("correlate --x", file, "--with-published");
        assertThat(ended.code()).isNotZero();
        assertThat(ended.err()).contains(reason).hasLineCount(1);
    }
}
