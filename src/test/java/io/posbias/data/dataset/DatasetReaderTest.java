package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import io.posbias.run.placing.Documents;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetReaderTest {
    private static final String LEFT_OUT =
            "the files are incomplete or belong to another benchmark; --missing-judged drop, or missing_judged: drop in"
                    + " dataset.yaml, leaves these judgements out";

    private static final String FOX = "{\"_id\": \"p1\", \"text\": \"A red fox sleeps under the old bridge.\"}\n";

    @TempDir
    Path temp;

    private TinyBenchmark tiny() {
        return TinyBenchmark.in(temp);
    }

    @Test
    void readsASoundBenchmark() {
        Dataset dataset = tiny().open();
        assertThat(dataset.name()).isEqualTo("tiny");
        assertThat(dataset.passages().size()).isEqualTo(3);
        assertThat(dataset.queries()).extracting(Query::id).containsExactly("q1", "q2");
        List<Passage> passages = new ArrayList<>();
        dataset.passages().inFileOrder((ordinal, passage) -> passages.add(passage));
        assertThat(passages).extracting(Passage::id).containsExactly("p1", "p2", "p3");
        assertThat(passages.get(1).content()).startsWith("Owls An owl");
        assertThat(dataset.checksums()).containsOnlyKeys("corpus.jsonl", "queries.jsonl", "qrels/test.tsv");
    }

    /** Passages of a splitter whose parts overlap: white space may differ, and a sentence must stand whole. */
    @Test
    void everyPassageWithTheEvidenceIsRelevantIfTheCardSaysSo() {
        TinyBenchmark tiny = tiny().write("corpus.jsonl", """
                        {"_id": "p1", "text": "It was late. The red fox sleeps under the old bridge."}
                        {"_id": "p2", "text": "The red fox  sleeps\\nunder the old bridge. It rains."}
                        {"_id": "p3", "text": "red fox sleeps under the old bridge. It rains."}
                        {"_id": "p4", "text": "The red fox sleeps under the old bridge, it says."}
                        {"_id": "p5", "text": "See. The red fox sleeps under the old bridge."}
                        """)
                .write("queries.jsonl", """
                        {"_id": "q1", "text": "who sleeps?", "pos_char_span": [21, 24]}
                        {"_id": "q2", "text": "when?", "pos_char_span": [0, 12]}
                        """)
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t1\nq1\tp5\t0\nq2\tp1\t1\n");
        assertThat(relevant(tiny.open(), "q1")).containsExactly("p1");
        tiny.write("dataset.yaml", "name: tiny\nlanguage: en\nrelevant: any-with-evidence\n");
        Dataset dataset = tiny.open();
        // p5 is judged, "It was late." is too short to be looked for.
        assertThat(relevant(dataset, "q1")).containsExactly("p1", "p2");
        assertThat(relevant(dataset, "q2")).containsExactly("p1");
        assertThat(dataset.queries()).extracting(Query::passage).containsExactly("p1", "p1");
        assertThat(new Documents(dataset, null, 0).evident()).hasSize(2);
        assertThat(new Documents(dataset, null, 0).read(dataset.queries()))
                .extracting(document -> document.passage().id())
                .containsExactly("p1", "p1");
        tiny.write("dataset.yaml", "name: tiny\nrelevant: all\n");
        assertThatThrownBy(tiny::open).hasMessageContaining("any-with-evidence");
    }

    private static List<String> relevant(Dataset dataset, String query) {
        return Arrays.stream(Objects.requireNonNull(dataset.qrels().of(query)).relevantPassages())
                .mapToObj(dataset.passages().ids()::id)
                .sorted()
                .toList();
    }

    @Test
    void codePointsOnDiskAreUtf16InMemory() {
        Dataset dataset = tiny().open();
        Evidence evidence = Objects.requireNonNull(dataset.queries().get(1).evidence());
        assertThat(evidence.start()).isEqualTo(15);
        assertThat(evidence.textLength()).isEqualTo(41);
        assertThat(evidence.span()).isEqualTo(new Span(16, 20));
        assertThat(Objects.requireNonNull(evidence.span()).of("An owl 🦉 hunts mice in the barn at night."))
                .isEqualTo("mice");
    }

    @Test
    void readsChineseSpans() {
        TinyBenchmark tiny = tiny().write(
                        "queries.jsonl", "{\"_id\": \"q\", \"text\": \"狐狸住哪\", \"pos_char_span\": [4, 6]}\n")
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\tp3\t1\n");
        Evidence evidence =
                Objects.requireNonNull(tiny.open().queries().getFirst().evidence());
        assertThat(Objects.requireNonNull(evidence.span()).of("狐狸住在桥下。")).isEqualTo("桥下");
        assertThat(evidence.textLength()).isEqualTo(7);
    }

    @Test
    void ordinalsDescendById() {
        PassageIds ids = tiny().open().passages().ids();
        assertThat(ids.id(0)).isEqualTo("p3");
        assertThat(ids.ordinal("p1")).isEqualTo(2);
        assertThat(ids.ordinal("p9")).isEqualTo(-1);
    }

    @Test
    void readsGzipAndCrLfAndByteOrderMark() throws IOException {
        TinyBenchmark tiny = tiny();
        String corpus = Files.readString(temp.resolve("corpus.jsonl"));
        tiny.without("corpus.jsonl");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(("\uFEFF" + corpus.replace("\n", "\r\n") + "\r\n").getBytes(StandardCharsets.UTF_8));
        }
        Files.write(temp.resolve("corpus.jsonl.gz"), bytes.toByteArray());
        assertThat(tiny.open().passages().size()).isEqualTo(3);
    }

    @Test
    void aFolderWithoutACardGetsItsOwnName() {
        Dataset dataset = tiny().without("dataset.yaml").open();
        assertThat(dataset.name()).isEqualTo(String.valueOf(temp.getFileName()));
        assertThat(dataset.card().bucketing()).isEqualTo(DatasetCard.FIFTHS);
    }

    @Test
    void evidenceMayBeMeasuredInTheOriginalOfATranslation() {
        Dataset dataset = tiny().write("dataset.yaml", "name: tiny\nlanguage: en\nevidence_text: original\n")
                .write("queries.jsonl", """
                        {"_id": "q1", "text": "a", "pos_char_span": [100, 120], "pos_char_length": 440}
                        {"_id": "q2", "text": "b", "pos_char_span": [0, 3], "pos_char_length": 9}
                        """)
                .open();
        Evidence evidence = Objects.requireNonNull(dataset.queries().getFirst().evidence());
        assertThat(evidence.span()).isNull();
        assertThat(evidence.relativePosition()).isEqualTo(0.25);
    }

    private void refuses(TinyBenchmark broken, String message) {
        assertThatThrownBy(broken::open)
                .isInstanceOf(PosbiasException.class)
                .hasMessage(message.replace("TEMP", temp.toString()));
    }

    @Test
    void refusesAMissingFolder() {
        assertThatThrownBy(() -> DatasetReader.open(temp.resolve("none")))
                .hasMessage("cannot read " + temp.resolve("none") + ": folder not found");
    }

    @Test
    void refusesAMissingFile() {
        refuses(
                tiny().without("queries.jsonl"),
                "TEMP: holds no queries file; one of queries.jsonl, queries.jsonl.gz, queries.parquet must be there");
    }

    @Test
    void refusesTwoFilesForOne() {
        refuses(
                tiny().write("corpus.jsonl.gz", ""),
                "TEMP: holds more than one corpus file; keep one of corpus.jsonl, corpus.jsonl.gz");
    }

    @Test
    void refusesAnEmptyCorpus() {
        refuses(tiny().write("corpus.jsonl", "\n"), "TEMP/corpus.jsonl: holds no passage; there must be at least one");
    }

    @Test
    void refusesEmptyQueriesAndJudgements() {
        refuses(
                tiny().write("queries.jsonl", "").write("qrels/test.tsv", "query-id\tcorpus-id\tscore\n"),
                "TEMP/queries.jsonl: holds no query; there must be at least one");
        refuses(
                tiny().write("qrels/test.tsv", "query-id\tcorpus-id\tscore\n"),
                "TEMP/qrels/test.tsv: holds no judgement; there must be at least one");
    }

    @Test
    void refusesMalformedJson() {
        refuses(
                tiny().write("corpus.jsonl", FOX + "{\"_id\": \"p2\", \"text\": oops}\n"),
                "TEMP/corpus.jsonl:2: not JSON at column 23: \"oops\" is not a value");
        refuses(
                tiny().write("corpus.jsonl", FOX + "\n[1, 2]\n"),
                "TEMP/corpus.jsonl:3: not a JSON object; each line must hold one { … }");
    }

    @Test
    void refusesJsonThatNamesAFieldTwice() {
        assertThatThrownBy(tiny().write("corpus.jsonl", "{\"_id\": \"p1\", \"_id\": \"p2\", \"text\": \"a\"}\n")::open)
                .hasMessageContainingAll(temp + "/corpus.jsonl:1:", "column 20", "\"_id\"");
    }

    @Test
    void refusesTwoValuesOnALine() {
        assertThatThrownBy(tiny().write("corpus.jsonl", "{\"_id\": \"p1\", \"text\": \"a\"} {}\n")::open)
                .hasMessageStartingWith(temp + "/corpus.jsonl:1: holds more than one value");
    }

    @Test
    void refusesAMissingField() {
        refuses(
                tiny().write("corpus.jsonl", "{\"key\": \"p1\", \"text\": \"a\"}\n"),
                "TEMP/corpus.jsonl:1: field \"_id\" is missing; fields found: key, text");
        refuses(
                tiny().write("corpus.jsonl", "{\"_id\": \"p1\", \"text\": 5}\n"),
                "TEMP/corpus.jsonl:1: field \"text\" is 5; it must be a string");
    }

    @Test
    void relevantPassagesWithACopyAreCounted() {
        TinyBenchmark copied = tiny().write(
                        "corpus.jsonl",
                        "{\"_id\": \"p1\", \"text\": \"A red fox.\"}\n{\"_id\": \"p2\", \"text\": \"A red  fox.\\n\"}\n")
                .write("queries.jsonl", "{\"_id\": \"q1\", \"text\": \"a\"}\n")
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t1\n");
        assertThat(copied.open().notes()).anySatisfy(note -> assertThat(note).contains("1 relevant passage", "\"p1\""));
        copied.write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t1\nq1\tp2\t1\n");
        assertThat(copied.open().notes()).noneSatisfy(note -> assertThat(note).contains("relevant passage"));
    }

    @Test
    void hiddenFilesAreNoParts() throws IOException {
        Path folder = Files.createDirectories(temp.resolve("hub"));
        for (String part : List.of("corpus", "queries", "qrels")) {
            Files.createDirectories(folder.resolve(part));
            Files.writeString(folder.resolve(part + "/._test-00000-of-00001.jsonl"), "not JSON");
        }
        Files.writeString(folder.resolve("corpus/test-00000-of-00001.jsonl"), "{\"_id\": \"p\", \"text\": \"a\"}\n");
        Files.writeString(folder.resolve("queries/test-00000-of-00001.jsonl"), "{\"_id\": \"q\", \"text\": \"a\"}\n");
        Files.writeString(
                folder.resolve("qrels/test-00000-of-00001.jsonl"),
                "{\"query-id\": \"q\", \"corpus-id\": \"p\", \"score\": 1}\n");
        assertThat(DatasetReader.open(folder).passages().size()).isEqualTo(1);
    }

    @Test
    void refusesDuplicateIds() {
        refuses(
                tiny().write("corpus.jsonl", "{\"_id\": \"p1\", \"text\": \"a\"}\n{\"_id\": \"p1\", \"text\": \"b\"}\n")
                        .write("queries.jsonl", "{\"_id\": \"q1\", \"text\": \"a\"}\n")
                        .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t1\n"),
                "TEMP/corpus.jsonl:2: field \"_id\" is \"p1\", which corpus.jsonl:1 has too; identifiers are unique");
        refuses(
                tiny().write(
                                "queries.jsonl",
                                "{\"_id\": \"q1\", \"text\": \"a\"}\n{\"_id\": \"q1\", \"text\": \"b\"}\n"),
                "TEMP/queries.jsonl:2: field \"_id\" is \"q1\", which queries.jsonl:1 has too; identifiers are unique");
        refuses(
                tiny().write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t1\nq1\tp1\t2\n"),
                "TEMP/qrels/test.tsv:3: field \"score\" is 2 for query \"q1\" and passage \"p1\", and 1 at"
                        + " TEMP/qrels/test.tsv:2; keep one judgement for each pair");
    }

    @Test
    void refusesJudgementsOfWhatIsNotThere() {
        refuses(
                tiny().write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t1\nq2\tp9\t1\n")
                        .write(
                                "queries.jsonl",
                                "{\"_id\": \"q1\", \"text\": \"a\"}\n{\"_id\": \"q2\", \"text\": \"b\"}\n"),
                "TEMP/qrels/test.tsv:3: field \"corpus-id\" is \"p9\", which corpus.jsonl does not hold; in all"
                        + " 1 judgement of absent passages and 0 of absent queries; " + LEFT_OUT);
        refuses(
                tiny().write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq7\tp1\t1\n"),
                "TEMP/qrels/test.tsv:2: field \"query-id\" is \"q7\", which queries.jsonl does not hold; in all"
                        + " 0 judgements of absent passages and 1 of absent queries; " + LEFT_OUT);
    }

    @Test
    void refusesAGradeThatIsNoWholeNumber() {
        refuses(
                tiny().write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\thigh\n"),
                "TEMP/qrels/test.tsv:2: field \"score\" is \"high\"; it must be a whole number");
        refuses(
                tiny().write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\n"),
                "TEMP/qrels/test.tsv:2: 2 columns where the first line has 3; columns are separated by single tabs,"
                        + " or by spaces without any tab");
    }

    @Test
    void refusesEvidenceOutsideItsPassage() {
        refuses(
                tiny().write("queries.jsonl", """
                                {"_id": "q1", "text": "a", "pos_char_span": [30, 39]}
                                {"_id": "q2", "text": "b"}
                                """),
                "TEMP/queries.jsonl:1: field \"pos_char_span\" is [30, 39], outside passage \"p1\" of 38 code points;"
                        + " spans are [start, end) in code points of the passage's text");
        refuses(
                tiny().write("queries.jsonl", """
                                {"_id": "q1", "text": "a", "pos_char_span": [3, 9], "pos_char_length": 40}
                                {"_id": "q2", "text": "b"}
                                """),
                "TEMP/queries.jsonl:1: field \"pos_char_length\" is 40, but passage \"p1\" has 38 code points; if the span"
                        + " was measured in the original of a translation, say evidence_text: original in dataset.yaml");
        refuses(
                tiny().write("queries.jsonl", """
                                {"_id": "q1", "text": "a", "pos_char_span": [9, 3]}
                                {"_id": "q2", "text": "b"}
                                """),
                "TEMP/queries.jsonl:1: field \"pos_char_span\" is [9, 3]; a span is [start, end) with 0 <= start <= end");
    }

    @Test
    void asksInWhichOfSeveralPassagesASpanLies() {
        TinyBenchmark tiny = tiny().write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t1\nq1\tp3\t1\n");
        refuses(
                tiny,
                "TEMP/queries.jsonl:1: field \"pos_char_span\" could lie in any of 2 relevant passages; name the one it"
                        + " lies in with pos_corpus_id");
        tiny.write("queries.jsonl", """
                {"_id": "q1", "text": "a", "pos_char_span": [0, 5], "pos_corpus_id": "p1"}
                {"_id": "q2", "text": "b"}
                """);
        assertThat(Objects.requireNonNull(tiny.open().queries().getFirst().evidence())
                        .textLength())
                .isEqualTo(38);
        refuses(
                tiny.write("queries.jsonl", """
                        {"_id": "q1", "text": "a", "pos_char_span": [0, 5], "pos_corpus_id": "p0"}
                        {"_id": "q2", "text": "b"}
                        """),
                "TEMP/queries.jsonl:1: field \"pos_corpus_id\" is \"p0\", which the corpus does not hold; correct the id");
    }

    @Test
    void refusesFilesThatChanged() {
        String digest = tiny().open().checksums().get("corpus.jsonl");
        TinyBenchmark tiny =
                tiny().write("dataset.yaml", "name: tiny\nlanguage: en\nsha256:\n  corpus.jsonl: " + digest + "\n");
        assertThat(tiny.open().name()).isEqualTo("tiny");
        assertThatThrownBy(tiny.write("corpus.jsonl", "{\"_id\": \"p1\", \"text\": \"changed\"}\n")::open)
                .hasMessageStartingWith(temp + "/corpus.jsonl: has SHA-256 ")
                .hasMessageContaining(
                        "…, dataset.yaml says " + String.valueOf(digest).substring(0, 12) + "…");
    }

    @Test
    void refusesCorruptGzip() throws IOException {
        TinyBenchmark tiny = tiny().without("corpus.jsonl").write("corpus.jsonl.gz", "this is no gzip");
        refuses(
                tiny,
                "cannot read TEMP/corpus.jsonl.gz: the compressed data is corrupt or cut off (Not in GZIP format); fetch or make"
                        + " the file again");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write((FOX + "\n".repeat(10)).getBytes(StandardCharsets.UTF_8));
        }
        byte[] whole = bytes.toByteArray();
        Files.write(temp.resolve("corpus.jsonl.gz"), Arrays.copyOf(whole, whole.length - 12));
        assertThatThrownBy(tiny::open).hasMessageContaining("the compressed data is corrupt or cut off");
    }

    @Test
    void refusesCorruptParquet() {
        assertThatThrownBy(tiny().without("corpus.jsonl").write("corpus.parquet", "this is no parquet")::open)
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll(temp + "/corpus.parquet:", "Parquet")
                .hasMessageEndingWith("; fetch or make the file again");
    }

    @Test
    void refusesCardsThatClimbOutOfTheirFolder() {
        refuses(
                tiny().write("dataset.yaml", "name: tiny\nsha256:\n  ../../etc/passwd: 00\n"),
                "TEMP/dataset.yaml: field \"sha256\" names \"../../etc/passwd\", which is not inside the benchmark's"
                        + " folder; name files relative to the folder");
        refuses(
                tiny().write("dataset.yaml", "name: ../../evil\n"),
                "TEMP/dataset.yaml: field \"name\" is \"../../evil\"; a name is made of letters, digits and . _ - / and"
                        + " does not leave its folder");
        refuses(
                tiny().write("dataset.yaml", "name: /evil\n"),
                "TEMP/dataset.yaml: field \"name\" is \"/evil\"; a name is made of letters, digits and . _ - / and does"
                        + " not leave its folder");
    }

    @Test
    void refusesExcludedPassagesThatAreNotThereOrRelevant() {
        refuses(
                tiny().write("queries.jsonl", """
                        {"_id": "q1", "text": "a", "excluded_ids": ["p9"]}
                        {"_id": "q2", "text": "b"}
                        """),
                "TEMP/queries.jsonl:1: field \"excluded_ids\" names \"p9\", which the corpus does not hold; correct the id");
        refuses(
                tiny().write("queries.jsonl", """
                        {"_id": "q1", "text": "a", "excluded_ids": ["p1"]}
                        {"_id": "q2", "text": "b"}
                        """),
                "TEMP/queries.jsonl:1: field \"excluded_ids\" names \"p1\", which is judged relevant; a passage is"
                        + " relevant or left out");
    }

    @Test
    void refusesContentFixedWithoutAllVariants() {
        refuses(
                tiny().write("dataset.yaml", "name: tiny\nlanguage: en\nbucketing: thirds\ncontent_fixed: windows\n"),
                "TEMP/queries.jsonl:1: field \"variant_of\" is missing; dataset.yaml says content_fixed: all queries are"
                        + " variants");
    }

    @Test
    void refusesCardsWithOtherFields() {
        refuses(
                tiny().write("dataset.yaml", "name: tiny\nlangauge: en\n"),
                "TEMP/dataset.yaml: unknown field \"langauge\"; did you mean language? Known: name, language,"
                        + " query_language, licence, source, bucketing, citation, evidence_text, content_fixed, cluster, exclude_self, missing_judged, single_evidence, relevant, judgements_left_out,"
                        + " notes, sha256");
        refuses(
                tiny().write("dataset.yaml", "name: tiny\nevidence_text: somewhere\n"),
                "TEMP/dataset.yaml: field \"evidence_text\" is \"somewhere\"; it is one of passage, original");
    }

    @Test
    void readsWordsOfCardsInAnyCase() {
        Dataset dataset =
                tiny().write("dataset.yaml", "name: tiny\ncluster: Article\n").open();
        assertThat(dataset.card().clustersByArticle()).isTrue();
    }

    @Test
    void refusesCardsThatAreNoYaml() {
        assertThatThrownBy(tiny().write("dataset.yaml", "name: [tiny\n")::open)
                .isInstanceOf(PosbiasException.class)
                .hasMessageStartingWith(temp + "/dataset.yaml:");
    }
}
