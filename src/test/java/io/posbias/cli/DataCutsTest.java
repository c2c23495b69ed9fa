package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Json;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.score.measure.Truncation;
import io.posbias.score.result.ResultFile;
import io.posbias.study.calibrate.ReferenceEncoder;
import io.posbias.study.calibrate.WordTokenizer;
import io.posbias.study.diagnose.CutTables;
import io.posbias.study.diagnose.Cuts;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataCutsTest {
    /**
     * Of p1 "🦉 b c d e f" is read, to UTF-16 unit 12; of p2 the title and "b c d"; p3 whole; of p4 "A b c. D e", and of
     * its mirror image "H a b. D e": no more without a gap.
     */
    private static final String CORPUS = """
        {"_id": "p1", "text": "🦉 b c d e f g h a b"}
        {"_id": "p2", "title": "a a a", "text": "b c d e f g"}
        {"_id": "p3", "text": "a b c"}
        {"_id": "p4", "text": "A b c. D e f g. H a b."}
        """;

    @TempDir
    Path temp;

    private Posbias posbias = new Posbias(Path.of(""), Map.of());
    private Path dataset = Path.of("");
    private Path model = Path.of("");

    @BeforeEach
    void write() {
        posbias = new Posbias(temp, Map.of());
        dataset = TinyBenchmark.in(temp.resolve("data"))
                .write("dataset.yaml", "name: cut\nlanguage: en\nbucketing: relative:2\n")
                .write("corpus.jsonl", CORPUS)
                .write("queries.jsonl", """
                    {"_id": "seen", "text": "b", "pos_char_span": [2, 3]}
                    {"_id": "last", "text": "f", "pos_char_span": [10, 11]}
                    {"_id": "half", "text": "f g", "pos_char_span": [10, 13]}
                    {"_id": "past", "text": "h", "pos_char_span": [14, 15]}
                    {"_id": "title", "text": "e", "pos_char_span": [6, 7]}
                    {"_id": "whole", "text": "a b c d e f g h a", "pos_char_span": [4, 5]}
                    {"_id": "end", "text": "h a", "pos_char_span": [16, 19]}
                    """)
                .write("qrels/test.tsv", """
                    query-id\tcorpus-id\tscore
                    seen\tp1\t1
                    last\tp1\t1
                    half\tp1\t1
                    past\tp1\t1
                    title\tp2\t1
                    whole\tp3\t1
                    end\tp4\t1
                    """)
                .folder();
        model = new ReferenceEncoder("short", ReferenceEncoder.Shape.FLAT, 0, 64, 1, 8)
                .write(temp.resolve("model"), WordTokenizer.words("a b c d e f g h"));
    }

    private String run(Object... more) {
        Cli.Ended ended = posbias.run("data", "cuts", more).ok();
        return ended.out();
    }

    /** Counted by hand: 10, 6, 3 and 13 tokens, full stops too, of which 4, 3, 0 and 7 are past the cut. */
    @Test
    void tablesAreAsCountedByHand() {
        assertThat(run("--model", model, "--dataset", dataset, "--width 300").replace(model.toString(), "MODEL"))
                .isEqualTo("""
                    Texts that are not read to their end
                    dataset  model  limit  longest  unit      total  cut  share  tokens unread  queries cut
                    ---------------------------------------------------------------------------------------
                    cut      short      8       13  passages      4    3  75.0%          43.8%            1
                    tokens: the model's own, of passages without titles, special tokens and prompts; unread: those that end past the cut

                    Evidence past the cut
                    dataset  model  bucket   queries  begins past  share  ends past  share
                    ----------------------------------------------------------------------
                    cut      short  0-50%          1            0   0.0%          0   0.0%
                    cut      short  50-100%        6            3  50.0%          4  66.7%
                    cut      short  all            7            3  42.9%          4  57.1%
                    begins past: queries whose evidence begins past the cut and is not read at all; ends past: those whose evidence ends past it, the former among them

                    Strategies around the model
                    dataset  model  strategy          cut  tokens unread  begins past  ends past  reads all  windows
                    ------------------------------------------------------------------------------------------------
                    cut      short  none                3          43.8%            3          4  no            1.00
                    cut      short  chunked:window=4    1           3.1%            0          0  yes           3.25
                    cut      short  chunked:window=2    0           0.0%            0          0  yes           7.00
                    cut      short  chunked:window=1    0           0.0%            0          0  yes           8.00
                    windows: encoded or scored texts per passage; past: past the text that is read from the beginning without a gap; mirrored reads each passage twice
                    read as much as the model: short on cut: fused, mirrored, quantised, quantised:numbers=binary, truncated-dimensions
                    left out: short+late-chunked:window=4: MODEL:1: field "overlap" is 4; a stretch of short has 2 tokens
                    """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "+chunked:window=4", "+chunked:window=6:stride=6", "+mirrored", "+fused", "+quantised"})
    void evalReportsTheSame(String strategy) throws IOException {
        String spec = model + strategy;
        posbias.run("eval --model", spec, "--dataset", dataset, "--draws 0 --out", temp.resolve("out"))
                .ok();
        Truncation evaluated = ResultFile.read(temp.resolve("out/result.json"))
                .getFirst()
                .retrieval()
                .truncations()
                .getFirst();
        Cuts cuts = cuts(run("--model", spec, "--dataset", dataset, "--format json"));
        Cuts.StrategyReading own = cuts.readings().getFirst();
        Cuts.CutEvidence all = Objects.requireNonNull(own.evidence());
        // What is fused keeps its own name.
        assertThat(new Truncation(
                        strategy.equals("+fused") ? "short" : cuts.texts().model(),
                        cuts.texts().maxTokens(),
                        cuts.texts().unit(),
                        cuts.texts().total(),
                        own.read().cut(),
                        own.read().queriesCut(),
                        true,
                        all.startsPast(),
                        all.endsPast(),
                        own.buckets().stream()
                                .map(one -> new Truncation.Bucket(one.bucket(), one.startsPast(), one.endsPast()))
                                .toList()))
                .isEqualTo(evaluated);
    }

    /** 200 words, of which 148 are read: windows of 128 tokens begin at 0, 64 and 128, the other passage is one. */
    @Test
    void strategiesThatReadMoreAreShownWithTheirWindows() {
        String text = "A" + " b".repeat(199);
        Path texts = TinyBenchmark.in(temp.resolve("long"))
                .write(
                        "texts.jsonl",
                        "{\"_id\": \"a\", \"text\": \"" + text + "\"}\n{\"_id\": \"b\", \"text\": \"a b\"}\n")
                .folder()
                .resolve("texts.jsonl");
        Path wide = new ReferenceEncoder("wide", ReferenceEncoder.Shape.FLAT, 0, 64, 1, 150)
                .write(temp.resolve("wide"), WordTokenizer.words("a b c d e f g h"));
        assertThat(run("--model", wide, "--texts", texts))
                .containsPattern("none +1 +25.7% +- +- +no +1.00")
                .containsPattern("t.* wide +chunked +0 +0.0% +- +- +yes +2.00")
                .containsPattern("t.* wide +late-chunked +0 +0.0% +- +- +yes +2.00");
    }

    private static Cuts cuts(String json) {
        return Json.mapper().readValue(json, CutTables.CutsFile.class).results().getFirst();
    }

    @Test
    void textsHaveNoQueries() throws IOException {
        Path texts = temp.resolve("texts.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(texts))) {
            out.write(CORPUS.getBytes(StandardCharsets.UTF_8));
        }
        Cuts cuts = cuts(run("--model", model, "--texts", texts, "--format json"));
        Cuts same = cuts(run("--model", model, "--dataset", dataset, "--format json"));
        assertThat(cuts.texts().dataset()).isEqualTo("texts.jsonl.gz");
        assertThat(List.of(cuts.texts().total(), cuts.texts().tokens(), (long)
                        cuts.texts().longest()))
                .isEqualTo(List.of(same.texts().total(), same.texts().tokens(), (long)
                        same.texts().longest()))
                .isEqualTo(List.of(4L, 32L, 13L));
        assertThat(cuts.readings().getFirst().evidence()).isNull();
        assertThat(run("--model", model, "--texts", texts)).doesNotContain("Evidence past the cut");
    }

    @Test
    void theDocumentIsAsTheSchemaSays() throws IOException {
        String wide = model + "+chunked:window=4";
        SchemaCheck.check("cuts-1", run("--model", wide, "--dataset", dataset, "--format json"));
        SchemaCheck.check("cuts-1", run("--model", model, "--dataset", dataset, "--format json"));
    }

    @Test
    void csvHasARowForEachBucketWhateverTheThreads() {
        String one = run("--model", model, "--dataset", dataset, "--format csv --threads 1 --no-strategies");
        assertThat(one)
                .isEqualTo(run("--model", model, "--dataset", dataset, "--format csv --threads 3 --no-strategies"))
                .isEqualTo("""
                    dataset,model,max_tokens,unit,total,tokens,longest,strategy,cut,queries_cut,tokens_unread,windows,bucket,queries,evidence_starts_past_cut,evidence_ends_past_cut
                    cut,short,8,passages,4,32,13,none,3,1,14,1.0,0-50%,1,0,0
                    cut,short,8,passages,4,32,13,none,3,1,14,1.0,50-100%,6,3,4
                    cut,short,8,passages,4,32,13,none,3,1,14,1.0,all,7,3,4
                    """);
        assertThat(run("--model", model, "--dataset", dataset, "--buckets thirds --no-strategies"))
                .contains("middle")
                .doesNotContain("50-100%", "Strategies");
    }

    @Test
    void wrongUsageIsOneLine() throws IOException {
        posbias.run("data cuts --model bm25 --dataset", dataset).fails(2, "--model bm25");
        // Each model of a fusion truncates at its own limit, in its own tokens.
        posbias.run("data cuts --model", model + "+fused:with=" + model + "+chunked:window=4", "--dataset", dataset)
                .fails(2, "--model short+fused", "short");
        posbias.run("data cuts --model", model).fails(2, "--dataset", "--texts");
        Path none = temp.resolve("none.jsonl");
        posbias.run("data cuts --model", model, "--texts", none).fails(2, "--texts " + none);
        Path twice = Files.writeString(none, "{\"_id\": \"a\", \"text\": \"b\"}\n".repeat(2));
        posbias.run("data cuts --model", model, "--texts", twice).fails(1, twice + ":2: ", "\"_id\"", "\"a\"");
        Files.writeString(none, "\n");
        posbias.run("data cuts --model", model, "--texts", none).fails(1, none.toString());
    }
}
