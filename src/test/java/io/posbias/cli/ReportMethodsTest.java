package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Version;
import io.posbias.data.dataset.TinyBenchmark;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportMethodsTest {
    @TempDir
    Path temp;

    private String methods(String options) {
        return Cli.run(("report methods " + options).strip(), temp.resolve("results"))
                .ok()
                .out()
                .replaceAll("\\s+", " ");
    }

    /** Each number is one of the result's. */
    @Test
    void theParagraphSaysWhatWasComputed() {
        Cli.run(
                        "eval --model bm25,bm25-lucene --dataset demo --draws 300 --seed 7 --confidence 0.9 --k 50 --results",
                        temp.resolve("results"))
                .ok();
        assertThat(methods(""))
                .contains("We evaluated bm25 and bm25-lucene on demo (1,200 queries) with posbias " + Version.text())
                .contains(
                        "nDCG@10 of the first 50 passages", "relative:5", "one passage", "240 clusters, 240 effective")
                .contains("share of 300 draws", "by a wild cluster bootstrap around equal means", "seed 7")
                .contains("90% confidence", "level of 0.1;", "the 2 models", "Holm")
                .contains("@software{posbias,", "@article{zeng2025position,", "version = {" + Version.text() + "}");
        assertThat(methods("--format latex"))
                .contains("posbias " + Version.text().replace("_", "\\_") + "~\\cite{posbias}", "90\\% confidence")
                .doesNotContain("[@");
    }

    /** Queries that depend on no other are permuted; those of articles are clusters of articles. */
    @Test
    void theUnitAndTheTestAreThoseOfTheResult() {
        Cli.run("eval --model bm25 --dataset demo --cluster none --draws 100 --results", temp.resolve("results"))
                .ok();
        assertThat(methods("")).contains("Queries count one by one", "random permutations", "one model was tested");
    }

    /** A benchmark without positions has no PSI, and nothing is said of it. */
    @Test
    void nothingIsSaidOfWhatIsNotThere() {
        Path data = TinyBenchmark.in(temp.resolve("data")).folder();
        Cli.run("eval --model bm25 --dataset", data, "--draws 0 --results", temp.resolve("results"))
                .ok();
        assertThat(methods("")).doesNotContain("p-value", "bootstrap", "held fixed");
    }
}
