package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.study.calibrate.PlantedBenchmark;
import io.posbias.study.calibrate.ReferenceEncoder;
import io.posbias.study.calibrate.ReferenceEncoder.Shape;
import io.posbias.study.diagnose.ReversedBenchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagnoseReversalTest {
    @TempDir
    Path temp;

    @Test
    void reversalChangesNothingForBm25() throws IOException {
        Path out = temp.resolve("out");
        Cli.run("diagnose reversal --model bm25 --dataset demo --out", out).ok();
        List<String> lines = Files.readAllLines(out.resolve("bm25/scores.csv"));
        assertThat(lines.getFirst()).isEqualTo("query,position_then,position_now,segment_then,original,reversed");
        assertThat(lines.subList(1, lines.size()))
                .hasSizeGreaterThan(100)
                .allSatisfy(line -> {
                    String[] cells = line.split(",", -1);
                    assertThat(cells[5]).isEqualTo(cells[4]);
                })
                .anySatisfy(line -> {
                    String[] cells = line.split(",", -1);
                    assertThat(Double.parseDouble(cells[1])).isLessThan(0.25);
                    assertThat(Double.parseDouble(cells[2])).isGreaterThan(0.75);
                });
        Fields model =
                Json.readJson(out.resolve("bm25/result.json")).record("models").record("bm25");
        assertThat(model.record("contrast").number("value")).isZero();
        assertThat(model.record("gap_by_place_then").number("value"))
                .isEqualTo(model.record("gap").number("value"));
    }

    private static Query ask(String id, String text, String part) {
        int start = text.indexOf(part);
        return new Query(
                id, part, new Evidence(start, start + part.length(), text.length(), Evidence.UNKNOWN, List.of(), null));
    }

    private Path handMade() throws IOException {
        Path folder = Files.createDirectories(temp.resolve("hand"));
        Files.writeString(folder.resolve("dataset.yaml"), "name: hand\nlanguage: en\n");
        String text = "Cats purr. Dogs bark. Cows moo.";
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            out.passage(new Passage("p", "Animals", text));
            out.passage(new Passage("other", "", "Stones are silent."));
            out.query(ask("inside", text, "Cats"));
            out.query(ask("across", text, "purr. Dogs"));
            out.query(new Query("nowhere", "silent", null));
            out.judgment("inside", "p", 1);
            out.judgment("across", "p", 1);
            out.judgment("nowhere", "other", 1);
        }
        return folder;
    }

    @Test
    void theDoubleHoldsTheReversedPassagesAndTheMovedEvidence() throws IOException {
        ReversedBenchmark both = ReversedBenchmark.of(DatasetReader.open(handMade()), 3);
        List<Passage> passages = new ArrayList<>();
        both.reversed().passages().inFileOrder((ordinal, passage) -> passages.add(passage));
        assertThat(passages)
                .containsExactly(
                        new Passage("p", "Animals", "Cows moo. Dogs bark. Cats purr."),
                        new Passage("other", "", "Stones are silent."));
        assertThat(both.original().judgedQueries()).extracting(Query::id).containsExactly("inside");
        Query moved = both.reversed().judgedQueries().getFirst();
        Evidence evidence = Objects.requireNonNull(moved.evidence());
        assertThat(Objects.requireNonNull(evidence.span())
                        .of(passages.getFirst().text()))
                .isEqualTo("Cats");
        assertThat(List.of(both.queries(), both.crossing(), both.withoutSpan(), both.unchanged()))
                .containsExactly(1, 1, 1, 1);
    }

    private Fields planted(Shape shape, double strength) throws IOException {
        String name = shape.toString();
        Path recipe = new ReferenceEncoder(name, shape, strength, 192, 1, 512)
                .write(temp.resolve(name), PlantedBenchmark.WORDS);
        Path out = temp.resolve(name + "-out");
        Cli.run("diagnose reversal --model", recipe, "--dataset", sentences(), "--no-cache --out", out)
                .ok();
        return Json.readJson(out.resolve(name).resolve("result.json"))
                .record("models")
                .record(name);
    }

    private Path sentences() throws IOException {
        Random random = new Random(7);
        Path folder = Files.createDirectories(temp.resolve("sentences"));
        Files.writeString(folder.resolve("dataset.yaml"), "name: sentences\nlanguage: en\n");
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            for (int p = 0; p < 100; p++) {
                List<String> sentences =
                        Stream.generate(() -> sentence(random)).limit(5).toList();
                String text = String.join(" ", sentences);
                out.passage(new Passage("p" + p, "", text));
                for (int asked : new int[] {0, 4}) {
                    String words = sentences
                            .get(asked)
                            .substring(0, sentences.get(asked).indexOf(' ', 12));
                    out.query(ask("q" + p + "-" + asked, text, words));
                    out.judgment("q" + p + "-" + asked, "p" + p, 1);
                }
            }
        }
        return folder;
    }

    private static String sentence(Random random) {
        List<String> words = Stream.generate(
                        () -> PlantedBenchmark.WORDS.get(random.nextInt(PlantedBenchmark.WORDS.size())))
                .limit(20)
                .toList();
        return "W" + String.join(" ", words).substring(1) + ".";
    }

    @Test
    void aBiasThatWasBuiltInMovesWithThePosition() throws IOException {
        Fields primacy = planted(Shape.PRIMACY, 2);
        assertThat(primacy.record("contrast").number("value")).isGreaterThan(0.1);
        assertThat(primacy.record("contrast").number("p_value")).isLessThan(0.001);
        assertThat(primacy.record("delta_rev").number("value")).isGreaterThan(0.05);
        assertThat(primacy.record("gap").number("value")).isGreaterThan(0.05);
        assertThat(primacy.record("gap_by_place_now").number("value")).isGreaterThan(0.05);
        assertThat(primacy.record("gap_by_place_then").number("value")).isLessThan(-0.05);
        Fields recency = planted(Shape.RECENCY, 2);
        assertThat(recency.record("contrast").number("value")).isLessThan(-0.1);
        Fields flat = planted(Shape.FLAT, 0);
        assertThat(flat.record("contrast").number("p_value")).isGreaterThan(0.05);
    }

    @Test
    void badInputIsOneLine() throws IOException {
        Cli.run("diagnose reversal --model bm25 --dataset", spanless())
                .fails(2, "dataset bare", "1 without a span", "0 with evidence across segments");
    }

    private Path spanless() throws IOException {
        Path folder = Files.createDirectories(temp.resolve("bare"));
        Files.writeString(folder.resolve("dataset.yaml"), "name: bare\n");
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            out.passage(new Passage("p", "", "A text. Another."));
            out.query(new Query("q", "text", null));
            out.judgment("q", "p", 1);
        }
        return folder;
    }

    @Test
    void evidenceWithoutSpansIsOneLine() throws IOException {
        Cli.run("diagnose evidence --dataset", spanless())
                .fails(2, "dataset bare", "0 judged queries", "2 are needed", "--model");
    }
}
