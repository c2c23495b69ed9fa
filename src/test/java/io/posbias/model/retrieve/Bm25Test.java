package io.posbias.model.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Configs;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.text.WordAnalyzerTest;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Bm25Test {
    @TempDir
    Path temp;

    private static Dataset demo() {
        return DatasetReader.open(Configs.path("data/demo"));
    }

    private static Run run(String model, Dataset dataset, int k, int threads) {
        try (Searcher searcher = RecipeBook.find(model)
                .retriever()
                .open(dataset, Engine.quiet(threads, Sessions.in(Path.of("unused"))))) {
            return searcher.search(dataset.queries(), k).run();
        }
    }

    private static Map<String, Float> hits(Run run, String query) {
        Map<String, Float> hits = new TreeMap<>();
        Ranking ranking = run.of(query);
        for (int rank = 0; rank < ranking.size(); rank++) {
            hits.put(run.passages().id(ranking.passage(rank)), ranking.score(rank));
        }
        return hits;
    }

    @Test
    void scoresByTheFormulaOfThePaper() {
        Dataset dataset = TinyBenchmark.in(temp)
                .write("corpus.jsonl", """
                        {"_id": "p1", "text": "fox fox bridge"}
                        {"_id": "p2", "text": "fox barn owl mice night"}
                        {"_id": "p3", "text": "of the"}
                        {"_id": "p4", "text": ""}
                        """)
                .write("queries.jsonl", "{\"_id\": \"q\", \"text\": \"The fox, bridge? Fox! unknown\"}\n")
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\tp1\t1\n")
                .open();
        // N = 4 passages, also those without a word; avgdl = (3 + 5 + 0 + 0) / 4 = 2; k1 = 1.5, b = 0.75.
        double fox = Math.log(1 + (4 - 2 + 0.5) / (2 + 0.5));
        double bridge = Math.log(1 + (4 - 1 + 0.5) / (1 + 0.5));
        double norm1 = 1.5 * (0.25 + 0.75 * 3 / 2);
        double norm2 = 1.5 * (0.25 + 0.75 * 5 / 2);
        Map<String, Float> hits = hits(run("bm25", dataset, 10, 1), "q");
        assertThat(hits).containsOnlyKeys("p1", "p2");
        // "fox" is twice in the query and counts twice.
        assertThat((double) hits.getOrDefault("p1", 0f))
                .isCloseTo(2 * fox * 2 / (2 + norm1) + bridge * 1 / (1 + norm1), within(1e-6));
        assertThat((double) hits.getOrDefault("p2", 0f)).isCloseTo(2 * fox * 1 / (1 + norm2), within(1e-6));
    }

    /** Lucene's own search over an ordinary index, to compare with. */
    private static Map<String, Float> lucene(
            Dataset dataset, Analyzer analyzer, Similarity similarity, Query query, int k) throws IOException {
        try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
                IndexWriter writer =
                        new IndexWriter(directory, new IndexWriterConfig(analyzer).setSimilarity(similarity))) {
            dataset.passages().inFileOrder((ordinal, passage) -> {
                Document document = new Document();
                document.add(new TextField("text", passage.content(), Field.Store.NO));
                document.add(new StoredField("id", passage.id()));
                try {
                    writer.addDocument(document);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            writer.commit();
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                searcher.setSimilarity(similarity);
                Map<String, Integer> counts = new TreeMap<>();
                WordAnalyzerTest.terms(analyzer, query.text()).forEach(term -> counts.merge(term, 1, Integer::sum));
                BooleanQuery.Builder bag = new BooleanQuery.Builder();
                counts.forEach((term, count) -> bag.add(
                        new BoostQuery(new TermQuery(new Term("text", term)), count), BooleanClause.Occur.SHOULD));
                Map<String, Float> hits = new TreeMap<>();
                for (ScoreDoc hit : searcher.search(bag.build(), k).scoreDocs) {
                    hits.put(reader.storedFields().document(hit.doc).get("id"), hit.score);
                }
                return hits;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bm25", "bm25-lucene"})
    void scoresAreLucenesOwn(String model) throws IOException {
        Dataset dataset = demo();
        Bm25Retriever settings = (Bm25Retriever) RecipeBook.find(model).retriever();
        Similarity similarity = settings.exactLengths()
                ? new Bm25Retriever.ExactLengthSimilarity(settings.k1(), settings.b())
                : new BM25Similarity(settings.k1(), settings.b());
        Analyzer analyzer = settings.analyzer().open(dataset.card(), Sessions.in(temp));
        Run run = run(model, dataset, 1000, 2);
        for (Query query : dataset.queries().subList(0, 20)) {
            Map<String, Float> expected = lucene(dataset, analyzer, similarity, query, 1000);
            Map<String, Float> actual = hits(run, query.id());
            assertThat(actual.keySet()).as(query.id()).isEqualTo(expected.keySet());
            // One unit in the last place: a repeated word is a float's multiple there and a double's here.
            actual.forEach((id, score) -> assertThat(score).isCloseTo(expected.get(id), within(Math.ulp(score))));
        }
    }

    @Test
    void resultsDoNotDependOnThreads() {
        Dataset dataset = demo();
        Run one = run("bm25", dataset, 100, 1);
        for (int threads : new int[] {2, 5}) {
            Run many = run("bm25", dataset, 100, threads);
            for (Query query : dataset.queries()) {
                assertThat(hits(many, query.id())).isEqualTo(hits(one, query.id()));
            }
        }
    }

    @Test
    void findsNothingForAQueryWithoutAKnownWord() {
        Dataset dataset = TinyBenchmark.in(temp)
                .write("queries.jsonl", "{\"_id\": \"q\", \"text\": \"?! of zzz\"}\n")
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\tp1\t1\n")
                .open();
        assertThat(run("bm25", dataset, 10, 1).of("q").size()).isZero();
    }

    @Test
    void aCorpusWithoutAnyWordIsNoError() {
        Dataset dataset = TinyBenchmark.in(temp)
                .write("corpus.jsonl", "{\"_id\": \"p1\", \"text\": \"\"}\n")
                .write("queries.jsonl", "{\"_id\": \"q\", \"text\": \"fox\"}\n")
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\tp1\t1\n")
                .open();
        assertThat(run("bm25", dataset, 10, 1).of("q").size()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "ar, الثعلب تحت الجسر, ثعلب الجسر",
        "zh, 狐狸住在桥下, 狐狸住哪里",
        "de, Die Füchse schlafen unter Brücken, Wo schläft der Fuchs unter der Brücke",
        "fr, Les renards dorment sous les ponts, où dort le renard sous le pont",
        "it, Le volpi dormono sotto i ponti, volpe sotto il ponte",
        "ko, 여우가 다리 아래에서 잔다, 여우가 어디서 자는가",
        "pt, As raposas dormem debaixo das pontes, raposa debaixo da ponte",
        "ru, Лисы спят под мостами, где спят лисы под мостом",
        "es, Los zorros duermen bajo los puentes, zorro bajo el puente",
        "en, Foxes sleep under bridges, where does the fox sleep under the bridge",
    })
    void everyLanguageOfPosirHasAnAnalyzer(String language, String passage, String question) {
        Dataset dataset = TinyBenchmark.in(temp)
                .write("dataset.yaml", "name: t\nlanguage: " + language + "\n")
                .write(
                        "corpus.jsonl",
                        "{\"_id\": \"p1\", \"text\": \"" + passage + "\"}\n{\"_id\": \"p2\", \"text\": \"xyz\"}\n")
                .write("queries.jsonl", "{\"_id\": \"q\", \"text\": \"" + question + "\"}\n")
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\tp1\t1\n")
                .open();
        for (String model : List.of("bm25", "bm25-lucene")) {
            assertThat(hits(run(model, dataset, 10, 1), "q")).as(model).containsOnlyKeys("p1");
        }
    }

    @Test
    void asksForTheLanguage() {
        TinyBenchmark tiny = TinyBenchmark.in(temp).write("dataset.yaml", "name: tiny\n");
        assertThatThrownBy(() -> run("bm25", tiny.open(), 10, 1))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("dataset tiny", "'language: en'", "dataset.yaml");
        tiny.write("dataset.yaml", "name: tiny\nlanguage: xx\n");
        assertThatThrownBy(() -> run("bm25", tiny.open(), 10, 1))
                .hasMessageContainingAll("\"xx\"", "dataset tiny", "--language");
    }

    private Recipe recipe(String yaml) throws IOException {
        return RecipeBook.find(Files.writeString(temp.resolve("my.yaml"), "name: my\nkind: bm25\n" + yaml)
                .toString());
    }

    @Test
    void recipesCanBeChanged() throws IOException {
        Dataset dataset = demo();
        List<String> terms = new ArrayList<>();
        for (String yaml : List.of(
                "k1: 1.5\nb: 0.75\nanalyzer: whitespace\n",
                "k1: 1.5\nb: 0.75\nanalyzer: words\nstemmer: none\nstopwords: none\n",
                "k1: 1.5\nb: 0.75\nanalyzer: words\nstemmer: porter2\nstopwords: [the, a]\n",
                "k1: 1.5\nb: 0.75\nanalyzer: de\n")) {
            Retriever retriever = recipe(yaml).retriever();
            try (Searcher searcher = retriever.open(dataset, Engine.quiet(1, Sessions.in(Path.of("unused"))))) {
                terms.add(hits(
                                searcher.search(dataset.queries().subList(0, 1), 5)
                                        .run(),
                                "q0000")
                        .toString());
            }
        }
        assertThat(terms).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "k1: -1|field \"k1\" is -1",
                "b: 2|field \"b\" is 2",
                "k1: high|field \"k1\" is \"high\"",
                "lengths: long|field \"lengths\" is \"long\"",
                "stemer: porter2|\"stemer\"; did you mean stemmer?",
                "stemmer: snow|unknown stemmer \"snow\"",
            })
    void wrongSettingsAreNamed(String setting, String message) {
        String yaml =
                (setting.startsWith("k1") ? "" : "k1: 1\n") + (setting.startsWith("b:") ? "" : "b: 0.5\n") + setting;
        assertThatThrownBy(() -> recipe(yaml + "\n").retriever())
                .hasMessageContainingAll(temp.resolve("my.yaml") + ":", message);
    }

    @Test
    void settingsWithoutMeaningAreRefused() {
        assertThatThrownBy(() ->
                        recipe("k1: 1\nb: 0.5\nanalyzer: en\nstemmer: porter\n").retriever())
                .hasMessageContainingAll(temp.resolve("my.yaml") + ":", "\"stemmer\"", "analyzer: en");
    }
}
