package io.posbias.cli;

import io.posbias.Checksums;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Staging;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetReader;
import io.posbias.dataset.DatasetWriter;
import io.posbias.dataset.Passage;
import io.posbias.dataset.PassageIds;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ScoredItem;
import io.posbias.retrieve.Coverage;
import io.posbias.retrieve.Ranking;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.ScoredPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Scores the items of a probe with any retriever: their different texts become the passages of a temporary benchmark, so
 * statistics of a corpus, such as BM25's, are those of all texts of the probe.
 */
final class ItemScorer {
    /** The texts of each query, and the number of each query and text. */
    private final Map<String, Set<String>> textsOf = new LinkedHashMap<>();

    private final Map<String, Integer> texts = new LinkedHashMap<>();
    private final List<ProbeItem> items;
    private final String language;
    private final String queryLanguage;

    /** The language of probes, whose items come without one. */
    private static final String ENGLISH = "en";

    /** Prepares the items of one probe, in English. */
    ItemScorer(List<ProbeItem> items) {
        this(items, ENGLISH, ENGLISH);
    }

    /** The digest of the items of probes, in English. */
    static String digest(List<ProbeItem> items) {
        return digest(items, ENGLISH, ENGLISH);
    }

    /** Prepares items in the languages of a benchmark, as ISO 639-1 codes: BM25 takes words apart by them. */
    ItemScorer(List<ProbeItem> items, String language, String queryLanguage) {
        this.language = language;
        this.queryLanguage = queryLanguage;
        this.items = List.copyOf(items);
        for (ProbeItem item : items) {
            add(item.query(), item.text1());
            if (item.text2() != null) {
                add(item.query(), item.text2());
            }
        }
    }

    private void add(String query, String text) {
        textsOf.computeIfAbsent(query, key -> new LinkedHashSet<>()).add(text);
        texts.putIfAbsent(text, texts.size());
    }

    /**
     * SHA-256 of what is scored: items of equal digests get equal scores of a model.
     *
     * @param language as in the constructor
     */
    static String digest(List<ProbeItem> items, String language, String queryLanguage) {
        MessageDigest digest = Checksums.digest("SHA-256");
        feed(digest, language);
        feed(digest, queryLanguage);
        for (ProbeItem item : items) {
            feed(digest, item.probe());
            feed(digest, item.id());
            feed(digest, item.query());
            feed(digest, item.text1());
            feed(digest, item.text2() == null ? "" : item.text2());
            feed(digest, new TreeMap<>(item.tags()).toString());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** With its length before it, so that texts cannot be cut apart in two ways. */
    private static void feed(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }

    /** Scores all items with a model, in their order; says what of their texts the model did not read. */
    List<ScoredItem> score(Recipe recipe, Engine engine) {
        Path folder = temporary();
        try {
            Dataset dataset = write(folder);
            ScoredPool scored = recipe.retriever().score(dataset, pool(dataset), engine);
            scored.coverages().forEach(coverage -> tell(coverage, engine));
            return collect(dataset, scored.run());
        } finally {
            Staging.delete(folder);
        }
    }

    /** A model is not biased against what it never saw; to probes and diagnoses it looks as if it were. */
    private static void tell(Coverage coverage, Engine engine) {
        if (!coverage.isKnown()) {
            engine.say().accept(coverage.stage() + ": the service may have cut texts; it does not say");
        } else if (coverage.cut() > 0) {
            engine.say()
                    .accept(coverage.stage() + ": " + coverage.cut() + " of " + coverage.total() + " "
                            + (coverage.unit() == Coverage.Unit.PASSAGES ? "texts" : "pairs") + " were cut at "
                            + coverage.maxTokens() + " tokens; what lies past the cut was not read");
        }
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("posbias-probe-");
        } catch (IOException refused) {
            throw new PosbiasException(
                    Problems.describe("write", Path.of(System.getProperty("java.io.tmpdir")), refused), refused);
        }
    }

    private Dataset write(Path folder) {
        try (DatasetWriter writer = new DatasetWriter(folder, false)) {
            texts.forEach((text, number) -> writer.passage(new Passage(id(number), "", text)));
            int query = 0;
            for (Map.Entry<String, Set<String>> entry : textsOf.entrySet()) {
                String id = "q" + query++;
                writer.query(new Query(id, entry.getKey(), null));
                String first = entry.getValue().iterator().next();
                writer.judgment(id, id(Objects.requireNonNull(texts.get(first))), 1);
            }
            writer.finish(new DatasetCard(
                    "probe", language, queryLanguage, "", "", "", "", DatasetCard.EvidenceText.PASSAGE, Map.of()));
        }
        return DatasetReader.open(folder);
    }

    private static String id(int text) {
        return "t" + text;
    }

    private Run pool(Dataset dataset) {
        PassageIds ids = dataset.passages().ids();
        List<String> queries = new ArrayList<>();
        List<Ranking> rankings = new ArrayList<>();
        for (Set<String> own : textsOf.values()) {
            queries.add("q" + queries.size());
            int[] candidates = own.stream()
                    .mapToInt(text -> ids.ordinal(id(Objects.requireNonNull(texts.get(text)))))
                    .toArray();
            rankings.add(Ranking.of(candidates, new float[candidates.length]));
        }
        return new Run(ids, queries, rankings);
    }

    private List<ScoredItem> collect(Dataset dataset, Run scored) {
        PassageIds ids = dataset.passages().ids();
        Map<String, Map<Integer, Double>> scores = new HashMap<>();
        int number = 0;
        for (String query : textsOf.keySet()) {
            Ranking ranking = scored.ranking(number++);
            Map<Integer, Double> own = new HashMap<>();
            for (int rank = 0; rank < ranking.size(); rank++) {
                own.put(ranking.passage(rank), (double) ranking.score(rank));
            }
            scores.put(query, own);
        }
        List<ScoredItem> all = new ArrayList<>();
        for (ProbeItem item : items) {
            Map<Integer, Double> own = Objects.requireNonNull(scores.get(item.query()));
            String second = item.text2();
            all.add(new ScoredItem(
                    item, of(own, ids, item.text1()), second == null ? null : (Double) of(own, ids, second)));
        }
        return all;
    }

    private double of(Map<Integer, Double> scores, PassageIds ids, String text) {
        int ordinal = ids.ordinal(id(Objects.requireNonNull(texts.get(text))));
        return Objects.requireNonNull(scores.get(ordinal), "a retriever scores every candidate");
    }
}
