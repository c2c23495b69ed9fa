package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.SharedData;
import io.posbias.base.json.Fields;
import io.posbias.base.process.ExitCode;
import io.posbias.base.table.CsvRows;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.encode.StandIns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataStatsTest {
    @TempDir
    Path temp;

    private Posbias posbias;
    private Path tiny;
    private Path other;

    @BeforeEach
    void benchmarks() {
        posbias = new Posbias(temp, Map.of());
        tiny = TinyBenchmark.in(temp.resolve("tiny")).folder();
        other = TinyBenchmark.in(temp.resolve("other"))
                .write("dataset.yaml", "name: other/zh\nlanguage: zh\nbucketing: thirds\n")
                .write("corpus.jsonl", "{\"_id\": \"p1\", \"text\": \"狐狸 住在桥下。\"}\n")
                .write("queries.jsonl", "{\"_id\": \"q1\", \"text\": \"狐狸住在哪里？\"}\n")
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t1\n")
                .folder();
    }

    private String run(Object... more) {
        return posbias.run("data stats", more).ok().out();
    }

    /** Counted by hand: words are pieces between single spaces. */
    @Test
    void tablesInWords() {
        assertThat(run(tiny, other, "--tokenizer words --width 120")).isEqualTo("""
            Datasets together (PosIR's Table 1)
            metric                  value
            -----------------------------
            languages                   2
            domains                     2
            datasets                    2
            queries per dataset       1.5
            documents per dataset       2
            query length in all        11
            mean query length         3.7
            document length in all     21
            mean document length      5.3
            lengths: words (pieces between single spaces); documents without titles

            Documents by language (PosIR's Table 4)
                                                        document length                   query length
            name  datasets  documents   share  queries  min   q1  median   q3  max  mean          mean
            ------------------------------------------------------------------------------------------
            en           1          3   75.0%        2    1  4.5       8    9   10   6.3             5
            zh           1          1   25.0%        1    2    2       2    2    2     2             1
            all          2          4  100.0%        3    1  1.8       5  8.5   10   5.3           3.7
            quartiles: linear between values, as numpy's; all: of all documents, where PosIR averages the rows

            Documents by dataset or domain (PosIR's Table 5)
                                                        document length                   query length
            name  datasets  documents   share  queries  min   q1  median   q3  max  mean          mean
            ------------------------------------------------------------------------------------------
            tiny         1          3   75.0%        2    1  4.5       8    9   10   6.3             5
            zh           1          1   25.0%        1    2    2       2    2    2     2             1
            all          2          4  100.0%        3    1  1.8       5  8.5   10   5.3           3.7
            quartiles: linear between values, as numpy's; all: of all documents, where PosIR averages the rows

            Query types (PosIR's Table 6)
            query type  en (%)  zh (%)
            --------------------------
            WHAT          50.0     0.0
            HOW            0.0     0.0
            WHY            0.0     0.0
            WHICH          0.0     0.0
            WHEN           0.0     0.0
            WHERE         50.0   100.0
            WHO            0.0     0.0
            CLAIM          0.0     0.0
            OTHERS         0.0     0.0
            English: the first word; Chinese: the first interrogative word anywhere, by a list of ours. OTHERS: yes-no questions and
              questions that begin otherwise; CLAIM: no question
            """);
    }

    @Test
    void theTokenizerIsNamedAndWhatItDoesNotKnowIsSaid() {
        assertThat(run(other, "--format markdown"))
                .contains("tokens of all-minilm-l6-v2", "documents in zh are unknown");
        assertThat(run(tiny, "--format csv --threads 1"))
                .isEqualTo(run(tiny, "--format csv --threads 3"))
                .startsWith("by,name,datasets,share,documents_count,documents_total,documents_min,")
                .contains("\nlanguage,en,1,1.0,3,27,");
    }

    @Test
    void languagesWithoutAListAreLeftOut() throws IOException {
        Files.writeString(tiny.resolve("dataset.yaml"), "name: tiny\nlanguage: de\n");
        assertThat(run(tiny)).doesNotContain("Table 6");
        assertThat(run(tiny, other)).containsPattern("left out, .*: de\n");
    }

    @Test
    void theDocumentIsAsTheSchemaSays() throws IOException {
        SchemaCheck.check("statistics-1", run(tiny, other, "--format json"));
    }

    @Test
    void wrongUsageIsOneLine() throws IOException {
        Path broken = Files.writeString(temp.resolve("broken.json"), "{}");
        posbias.run("data stats", tiny, "--tokenizer bm25").fails(2, "--tokenizer bm25");
        posbias.run("data stats", tiny, "--tokenizer", temp.resolve("no.json"))
                .fails(2, "--tokenizer " + temp.resolve("no.json"));
        posbias.run("data stats", tiny, "--tokenizer", broken).fails(1, broken.toString());
        posbias.run("data stats xquad-fr").fails(2, "\"xquad-fr\"", "did you mean ");
        posbias.run("data stats", tiny, tiny).fails(2, "two datasets called tiny");
    }

    /** Computed by a WordPiece of fifty lines in Python, and numpy; the kinds by a regular expression there. */
    @Test
    void xquadIsAsPythonCountsIt() throws IOException {
        Path english = SharedData.file("squad-format/xquad.en.json");
        Path folder = temp.resolve("xq");
        assertThat(posbias.run("data build squad-posq --input", english, "--out", folder)
                        .code())
                .isZero();
        assertThat(run(folder, "--format csv"))
                .containsPattern(
                        "language,en,1,1.0,240,[0-9]+,34,118.0,144.5,185.25,617,161.10833333333332,1190,.*,12.581512605042017\n");
        assertThat(run(folder, "--format csv --tokenizer words"))
                .containsPattern(
                        "language,en,1,1.0,240,[0-9]+,25,91.0,109.5,142.5,509,123.85,1190,.*,10.392436974789916\n");
        assertThat(run(folder, "--format json"))
                .contains(
                        "\"WHAT\" : 531",
                        "\"HOW\" : 126",
                        "\"WHY\" : 15",
                        "\"WHICH\" : 56",
                        "\"WHEN\" : 86",
                        "\"WHERE\" : 42",
                        "\"WHO\" : 117",
                        "\"CLAIM\" : 9",
                        "\"OTHERS\" : 208");
    }

    /** Vectors count the words a and b: the means (0.5, 0.5) and (0.75, 0.25) have cosine 4 over sqrt(20); of one language only. */
    @Test
    void domainsAreComparedByTheirMeanVectors() throws IOException {
        float[] table = new float[2 * 13];
        table[2 * 5] = 1;
        table[2 * 6 + 1] = 1;
        StandIns.write(
                temp.resolve("model"),
                StandIns.lookup(table),
                "normalise: false\nsimilarity: dot\npooling: mean\nmax-tokens: 64\n");
        Path law = domain("law", "en", "a a a a", "b b b b");
        Path art = domain("art", "en", "a a a b", "a a a b");
        Path chinese = domain("kunst", "zh", "a a a a");
        String csv = run(
                law,
                art,
                chinese,
                "--domains",
                temp.resolve("model/recipe.yaml"),
                "--no-cache",
                "--format",
                "csv",
                "--plots",
                temp.resolve("plots"));
        List<Fields> rows = CsvRows.read(Path.of("out"), csv.getBytes(StandardCharsets.UTF_8));
        assertThat(rows.stream().map(row -> row.text("domain") + " " + row.text("other")))
                .containsExactly("law art", "art law");
        assertThat(rows.getFirst().parsedNumber("cosine")).isCloseTo(4 / Math.sqrt(20), within(1e-6));
        assertThat(temp.resolve("plots/domains-en.svg")).isNotEmptyFile();
        assertThat(run(law, art, "--domains", temp.resolve("model/recipe.yaml"), "--n", 1, "--no-cache"))
                .contains("nearest", "farthest");
        posbias.run("data", "stats", law, chinese, "--domains", temp.resolve("model/recipe.yaml"))
                .fails(ExitCode.USAGE, "two domains of a language");
    }

    private Path domain(String name, String language, String... texts) throws IOException {
        Path folder = Files.createDirectories(temp.resolve(name));
        Files.writeString(folder.resolve("dataset.yaml"), "name: x/" + name + "\nlanguage: " + language + "\n");
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            for (int i = 0; i < texts.length; i++) {
                out.passage(new Passage("p" + i, "", texts[i]));
            }
            out.query(new Query("q", "a", null));
            out.judgment("q", "p0", 1);
        }
        return folder;
    }
}
