package io.posbias.study.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.RowFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteStageTest {
    private static final String[] DOCUMENTS = {
        "{\"id\": \"d1\", \"document\": \"d1\", \"text\": \"An owl 🦉 hunts mice.\"}",
        "{\"id\": \"gone\", \"document\": \"gone\", \"text\": \"Too short.\", \"dropped\": \"too short\"}",
        "{\"id\": \"d2\", \"document\": \"d2\", \"text\": \"A fox sleeps under the bridge.\"}",
        "{\"id\": \"d3\", \"document\": \"d3\", \"text\": \"Nobody asks about this.\"}"
    };
    private static final String[] QUESTIONS = {
        "{\"id\": \"d1/1\", \"document\": \"d1\", \"question\": \"what hunts the owl\", \"span\": [9, 19],"
                + " \"position\": \"end\", \"answer\": \"mice\", \"type\": \"simple\"}",
        "{\"id\": \"d2/1\", \"document\": \"d2\", \"question\": \"who sleeps\", \"part\": [0, 12], \"position\": \"beginning\"}",
        "{\"id\": \"gone/1\", \"document\": \"gone\", \"question\": \"what is short\", \"position\": \"middle\"}",
        "{\"id\": \"d2/2\", \"document\": \"d2\", \"question\": \"who\", \"dropped\": \"no\"}"
    };

    @TempDir
    private Path folder;

    private StageBench bench() {
        return StageBench.in(folder).documents(DOCUMENTS).candidates(QUESTIONS);
    }

    private static Stage stage(String settings) {
        return Pipelines.stage("write: " + settings);
    }

    @Test
    void benchmarkHoldsAllDocumentsAndTheQuestionsWithTheirEvidence() {
        StageBench bench = bench();
        StageBench.Outcome outcome = bench.run(stage("{licence: CC0-1.0}"));
        Dataset made = DatasetReader.open(bench.out().resolve("benchmark"));
        assertEquals(List.of("d1/1", "d2/1"), outcome.kept());
        assertEquals(Map.of("gone/1", "its document was left out"), outcome.dropped());
        assertEquals(
                Map.of("folder", "benchmark", "questions", Map.of("hand-made", 2)),
                outcome.counts().notes());
        List<String> passages = new ArrayList<>();
        made.passages().inFileOrder((ordinal, passage) -> passages.add(passage.id() + ": " + passage.text()));
        assertEquals(
                List.of(
                        "d1: An owl 🦉 hunts mice.",
                        "d2: A fox sleeps under the bridge.",
                        "d3: Nobody asks about this."),
                passages);
        Query owl = made.queries().getFirst();
        assertEquals("what hunts the owl", owl.text());
        assertEquals(List.of("end"), Objects.requireNonNull(owl.evidence()).labels());
        assertEquals("hunts mice", Objects.requireNonNull(owl.evidence().span()).of("An owl 🦉 hunts mice."));
        assertEquals(20, owl.evidence().textLength());
        Query fox = made.queries().get(1);
        assertEquals(
                "A fox sleeps",
                Objects.requireNonNull(Objects.requireNonNull(fox.evidence()).span())
                        .of("A fox sleeps under"));
        assertEquals(
                DatasetCard.named("hand-made")
                        .with(DatasetCard.Field.LANGUAGE, "en")
                        .with(DatasetCard.Field.LICENCE, "CC0-1.0")
                        .with(DatasetCard.Field.SOURCE, "posbias construct hand-made")
                        .with(DatasetCard.Field.BUCKETING, "thirds")
                        .with(DatasetCard.Field.CITATION, "none")
                        .withSha256(made.card().sha256()),
                made.card());
    }

    @Test
    void aFolderOfSomebodyElseIsNotReplaced() throws IOException {
        StageBench bench = bench();
        Path mine = bench.out().resolve("benchmark");
        Files.createDirectories(mine);
        Files.writeString(mine.resolve("notes.txt"), "mine");
        UsageException refused = assertThrows(UsageException.class, () -> bench.run(stage("{}")));
        assertTrue(String.valueOf(refused.getMessage()).contains("benchmark"));
        assertEquals("mine", Files.readString(mine.resolve("notes.txt")));
        Files.delete(mine.resolve("notes.txt"));
        Files.delete(mine);
        Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        Files.createSymbolicLink(mine, elsewhere);
        assertThrows(UsageException.class, () -> bench.run(stage("{}")));
        assertTrue(Files.isSymbolicLink(mine));
    }

    @Test
    void aFolderIsNoneOfThePipelinesOwn() {
        for (String to : List.of("stages", "pipeline.yaml", "stages/more", ".hidden", "../out")) {
            BadInputException refused = assertThrows(BadInputException.class, () -> stage("{to: " + to + "}"));
            assertTrue(String.valueOf(refused.getMessage()).contains("\"write.to\""));
        }
    }

    @Test
    void translationsAreABenchmarkForEachLanguageWithTheOriginalsPositions() {
        StageBench bench = StageBench.in(folder)
                .documents(DOCUMENTS)
                .candidates(
                        "{\"id\": \"d1/de\", \"document\": \"d1\", \"language\": \"de\", \"text\": \"Eine Eule jagt Mäuse.\"}",
                        "{\"id\": \"d2/de\", \"document\": \"d2\", \"language\": \"de\", \"text\": \"Nein\", \"dropped\": \"refusal\"}",
                        "{\"id\": \"d1/1/de\", \"document\": \"d1\", \"language\": \"de\", \"question\": \"Was jagt sie\", \"span\": [9, 19]}",
                        "{\"id\": \"d2/1/de\", \"document\": \"d2\", \"language\": \"de\", \"question\": \"Wer\", \"span\": [0, 1]}",
                        "{\"id\": \"d1/fr\", \"document\": \"d1\", \"language\": \"fr\", \"text\": \"Un hibou chasse.\"}",
                        "{\"id\": \"d1/1/fr\", \"document\": \"d1\", \"language\": \"fr\", \"question\": \"Que fait-il\", \"span\": [9, 19]}");
        StageBench.Outcome outcome = bench.run(stage("{}"));
        assertEquals(List.of("d1/de", "d1/1/de", "d1/fr", "d1/1/fr"), outcome.kept());
        Dataset german = DatasetReader.open(bench.out().resolve("benchmark/de"));
        assertEquals(1, german.passages().size());
        assertEquals("hand-made/de", german.name());
        assertTrue(german.card().isOfOriginal());
        assertEquals(
                20,
                Objects.requireNonNull(german.queries().getFirst().evidence()).textLength());
        assertEquals(
                "fr",
                DatasetReader.open(bench.out().resolve("benchmark/fr")).card().language());
    }

    @Test
    void posirHasItsColumns() {
        StageBench bench = bench();
        bench.run(stage("{format: posir}"));
        Path made = bench.out().resolve("posir");
        assertEquals(
                List.of(
                        "{_id=d1/1, text=what hunts the owl, pos_char_span=[9, 19], pos_char_length=20, pos_token_length=null}",
                        "{_id=d2/1, text=who sleeps, pos_char_span=[0, 12], pos_char_length=30, pos_token_length=null}"),
                rows(made.resolve("queries.parquet")));
        assertEquals(
                List.of("{query-id=d1/1, corpus-id=d1, score=1}", "{query-id=d2/1, corpus-id=d2, score=1}"),
                rows(made.resolve("qrels/test.parquet")));
        assertEquals(
                "{_id=d1, text=An owl 🦉 hunts mice.}",
                rows(made.resolve("corpus.parquet")).getFirst());
        assertFalse(Files.exists(made.resolve("queries.parquet.jsonl")));
    }

    /** Words and points: an owl 🦉 hunts mice . are six, a fox sleeps under the bridge . seven. */
    @Test
    void tokensAreThoseOfTheWholeDocument() {
        StageBench bench = bench();
        String tokens = "tokens: " + Pipelines.tokenizer(folder);
        Stage stage = stage("{" + tokens + "}");
        bench.run(stage);
        assertEquals(List.of(6, 7), tokens(bench.out().resolve("benchmark")));
        bench.run(stage("{format: posir, " + tokens + "}"));
        assertTrue(rows(bench.out().resolve("posir/queries.parquet")).getFirst().endsWith("pos_token_length=6}"));
        try (StageContext context = bench.context()) {
            assertEquals(64, stage.inputs(context).toString().length(), "the digest of the tokenizer is recorded");
        }
        BadInputException refused =
                assertThrows(BadInputException.class, () -> stage("{format: beir, " + tokens + "}"));
        assertThat(refused.problem()).contains("write.tokens", "benchmark, posir");
    }

    @Test
    void tokensOfATranslationAreThoseOfItsOriginal() {
        StageBench bench = StageBench.in(folder)
                .documents(DOCUMENTS)
                .candidates(
                        "{\"id\": \"d1/de\", \"document\": \"d1\", \"language\": \"de\", \"text\": \"Die Eule jagt viele kleine Mäuse.\"}",
                        "{\"id\": \"d1/1/de\", \"document\": \"d1\", \"language\": \"de\", \"question\": \"Was jagt sie\", \"span\": [9, 19]}");
        bench.run(stage("{tokens: " + Pipelines.tokenizer(folder) + "}"));
        assertEquals(List.of(6), tokens(bench.out().resolve("benchmark/de")));
    }

    private static List<Integer> tokens(Path benchmark) {
        return DatasetReader.open(benchmark).queries().stream()
                .map(query -> Objects.requireNonNull(query.evidence()).tokenLength())
                .toList();
    }

    private static List<String> rows(Path file) {
        List<String> rows = new ArrayList<>();
        RowFile.open(file).forEach(row -> rows.add(row.toMap().toString()));
        return rows;
    }

    @Test
    void finewebPosqHasARowForEachQuestionAndEachDocumentWithoutOne() {
        StageBench bench = bench();
        bench.run(stage("{format: fineweb-posq, to: rows/made}"));
        assertEquals(
                List.of(
                        "{content=An owl 🦉 hunts mice., question=what hunts the owl, answer=mice, question_type=simple, span_class=end}",
                        "{content=A fox sleeps under the bridge., question=who sleeps, answer=, question_type=, span_class=beginning}",
                        "{content=Nobody asks about this., question=}"),
                rows(bench.out().resolve("rows/made/rows.jsonl")));
    }

    @Test
    void trainingFormatsHaveTheFieldsOfTheirTools() throws IOException {
        StageBench bench = bench();
        List.of("sentence-transformers", "flagembedding", "tevatron", "beir")
                .forEach(format -> bench.run(stage("{format: " + format + "}")));
        assertEquals(
                "{anchor=what hunts the owl, positive=An owl 🦉 hunts mice.}",
                rows(bench.out().resolve("sentence-transformers/train.jsonl")).getFirst());
        assertEquals(
                "{query=who sleeps, pos=[A fox sleeps under the bridge.], neg=[]}",
                rows(bench.out().resolve("flagembedding/train.jsonl")).get(1));
        assertEquals(
                "{query_id=d2/1, query=who sleeps, positive_passages=[{docid=d2, title=, text=A fox sleeps under the bridge.}],"
                        + " negative_passages=[]}",
                rows(bench.out().resolve("tevatron/train.jsonl")).get(1));
        assertEquals(
                "query-id\tcorpus-id\tscore\nd1/1\td1\t1\nd2/1\td2\t1\n",
                Files.readString(bench.out().resolve("beir/qrels/train.tsv")));
        assertEquals(3, rows(bench.out().resolve("beir/corpus.jsonl")).size());
        assertEquals(
                "{_id=d1/1, text=what hunts the owl}",
                rows(bench.out().resolve("beir/queries.jsonl")).getFirst());
    }

    @Test
    void whatCannotBeWrittenLeavesNothing() {
        StageBench bench = StageBench.in(folder).documents(DOCUMENTS).candidates(QUESTIONS[3]);
        PosbiasException refused = assertThrows(PosbiasException.class, () -> bench.run(stage("{}")));
        assertThat(refused)
                .hasMessageContainingAll(
                        "nothing to write", folder.resolve("out").toString());
        assertFalse(Files.exists(bench.out().resolve("benchmark")));
        assertThrows(BadInputException.class, () -> stage("{to: ../elsewhere}"));
        assertThrows(BadInputException.class, () -> stage("{format: parquet}"));
    }

    /** Two buckets; the smallest cell holds 4 questions, so a set of one position holds 8 and M_U 3 x 1 x 2 = 6. */
    private StageBench cells() {
        return cells(1);
    }

    private StageBench cells(int more) {
        List<String> lines = new ArrayList<>();
        for (String bucket : List.of("256-512", "512-1024")) {
            for (int position = 0; position < 3; position++) {
                for (int i = 0; i < 4 + more * position; i++) {
                    String id = "d1/" + bucket + "/" + position + "/" + i;
                    lines.add("{\"id\": \"" + id + "\", \"document\": \"d1\", \"question\": \"q\", \"bucket\": \""
                            + bucket + "\", \"position\": \"" + Candidate.POSITIONS.get(position)
                            + "\", \"same_as\": \"" + bucket + i + "\"}");
                }
            }
        }
        return StageBench.in(folder).documents(DOCUMENTS).candidates(lines.toArray(String[]::new));
    }

    @Test
    void setsHoldAsManyOfEachCellAsTheSmallestHas() {
        StageBench bench = cells();
        StageBench.Outcome outcome = bench.run(stage("{format: tevatron, sets: positions}"));
        assertEquals(
                Map.of("hand-made/M_B", 8, "hand-made/M_M", 8, "hand-made/M_E", 8, "hand-made/M_U", 6),
                outcome.counts().notes().get("questions"));
        Set<String> all = new HashSet<>();
        for (String set : List.of("M_B", "M_M", "M_E")) {
            ids(bench, set).forEach(id -> assertTrue(all.add(id), id + " is in two sets"));
        }
        assertEquals(new HashSet<>(outcome.kept()), all);
        assertEquals(6, outcome.dropped().size());
        assertTrue(all.containsAll(ids(bench, "M_U")));
    }

    private static List<String> ids(StageBench bench, String set) {
        List<String> ids = new ArrayList<>();
        RowFile.open(bench.out().resolve("tevatron").resolve(set).resolve("train.jsonl"))
                .forEach(row -> ids.add(row.text("query_id")));
        return ids;
    }

    @Test
    void theSameQuestionsAreDrawnAtAllPositions() {
        StageBench bench = cells(0);
        StageBench.Outcome outcome = bench.run(stage("{format: tevatron, sets: positions}"));
        assertEquals(asked(bench, "M_B", outcome), asked(bench, "M_M", outcome));
        List<String> uniform = asked(bench, "M_U", outcome);
        assertEquals(6, uniform.size());
        assertEquals(6, new HashSet<>(uniform).size(), uniform + " holds a question twice");
    }

    private static List<String> asked(StageBench bench, String set, StageBench.Outcome outcome) {
        return ids(bench, set).stream()
                .map(id -> outcome.line(id).text("same_as"))
                .toList();
    }

    @Test
    void setsOfThePapersSizes() {
        List<Candidate> pool = new ArrayList<>();
        for (String bucket : List.of("256-512", "512-1024", "1024-2048", "2048-4096", "4096-8192")) {
            for (String position : Candidate.POSITIONS) {
                for (int i = 0; i < 8_189; i++) {
                    pool.add(new Candidate(new Fields(
                            Location.of(Path.of("pool")),
                            Map.of("id", bucket + position + i, "bucket", bucket, "position", position))));
                }
            }
        }
        var sets = PositionSets.draw(pool::forEach, 42);
        assertEquals(40_945, pool.stream().filter(sets.get("M_M")).count());
        assertEquals(40_935, pool.stream().filter(sets.get("M_U")).count());
    }

    @Test
    void aCellWithoutThreeQuestionsIsNamed() {
        StageBench bench = StageBench.in(folder)
                .documents(DOCUMENTS)
                .candidates(
                        "{\"id\": \"d1/1\", \"document\": \"d1\", \"question\": \"q\", \"bucket\": \"1-2\", \"position\": \"end\"}");
        PosbiasException refused =
                assertThrows(PosbiasException.class, () -> bench.run(stage("{sets: positions, format: tevatron}")));
        assertThat(refused).hasMessageContainingAll("sets: positions", "0 questions", "1-2 beginning", "3");
    }
}
