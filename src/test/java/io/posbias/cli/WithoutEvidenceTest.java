package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WithoutEvidenceTest {
    private static final String SAID = "no evidence positions, so no buckets and no PSI";

    @TempDir
    Path temp;

    private Path folder = Path.of("");
    private Path cell = Path.of("");

    /** Of four queries, BM25 finds two first (nDCG 1), one second (1 / log2 3) and one not at all: 0.6577 on average. */
    @BeforeEach
    void evaluate() throws IOException {
        folder = Files.createDirectories(temp.resolve("plain"));
        cell = temp.resolve("cell");
        Files.writeString(folder.resolve("dataset.yaml"), "name: plain\nlanguage: en\n");
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            List<String> texts = List.of("foxes sleep", "owls hunt owls", "owls hunt mice here", "stones lie");
            for (int i = 0; i < texts.size(); i++) {
                out.passage(new Passage("p" + i, "", texts.get(i)));
            }
            ask(out, "q0", "foxes", "p0");
            ask(out, "q1", "stones", "p3");
            ask(out, "q2", "owls", "p2");
            ask(out, "q3", "quartz", "p3");
        }
        eval().ok();
    }

    private static void ask(DatasetWriter out, String id, String text, String passage) {
        out.query(new Query(id, text, null));
        out.judgment(id, passage, 1);
    }

    private Cli.Ended eval(Object... more) {
        return Cli.run("eval --model bm25 --dataset", folder, "--draws 100 --out", cell, more);
    }

    @Test
    void evalPrintsTheQueryMeanAndSaysWhy() throws IOException {
        assertThat(eval().out()).isEqualTo("""
            plain, nDCG@10 in points
            model                 mean
            --------------------------
            queries                  4
            bm25     65.8 [0.0, 100.0]
            4 queries in 3 passages; %s
            bm25 found nothing for 1 query: it scores 0
            """.formatted(SAID));
    }

    @Test
    void theResultIsAsItsSchemaSays() throws IOException {
        String json = Files.readString(cell.resolve("result.json"));
        assertThat(SchemaCheck.takes(SchemaCheck.read("result-5"), json)).isTrue();
        Fields result =
                Json.readJson(cell.resolve("result.json")).records("results").getFirst();
        Fields profile = result.records("profiles").getFirst();
        assertThat(profile.number("query_mean")).isEqualTo((2 + Math.log(2) / Math.log(3)) / 4);
        assertThat(profile.records("buckets")).isEmpty();
        assertThat(profile.record("psi").text("undefined")).isEqualTo("no query says where its evidence is");
        assertThat(result.record("settings").text("buckets")).isEqualTo("none");
        assertThat(eval("--format csv").out())
                .startsWith("model,dataset,measure,stratum,bucket,queries,mean,thin,")
                .contains("\nbm25,plain,nDCG@10,all,,4," + profile.number("query_mean") + ",false,,,"
                        + profile.number("query_mean") + ",,,,,,,\n");
    }

    @Test
    void scoreCompareAndReportTakeIt() {
        Path again = temp.resolve("again");
        Cli.Ended score = Cli.run(
                "score --run",
                cell.resolve("run.trec.gz"),
                "--dataset",
                folder,
                "--partial --name again --draws 100 --out",
                again);
        assertThat(score.out()).containsPattern("again +65.8 ").contains(SAID);
        Cli.Ended compare =
                Cli.run("compare", cell, again, "--draws 100 --width 200").ok();
        assertThat(compare.out()).contains("again - bm25: 0.0 [0.0, 0.0]", "better on 0 of 4 queries, worse on 0");
        Cli.Ended report = Cli.run("report", cell, again);
        assertThat(report.out())
                .containsPattern("model +query mean\n")
                .containsPattern("bm25 +65.8\n")
                .contains("plain: " + SAID);
        assertThat(Cli.run("report figures", cell, "--output", temp.resolve("none"))
                        .code())
                .isZero();
    }

    @Test
    void theGateLooksAtTheMeanOnly() throws IOException {
        Cli.Ended same = Cli.run("gate --baseline", cell, "--result", cell, "--draws 100")
                .ok();
        assertThat(same.out()).matches("PASS: none of 1 check worse .* 95.00%\\)\nnote: bm25 on plain: no psi .*\n");
        Cli.Ended psi = Cli.run("gate --baseline", cell, "--result", cell, "--draws 100 --fail-on psi>+0.01");
        assertThat(psi.code()).isEqualTo(3);
        assertThat(psi.out()).startsWith("FAIL").contains("\nmissing: bm25 on plain: no psi");
        Cli.Ended exact = Cli.run("gate --baseline", cell, "--result", cell, "--fail-on any");
        assertThat(exact.out()).isEqualTo("PASS: none of 3 checks worse, compared exactly\n");
    }
}
