package io.posbias.retrieve;

import io.posbias.Progress;
import io.posbias.dataset.PassageIds;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.cache.Vectors;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A corpus in vectors. */
final class DenseSearcher implements Searcher {
    /** Queries whose exact answer an approximate one is held against: the first so many. */
    private static final int SAMPLE = 1_000;

    private final Recipe recipe;
    private final PassageIds ids;
    private final CachedEncoder encoder;
    private final Vectors passages;
    private final PassageTexts texts;
    private final ExactSearch exact;
    private final @Nullable HnswSearch hnsw;
    private final Engine engine;
    private final Map<String, Double> figures = new LinkedHashMap<>();
    private long queriesCut;

    DenseSearcher(
            Recipe recipe,
            PassageIds ids,
            CachedEncoder encoder,
            Vectors passages,
            PassageTexts texts,
            ExactSearch exact,
            @Nullable HnswSearch hnsw,
            Engine engine) {
        this.recipe = recipe;
        this.ids = ids;
        this.encoder = encoder;
        this.passages = passages;
        this.texts = texts;
        this.exact = exact;
        this.hnsw = hnsw;
        this.engine = engine;
    }

    @Override
    public Run search(List<Query> queries, int k) {
        Vectors vectors = encoder.encode(
                queries.stream().map(Query::text).toList(), Role.QUERY, "encode queries with " + recipe.name());
        queriesCut = vectors.cut();
        List<Ranking> rankings;
        try (Progress.Step step = engine.progress()
                .start("search with " + recipe.name(), queries.size() * (hnsw == null ? exact.pieces(passages) : 1))) {
            rankings = Arrays.asList(
                    hnsw == null
                            ? exact.search(vectors, passages, k, step)
                            : hnsw.search(vectors, k, engine.threads(), step));
        }
        if (hnsw != null) {
            figures.put("hnsw_recall@" + k, recall(vectors, rankings, k));
        }
        return new Run(ids, queries.stream().map(Query::id).toList(), rankings);
    }

    /** The share of the exact best k that the approximate search found, over the first queries. */
    private double recall(Vectors vectors, List<Ranking> found, int k) {
        Vectors sample = vectors.first(SAMPLE);
        Ranking[] best = exact.search(sample, passages, k, Progress.NONE.start("", 0));
        long wanted = 0;
        long hit = 0;
        for (int i = 0; i < best.length; i++) {
            int[] own = found.get(i).passages();
            Arrays.sort(own);
            for (int passage : best[i].passages()) {
                hit += Arrays.binarySearch(own, passage) >= 0 ? 1 : 0;
            }
            wanted += best[i].size();
        }
        return wanted == 0 ? 1 : (double) hit / wanted;
    }

    @Override
    public Account account() {
        int[] seen = new int[passages.size()];
        for (int i = 0; i < seen.length; i++) {
            seen[i] = texts.seenOfText(i, passages.seen(i));
        }
        int maxTokens = recipe.settings().integer("max-tokens", 0);
        Map<String, Number> effort = encoder.effort();
        return new Account(
                List.of(Coverage.ofPassages(recipe.name(), maxTokens, seen, queriesCut)), null, figures, effort);
    }

    @Override
    public void close() {
        exact.close();
        if (hnsw != null) {
            hnsw.close();
        }
        encoder.close();
    }
}
