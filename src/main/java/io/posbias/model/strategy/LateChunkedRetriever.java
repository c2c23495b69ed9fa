package io.posbias.model.strategy;

import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.retrieve.PoolScorer;
import io.posbias.model.retrieve.Preview;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.retrieve.VectorRetriever;
import io.posbias.rank.SearchReport;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.BiFunction;

/** Retriever of windows whose vectors come from an encoder of whole passages. */
final class LateChunkedRetriever extends WindowedRetriever {
    private final VectorRetriever whole;

    /**
     * @param whole encodes a passage as a vector per window
     */
    LateChunkedRetriever(
            Recipe recipe, VectorRetriever whole, WindowScore score, BiFunction<Dataset, Engine, Windows> cutter) {
        super(recipe, whole, score, cutter);
        this.whole = whole;
    }

    private VectorSource vectors(Engine engine) {
        return whole.vectors().apply(engine);
    }

    @Override
    Retriever inside(Windows windows) {
        return whole.from(engine -> new OfWindows(vectors(engine), windows));
    }

    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        VectorSource vectors = vectors(engine);
        return PoolScorer.perTexts(
                corpus,
                texts -> {
                    Windows windows = cut(texts, engine);
                    PoolScorer scorer = whole.from(same -> new OfWindows(DerivedVectors.lent(vectors), windows))
                            .scorer(windows.dataset(), engine);
                    return scorer(windows, scorer, scorer::close);
                },
                vectors::close);
    }

    /** Measures whole passages, not one per window. */
    @Override
    public Optional<Preview> preview() {
        return whole.preview().map(read -> (dataset, engine) -> {
            SearchReport own = read.of(dataset, engine);
            return new SearchReport(own.truncations(), null, searchStats(cut(dataset, engine), own), own.usage());
        });
    }

    /** Vectors of a corpus of windows; each passage is encoded once, with its first window. */
    private static final class OfWindows extends DerivedVectors {
        private final Windows windows;

        OfWindows(VectorSource whole, Windows windows) {
            super(whole, whole.dimension(), (vectors, role) -> vectors);
            this.windows = windows;
        }

        @Override
        public Collector collector(int size, Role role, String label) {
            if (role == Role.QUERY) {
                return super.collector(size, role, label);
            }
            if (size != windows.size()) {
                throw new IllegalArgumentException(size + " of " + windows.size() + " windows");
            }
            Collector collector = inner().collector(windows.passages(), role, label);
            BitSet added = new BitSet();
            return new Collector() {
                @Override
                public void add(int window, String content) {
                    int passage = windows.owner(window);
                    if (!added.get(passage)) {
                        added.set(passage);
                        collector.add(passage, content);
                    }
                }

                @Override
                public Vectors finish() {
                    Vectors found = collector.finish();
                    return Vectors.computed(
                            size,
                            dimension(),
                            window -> found.read(windows.owner(window), windows.number(window)),
                            window -> found.seen(windows.owner(window)));
                }

                @Override
                public void close() {
                    collector.close();
                }
            };
        }
    }
}
