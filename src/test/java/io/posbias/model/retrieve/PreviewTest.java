package io.posbias.model.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.StandInRerankers;
import io.posbias.rank.SearchReport;
import io.posbias.rank.SearchStat;
import io.posbias.rank.TruncationReport;
import io.posbias.rank.Truncations;
import io.posbias.run.TextScorer;
import io.posbias.score.measure.SearchFacts;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import io.posbias.study.calibrate.ReferenceEncoder;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What tokenizers say ahead of what models read is what searches report, of every kind of model and around each. */
class PreviewTest {
    private static final int MAX_TOKENS = 24;

    @TempDir
    static Path temp;

    private static final List<String> WORDS = WordTokenizer.words("a b c d e f g h 狐 狸");

    private static final Map<String, String> MODELS = new HashMap<>();
    private static final Map<String, SearchReport> SEARCHED = new HashMap<>();
    private static Dataset dataset;

    private static String sentences(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : " ").append("A b ").append(i % 2 == 0 ? "🦉 d e f." : "c.");
        }
        return text.toString();
    }

    /** Passages of no sentence, one, few and many, with and without a title; all are relevant for every query. */
    @BeforeAll
    static void write() throws IOException {
        for (String kind : List.of("dense", "short", "late-interaction", "only-document", "longest-first")) {
            MODELS.put(kind, model(kind));
        }
        List<String> texts =
                List.of("a b c", "a b c d e f g h ".repeat(5).strip(), sentences(4), sentences(9), sentences(40));
        StringBuilder corpus = new StringBuilder();
        StringBuilder queries = new StringBuilder();
        StringBuilder qrels = new StringBuilder("query-id\tcorpus-id\tscore\n");
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 2 * texts.size(); i++) {
            String title = i % 2 == 0 ? "" : "a b c d e f ".repeat(i);
            ids.add("p" + i);
            corpus.append(
                    "{\"_id\": \"p%d\", \"title\": \"%s\", \"text\": \"%s\"}\n".formatted(i, title, texts.get(i / 2)));
        }
        for (int i = 0; i < ids.size(); i++) {
            int end = texts.get(i / 2).codePointCount(0, texts.get(i / 2).length());
            for (int from = 0; from + 2 <= end; from += Math.max(1, end / 5)) {
                String id = "q" + i + "-" + from;
                queries.append(
                        "{\"_id\": \"%s\", \"text\": \"%s\", \"pos_char_span\": [%d, %d], \"pos_corpus_id\": \"p%d\"}\n"
                                .formatted(id, "a b h ".repeat(1 + i), from, from + 2, i));
                ids.forEach(
                        passage -> qrels.append(id).append('\t').append(passage).append("\t1\n"));
            }
        }
        dataset = TinyBenchmark.in(temp.resolve("data"))
                .write("dataset.yaml", "name: long\nlanguage: en\nbucketing: thirds\n")
                .write("corpus.jsonl", corpus.toString())
                .write("queries.jsonl", queries.toString())
                .write("qrels/test.tsv", qrels.toString())
                .open();
    }

    private static Engine engine(int threads) {
        return Engine.quiet(threads, Sessions.in(temp.resolve("home")));
    }

    private static String model(String kind) throws IOException {
        return switch (kind) {
            case "dense", "short" ->
                new ReferenceEncoder(
                                kind,
                                ReferenceEncoder.Shape.FLAT,
                                0,
                                16,
                                1,
                                kind.equals("dense") ? MAX_TOKENS : MAX_TOKENS / 2)
                        .write(temp.resolve(kind), WORDS)
                        .toString();
            case "late-interaction" ->
                new ReferenceEncoder(
                                "late",
                                ReferenceEncoder.Shape.FLAT,
                                0,
                                new ReferenceEncoder.ReferenceScore(ReferenceEncoder.Way.MAX_SIM, 0),
                                1,
                                16,
                                1,
                                MAX_TOKENS,
                                0)
                        .write(temp.resolve("late"), WORDS)
                        .toString();
            default -> {
                WordTokenizer tokenizer = WordTokenizer.of(WORDS);
                yield StandInRerankers.write(
                                temp.resolve(kind),
                                kind,
                                StandInRerankers.overlap(tokenizer.size(), 1),
                                tokenizer.toJson(),
                                "kind: cross-encoder\nfamily: reranker\nmax-tokens: " + MAX_TOKENS + "\ntruncation: "
                                        + kind + "\ndepth: 1000\nfirst-stage: " + MODELS.get("dense") + "\n")
                        .toString();
            }
        };
    }

    /** Fusion's other models are named as the first. */
    private static Recipe recipe(String spec) {
        StringBuilder all = new StringBuilder();
        for (String part : spec.splitWithDelimiters("[+]|with=", 0)) {
            all.append(MODELS.getOrDefault(part, part));
        }
        return RecipeBook.find(all.toString());
    }

    private static Retriever retriever(String spec) {
        return recipe(spec).retriever();
    }

    /** Reports on a search, which is made once. */
    private static SearchReport searched(String spec) {
        return SEARCHED.computeIfAbsent(spec, model -> {
            try (Searcher searcher = retriever(model).open(dataset, engine(3))) {
                return searcher.search(
                                dataset.judgedQueries(), dataset.passages().size())
                        .report();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dense",
                "dense+chunked:window=8",
                "dense+chunked:window=8:sentences=true",
                "dense+late-chunked:window=4",
                "dense+mirrored",
                "dense+quantised",
                "dense+quantised:numbers=binary",
                "dense+truncated-dimensions:dimensions=4",
                "dense+fused",
                "dense+mirrored+truncated-dimensions:dimensions=4",
                "late-interaction",
                "late-interaction+chunked:window=8",
                "late-interaction+mirrored",
                "only-document",
                "longest-first",
                "only-document+chunked:window=8",
                "only-document+mirrored",
                "dense+fused:with=short",
                "bm25+fused:with=dense",
                "dense+fused:with=short+chunked:window=8",
                "dense+fused:with=short+mirrored",
                "dense+fused:with=only-document+chunked:window=8",
                "only-document+fused:with=longest-first",
                "only-document+fused:with=longest-first+chunked:window=8",
                "only-document+fused:with=longest-first+mirrored",
            })
    void isWhatASearchReports(String spec) {
        String kind = spec.replaceFirst("[+].*", "");
        Retriever retriever = retriever(spec);
        Engine engine = engine(3);
        SearchReport found = searched(spec);
        SearchReport told = retriever.preview().orElseThrow().of(dataset, engine);
        if (kind.equals("late-interaction")) {
            // Windows as of any model; how many vectors their tokens have is known when they have been read.
            assertThat(told.searchStats())
                    .isEqualTo(retriever("dense" + spec.substring(kind.length()))
                            .preview()
                            .orElseThrow()
                            .of(dataset, engine)
                            .searchStats());
            assertThat(found.searchStats()).containsOnlyKeys(SearchStat.VECTORS.key(), SearchStat.BYTES.key());
        } else if (!spec.contains("with=")) {
            assertThat(told.searchStats()).isEqualTo(found.searchStats());
        }
        assertThat(told.truncations()).usingRecursiveComparison().isEqualTo(found.truncations());
        TruncationReport own = told.truncations().models().getFirst();
        EvidenceCuts cuts = cuts(told);
        assertThat(cuts).isEqualTo(cuts(found));
        assertThat(cuts.located().cardinality())
                .isEqualTo(dataset.judgedQueries().size());
        // Windows have the whole title before them, which may be longer than the limit; late chunks have it once.
        assertThat(own.cut() == 0).isEqualTo(spec.contains("late-chunked"));
    }

    /** Of several models each keeps the counts that it has alone, under its own name; those of a first stage come last. */
    @ParameterizedTest
    @CsvSource({
        "dense+fused:with=short, dense, short",
        "dense+fused:with=short+chunked:window=8, dense+chunked:window=8, short+chunked:window=8",
        "dense+fused:with=short+mirrored, dense, short",
        "only-document+fused:with=longest-first, only-document, longest-first",
        "only-document+fused:with=longest-first+chunked:window=8, only-document+chunked:window=8,"
                + " longest-first+chunked:window=8",
        "only-document+fused:with=longest-first+mirrored, only-document, longest-first",
    })
    void eachModelOfAFusionIsCounted(String spec, String first, String second) {
        SearchReport report = searched(spec);
        Truncations fused = report.truncations();
        List<Truncations> alone =
                List.of(searched(first).truncations(), searched(second).truncations());
        assertThat(fused.models())
                .extracting(TruncationReport::stage)
                .containsExactly(first.replaceFirst("[+].*", ""), second.replaceFirst("[+].*", ""));
        for (int i = 0; i < 2; i++) {
            assertThat(fused.models().get(i))
                    .usingRecursiveComparison()
                    .ignoringFields("stage")
                    .isEqualTo(alone.get(i).models().getFirst());
        }
        boolean staged = first.startsWith("only") && !spec.endsWith("mirrored");
        assertThat(fused.firstStage())
                .extracting(TruncationReport::stage)
                .isEqualTo(staged ? List.of("dense") : List.of());
        assertThat(fused.models().getFirst())
                .usingRecursiveComparison()
                .ignoringFields("stage", "maxTokens")
                .isNotEqualTo(fused.models().getLast());
        assertThat(SearchFacts.of(report, dataset, dataset.judgedQueries()).readByAll())
                .isEqualTo(EvidenceCuts.of(fused, dataset, dataset.judgedQueries()));
        assertThatThrownBy(fused::only).isInstanceOf(IllegalStateException.class);
    }

    /** One model reads 24 tokens and the other 12, two of them special: 22 and 10 letters with the spaces between them. */
    @ParameterizedTest
    @CsvSource({"short, 19", "dense, 43", "dense+fused:with=short, 19", "short+fused:with=dense, 19", "dense+fused, 43"
    })
    void aTextIsReadAsFarAsByTheModelThatReadsLeast(String spec, int seen) {
        TextScorer scorer = new TextScorer(List.of(new TextScorer.TitledPair("a", "a b c d ".repeat(10))), "en", "en");
        try (PoolScorer opened = recipe(spec).retriever().scorer(dataset, engine(1))) {
            assertThat(scorer.score(opened))
                    .extracting(TextScorer.TextScore::seen)
                    .containsExactly(seen);
        }
    }

    /** "q9-…" are of the longest passage, whose title alone is longer than the limit. */
    @Test
    void oneThreadReadsAsThree() {
        Preview preview = retriever("dense").preview().orElseThrow();
        EvidenceCuts cuts = cuts(preview.of(dataset, engine(1)));
        assertThat(cuts).isEqualTo(cuts(preview.of(dataset, engine(3))));
        assertThat(cuts.endsPast().stream()
                        .mapToObj(query -> dataset.judgedQueries().get(query).id()))
                .contains("q9-0")
                .doesNotContain("q8-0", "q0-0");
    }

    private static EvidenceCuts cuts(SearchReport report) {
        return EvidenceCuts.of(report.truncations().withoutFirstStage(), dataset, dataset.judgedQueries());
    }

    /** A service that truncates silently makes the whole unknown, in any order. */
    @ParameterizedTest
    @ValueSource(strings = {"dense+fused:with=voyage-3-large", "voyage-3-large+fused:with=dense"})
    void aServiceInAFusionIsUnknown(String spec) {
        assertThat(retriever(spec).preview()).isEmpty();
    }

    @Test
    void modelsThatCountWordsTellNothing() {
        assertThat(RecipeBook.find("bm25").retriever().preview()).isEmpty();
        assertThat(RecipeBook.find("bm25+fused:with=bm25-lucene").retriever().preview())
                .isEmpty();
    }
}
