package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.data.convert.BeirConverter;
import io.posbias.data.convert.Converter;
import io.posbias.data.convert.FineWebPosqConverter;
import io.posbias.data.convert.PosirConverter;
import io.posbias.data.convert.Sampler;
import io.posbias.data.convert.SubsetConverter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConvertersTest {
    @TempDir
    Path temp;

    private final List<String> notes = new ArrayList<>();

    private Dataset build(Converter converter) {
        return Converter.build(temp.resolve("out"), true, converter, notes::add, Sessions.shared());
    }

    @Test
    void fineWebRowsBecomeLabelledQueries() throws IOException {
        Path rows = Files.writeString(temp.resolve("rows.jsonl"), """
                {"content": "zebra", "question": "first?", "span_class": ["beginning"]}
                {"content": "ant", "question": null, "span_class": null}
                {"content": "zebra", "question": "second?", "span_class": ["middle", "end"]}
                {"content": "cow", "question": "third?", "span_class": "end"}
                """);
        Dataset dataset = build(new FineWebPosqConverter(List.of(rows), DatasetCard.named("fineweb")));
        assertThat(dataset.passages().size()).isEqualTo(3);
        assertThat(dataset.queries()).extracting(Query::id).containsExactly("q00000", "q00001", "q00002");
        assertThat(dataset.queries())
                .extracting(query -> Objects.requireNonNull(query.evidence()).labels())
                .containsExactly(List.of("beginning"), List.of("middle", "end"), List.of("end"));
        Judgments judgments = Objects.requireNonNull(dataset.qrels().of("q00001"));
        assertThat(dataset.passages().ids().id(judgments.relevantPassages()[0])).isEqualTo("d00002");
        assertThat(notes).singleElement().asString().contains("1 row without a question");
    }

    @Test
    void fineWebQuestionsNeedALabel() throws IOException {
        Path rows =
                Files.writeString(temp.resolve("rows.jsonl"), "{\"content\": \"zebra\", \"question\": \"first?\"}\n");
        assertThatThrownBy(() -> build(new FineWebPosqConverter(List.of(rows), DatasetCard.named("fineweb"))))
                .hasMessageContainingAll(rows + ":1:", "\"span_class\"", "beginning, middle or end");
        Files.writeString(
                rows, "{\"content\": \"zebra\", \"question\": \"first?\", \"span_class\": [\"end\", \"\"]}\n");
        assertThatThrownBy(() -> build(new FineWebPosqConverter(List.of(rows), DatasetCard.named("fineweb"))))
                .hasMessageContainingAll(rows + ":1:", "\"span_class\"", "empty");
    }

    @Test
    void aBenchmarkOfTheHomeIsMadeOnce() throws IOException {
        Path rows = Files.writeString(
                temp.resolve("rows.jsonl"),
                "{\"content\": \"zebra\", \"question\": \"first?\", \"span_class\": \"end\"}\n");
        Converter rowsOnce = new FineWebPosqConverter(List.of(rows), DatasetCard.named("fineweb"));
        Path folder = temp.resolve("home/own/fineweb");
        Converter.once(folder, rowsOnce, note -> {}, Sessions.in(temp));
        Converter never = out -> {
            throw new AssertionError("made again");
        };
        Converter.once(folder, never, note -> {}, Sessions.in(temp));
        assertThat(DatasetReader.open(folder).judgedQueries()).hasSize(1);
        assertThatThrownBy(() -> Converter.once(rows.resolve("own"), never, note -> {}, Sessions.in(temp)))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("cannot write", "POSBIAS_HOME=");
    }

    private PosirConverter posir(int lengthError) throws SQLException {
        Path corpus = ParquetFiles.write(
                temp.resolve("corpus.parquet"),
                "SELECT 'd' || i AS _id, 'text number ' || i AS text FROM range(5) t(i)",
                "zstd");
        Path queries = ParquetFiles.write(
                temp.resolve("queries.parquet"),
                "SELECT 'q' || i AS _id, 'question ' || i AS text, [5, 11]::BIGINT[] AS pos_char_span, 13::BIGINT + "
                        + lengthError + " AS pos_char_length, (100 * i + 512)::BIGINT AS pos_token_length"
                        + " FROM range(4) t(i)",
                "zstd");
        Path qrels = ParquetFiles.write(
                temp.resolve("test.parquet"),
                "SELECT 'q' || i AS \"query-id\", 'd' || i AS \"corpus-id\", 1::BIGINT AS score FROM range(6) t(i)",
                "zstd");
        return new PosirConverter(queries, qrels, corpus, DatasetCard.named("posir/eng-Latn/test"));
    }

    @Test
    void posirKeepsSpansAndTokenLengths() throws SQLException {
        Dataset dataset = build(posir(0));
        assertThat(dataset.queries()).hasSize(4);
        assertThat(dataset.card().isOfOriginal()).isFalse();
        Evidence evidence = Objects.requireNonNull(dataset.queries().get(1).evidence());
        assertThat(Objects.requireNonNull(evidence.span()).of("text number 1")).isEqualTo("number");
        assertThat(evidence.tokenLength()).isEqualTo(612);
        assertThat(notes).singleElement().asString().contains("2 judgements of queries");
    }

    @Test
    void posirSpansOfTranslationsKeepRelativePositionsOnly() throws SQLException {
        Dataset dataset = build(posir(3));
        assertThat(dataset.card().isOfOriginal()).isTrue();
        Evidence evidence = Objects.requireNonNull(dataset.queries().getFirst().evidence());
        assertThat(evidence.span()).isNull();
        assertThat(evidence.relativePosition()).isEqualTo(0.5);
        assertThat(notes).last().asString().startsWith("4 of 4 spans");
    }

    @Test
    void posirJudgmentsMayBeTabSeparated() throws IOException {
        Path corpus = Files.writeString(temp.resolve("corpus.jsonl"), "{\"_id\": \"d\", \"text\": \"a fox\"}\n");
        Path queries = Files.writeString(temp.resolve("queries.jsonl"), "{\"_id\": \"q\", \"text\": \"fox?\"}\n");
        Path qrels = Files.writeString(temp.resolve("test.tsv"), "query-id\tcorpus-id\tscore\nq\td\t2\n");
        Dataset dataset = build(new PosirConverter(queries, qrels, corpus, DatasetCard.named("posir")));
        assertThat(Objects.requireNonNull(dataset.qrels().of("q")).grade(0)).isEqualTo(2);
    }

    private Path zip(Map<String, String> entries) throws IOException {
        Path file = temp.resolve("beir.zip");
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return file;
    }

    private Dataset importZip(Path zip) {
        return build(BeirConverter.format("").converter().apply(List.of(zip), DatasetCard.named("mine")));
    }

    @Test
    void beirsZipFilesAreImported() throws IOException {
        Dataset dataset = importZip(zip(Map.of(
                "nano/corpus.jsonl",
                        "{\"_id\": \"p\", \"title\": \"T\", \"text\": \"a b\", \"metadata\": {\"x\": 1}}\n",
                "nano/queries.jsonl", "{\"_id\": \"q\", \"text\": \"a?\"}\n{\"_id\": \"r\", \"text\": \"b?\"}\n",
                "nano/qrels/train.tsv", "query-id\tcorpus-id\tscore\nr\tp\t1\n",
                "nano/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\tp\t2\n")));
        assertThat(dataset.name()).isEqualTo("mine");
        assertThat(dataset.judgedQueries()).extracting(Query::id).containsExactly("q");
        assertThat(Objects.requireNonNull(dataset.qrels().of("q")).grade(0)).isEqualTo(2);
        assertThat(notes).containsExactly("1 query without judgement, not scored");
        assertThat(temp.resolve("out/unpacked")).doesNotExist();
    }

    @Test
    void archivesThatUnpackToTooMuchAreRefused() throws IOException {
        Path file = temp.resolve("bomb.zip");
        byte[] zeros = new byte[1 << 20];
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("corpus.jsonl"));
            for (int i = 0; i < 200; i++) {
                zip.write(zeros);
            }
        }
        assertThatThrownBy(() -> importZip(file))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll("bomb.zip", "100000000", "give the folder");
        assertThat(temp.resolve("out")).doesNotExist();
    }

    @Test
    void archivesThatClimbOutOfTheirFolderAreRefused() throws IOException {
        Path zip = zip(Map.of("nano/../../evil.txt", "boo"));
        assertThatThrownBy(() -> importZip(zip))
                .hasMessageContainingAll(zip.toString(), "nano/../../evil.txt", "nothing was unpacked");
        assertThat(temp.resolve("evil.txt")).doesNotExist();
        assertThat(temp.resolve("unpacked/evil.txt")).doesNotExist();
        assertThat(temp.resolve("out")).doesNotExist();
    }

    @Test
    void archivesWithoutABenchmarkAndBrokenOnesAreRefused() throws IOException {
        Path empty = zip(Map.of("readme.txt", "hello"));
        assertThatThrownBy(() -> importZip(empty))
                .hasMessageContainingAll(empty.toString(), "corpus.jsonl", "queries.jsonl", "qrels/test.tsv");
        Path broken = Files.writeString(temp.resolve("broken.zip"), "no zip");
        assertThatThrownBy(() -> importZip(broken))
                .hasMessageStartingWith("cannot read " + broken + ": the zip file is corrupt");
    }

    @Test
    void subsetsKeepTheCorpusWhole() {
        Path whole = temp.resolve("whole");
        Dataset dataset = TinyBenchmark.in(whole).open();
        Dataset subset = build(new SubsetConverter(
                dataset,
                queries -> Sampler.draw(queries, 1, 42),
                DatasetCard.named("less").orElse(dataset.card())));
        assertThat(subset.passages().size()).isEqualTo(3);
        assertThat(subset.queries()).hasSize(1);
        String kept = subset.queries().getFirst().id();
        assertThat(Objects.requireNonNull(subset.qrels().of(kept)).passages())
                .isEqualTo(Objects.requireNonNull(dataset.qrels().of(kept)).passages());
        assertThat(subset.checksums()).containsOnlyKeys("corpus.jsonl.gz", "queries.jsonl.gz", "qrels/test.tsv");
    }
}
