package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WindowsTest {
    private static final int ARTICLES = 40;

    @TempDir
    static Path temp;

    private static Path json;
    private static Path variants;
    private static Path places;

    private static Cli.Ended windows(Object... more) {
        return Cli.run("data build windows --length 50", more);
    }

    /** Articles of three paragraphs of eight sentences of ten words; one sentence holds three of thirty topics. */
    private static String articles() {
        Random random = new Random(7);
        List<Map<String, Object>> data = new ArrayList<>();
        for (int article = 0; article < ARTICLES; article++) {
            List<String> topics = random.ints(0, 30)
                    .distinct()
                    .limit(3)
                    .mapToObj(i -> "topic" + i)
                    .toList();
            List<Object> paragraphs = new ArrayList<>();
            for (int paragraph = 0; paragraph < 3; paragraph++) {
                List<String> sentences = new ArrayList<>();
                for (int sentence = 0; sentence < 8; sentence++) {
                    List<String> words = new ArrayList<>(
                            random.ints(10, 0, 300).mapToObj(i -> "word" + i).toList());
                    if (paragraph == 1 && sentence == 4) {
                        for (int i = 0; i < 3; i++) {
                            words.set(3 + i, topics.get(i));
                        }
                    }
                    sentences.add("🦉" + words.getFirst() + " " + String.join(" ", words.subList(1, 10)) + ".");
                }
                String context = String.join(" ", sentences).replace("🦉", article % 2 == 0 ? "🦉" : "The");
                String answer = String.join(" ", topics);
                int start = context.indexOf(answer);
                paragraphs.add(Map.of(
                        "context",
                        context,
                        "qas",
                        start < 0
                                ? List.of()
                                : List.of(Map.of(
                                        "id",
                                        "q" + article,
                                        "question",
                                        answer,
                                        "answers",
                                        List.of(Map.of(
                                                "text", answer, "answer_start", context.codePointCount(0, start)))))));
            }
            data.add(Map.of("paragraphs", paragraphs));
        }
        return new String(Json.toBytes(Map.of("data", data)), StandardCharsets.UTF_8);
    }

    @BeforeAll
    static void build() throws IOException {
        json = Files.writeString(temp.resolve("articles.json"), articles());
        variants = temp.resolve("variants");
        places = temp.resolve("places");
        Cli.Ended one = windows("--input", json, "--variants --out", variants).ok();
        assertThat(one.err()).contains("40 of 40 queries have ", "all 5 places");
        Cli.Ended many = windows("--input", json, "--out", places).ok();
        assertThat(many.err()).contains("place-1, place-2, ", "place-5 in " + places);
    }

    private static Map<String, String> texts(Dataset dataset) {
        Map<String, String> texts = new HashMap<>();
        dataset.passages().inFileOrder((ordinal, passage) -> texts.put(passage.id(), passage.text()));
        return texts;
    }

    private static String relevant(Dataset dataset, Query query) {
        return dataset.passages()
                .ids()
                .id(Objects.requireNonNull(dataset.qrels().of(query.id())).firstRelevant());
    }

    @Test
    void eachPlaceHasTheSameQueriesAndCorpus() throws IOException {
        List<Dataset> all = IntStream.rangeClosed(1, 5)
                .mapToObj(place -> DatasetReader.open(places.resolve("place-" + place)))
                .toList();
        List<String> ids = all.getFirst().queries().stream().map(Query::id).toList();
        String corpus = Files.readString(places.resolve("place-1/corpus.jsonl"));
        Map<String, String> texts = texts(all.getFirst());
        for (int place = 0; place < 5; place++) {
            Dataset dataset = all.get(place);
            assertThat(dataset.name()).isEqualTo("places/place-" + (place + 1));
            assertThat(dataset.queries()).extracting(Query::id).isEqualTo(ids);
            assertThat(Files.readString(places.resolve("place-" + (place + 1) + "/corpus.jsonl")))
                    .isEqualTo(corpus);
            for (Query query : dataset.queries()) {
                Evidence evidence = Objects.requireNonNull(query.evidence());
                String text = Objects.requireNonNull(texts.get(relevant(dataset, query)));
                assertThat(Objects.requireNonNull(evidence.span()).of(text)).isEqualTo(query.text());
                assertThat(evidence.relativeBin(5)).isEqualTo(place);
                // Whatever else holds the answer is left out, and nothing that does not.
                List<String> others = texts.entrySet().stream()
                        .filter(passage -> passage.getValue().contains(query.text()))
                        .map(Map.Entry::getKey)
                        .filter(id -> !id.equals(relevant(dataset, query)))
                        .toList();
                assertThat(query.excluded()).containsExactlyInAnyOrderElementsOf(others);
            }
        }
    }

    @Test
    void variantsAreThePlacesInOne() {
        Dataset dataset = DatasetReader.open(variants);
        assertThat(dataset.card().contentFixed()).isEqualTo("windows of 50 words at 5 places");
        assertThat(dataset.queries()).hasSize(5 * ARTICLES);
        Query third = dataset.queries().get(2);
        Query same = DatasetReader.open(places.resolve("place-3")).queries().getFirst();
        assertThat(third.id()).isEqualTo(same.id() + "@3");
        assertThat(third.evidence()).isEqualTo(same.evidence());
        assertThat(third.excluded()).isEqualTo(same.excluded());
        assertThat(Objects.requireNonNull(third.variant()).place()).isEqualTo(3);
    }

    @Test
    void plantedBiasIsFoundAndBm25HasNone() throws IOException {
        Path refs = temp.resolve("refs");
        Cli.run(
                        "calibrate references --dataset",
                        variants,
                        "--out",
                        refs,
                        "--reference reference-primacy-2,reference-recency-2")
                .ok();
        Path primacy = refs.resolve("reference-primacy-2/recipe.yaml");
        Path recency = refs.resolve("reference-recency-2/recipe.yaml");
        List<String> bytes = new ArrayList<>();
        for (int threads : List.of(1, 2)) {
            Path cells = temp.resolve("cells" + threads);
            Cli.Ended eval = Cli.run(
                            "eval --model",
                            "bm25," + primacy + "," + recency,
                            "--dataset",
                            variants,
                            "--draws 300 --no-cache --explain --stats --threads",
                            threads,
                            "--width 250 --results",
                            cells)
                    .ok();
            bytes.add(Files.readString(cells.resolve("variants/bm25/content-fixed.csv")));
            assertThat(eval.out())
                    .containsPattern("each of 40 queries .* all 5 places")
                    .contains("position with the content held fixed")
                    .contains("by windows of the benchmark")
                    .contains("the last and the first 2 places")
                    .contains("\nposition: ")
                    .doesNotContain("Content and position");
            assertThat(verdict(cells, "bm25")).isEqualTo("even");
            assertThat(verdict(cells, "reference-primacy-2")).isEqualTo("primacy");
            assertThat(verdict(cells, "reference-recency-2")).isEqualTo("recency");
            assertThat(SchemaCheck.takes(
                            SchemaCheck.read("result-5"), Files.readString(cells.resolve("variants/bm25/result.json"))))
                    .isTrue();
        }
        assertThat(bytes.getFirst()).isEqualTo(bytes.getLast());
    }

    @Test
    void aModelAtOnePlaceIsComparedWithItselfAtAnother() {
        Path cells = temp.resolve("by-place");
        Cli.run(
                        "eval --model bm25 --dataset",
                        places.resolve("place-1") + "," + places.resolve("place-5"),
                        "--draws 100 --no-cache --results",
                        cells)
                .ok();
        Cli.Ended compared =
                Cli.run("compare", cells, "--places --draws 100 --format json").ok();
        Path file =
                IoErrors.call("write", temp, () -> Files.writeString(temp.resolve("by-place.json"), compared.out()));
        List<Fields> pairs = Json.readJson(file).records("comparisons");
        assertThat(pairs).hasSize(1);
        assertThat(pairs.getFirst().text("dataset")).isEqualTo("places, bm25");
        assertThat(pairs.getFirst().text("first")).isEqualTo("place-1");
        assertThat(pairs.getFirst().text("second")).isEqualTo("place-5");
        assertThat(pairs.getFirst().integer("queries")).isEqualTo(ARTICLES);
        Cli.run("compare", cells).fails(2, "two models on one");
        assertThat(Cli.run("compare", cells, "--places --against place-2").err())
                .contains("--against: unknown place \"place-2\"");
    }

    @Test
    void lengthsAreTokensOfATokenizer() {
        Path out = temp.resolve("tokens");
        Cli.Ended ended = Cli.run(
                        "data build windows --input",
                        json,
                        "--tokenizer all-minilm-l6-v2 --length 150 --variants --out",
                        out)
                .ok();
        assertThat(ended.err()).contains(" tokens of all-minilm-l6-v2 from ");
        assertThat(DatasetReader.open(out).card().contentFixed())
                .contains("150 tokens of all-minilm-l6-v2", "5 places");
        windows("--input", json, "--tokenizer bm25 --out", temp.resolve("no")).fails(2, "--tokenizer bm25");
    }

    private static String verdict(Path cells, String model) {
        Fields result = Json.readJson(cells.resolve("variants").resolve(model).resolve("result.json"));
        return result.records("results")
                .getFirst()
                .records("profiles")
                .getFirst()
                .record("content_fixed")
                .text("outcome");
    }

    @Test
    void badInputIsOneLine() {
        Path out = temp.resolve("none");
        windows("--input", json, "--places 2 --out", out).fails(2, "--places", "3 to 20", "2");
        windows("--input", json, "--tolerance 1 --out", out).fails(2, "--tolerance", "0 to below 1", "1.0");
        windows("--input", json, "--match 2 --out", out).fails(2, "--match", "0 to 1", "2.0");
        assertThat(windows("--input", variants, "--out", out).err()).contains("already consists of windows");
        windows("--input", json, "--out", places).fails(2, "--overwrite");
        windows("--input", temp.resolve("no.json"), "--out", out).fails(2, "no.json");
        Cli.run("data build windows --length 3 --input", json, "--out", out)
                .fails(1, "none of 40 queries", "5 places", "40 with", "--length", "--places", "--tolerance");
        assertThat(out).doesNotExist();
        Cli.run("eval --model bm25 --dataset", variants, "--content-fixed")
                .fails(2, "(windows of 50 words at 5 places)", "--content-fixed");
    }
}
