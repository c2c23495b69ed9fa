package io.posbias.model.retrieve;

import io.posbias.base.json.Setting;
import io.posbias.base.process.Closing;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.onnx.OnnxRuntime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of nearest-neighbour search.
 *
 * @param similarity cosine, of vectors of length 1, or their inner product
 * @param search exact, or by an approximate index
 * @param hnsw numbers of the index; null for the defaults
 * @param normalise false for vectors of any length
 */
public record VectorSettings(
        @Setting(words = {"cosine", "dot"}) String similarity,
        @Setting(words = {"exact", "hnsw"}) String search,
        @Nullable Hnsw hnsw,
        @Setting(usual = "true") boolean normalise)
        implements VectorRetriever.Kind {
    static final VectorSettings USUAL = new VectorSettings("cosine", "exact", null, true);

    /**
     * Numbers of an approximate index.
     *
     * @param m links of a node (Lucene's maxConn; M in arXiv:1603.09320); twice Lucene's default, which costs memory only
     *     and loses fewer neighbours
     * @param efConstruction candidates visited during indexing
     * @param ef candidates visited during search, at least k
     */
    record Hnsw(
            @Setting(usual = "" + Hnsw.LINKS, least = 1) int m,
            @Setting(usual = "" + Hnsw.VISITED, least = 1) int efConstruction,
            @Setting(usual = "" + Hnsw.VISITED, least = 1) int ef) {
        private static final int LINKS = 32;
        private static final int VISITED = 200;
        private static final Hnsw USUAL = new Hnsw(LINKS, VISITED, VISITED);
    }

    public VectorSettings {
        if (similarity.equals("cosine") && !normalise) {
            throw new Setting.Wrong(
                    "similarity", "is cosine, but vectors are not normalised", "set normalise: true, or use dot");
        }
        if (search.equals("exact") && hnsw != null) {
            throw new Setting.Wrong("hnsw", "has no meaning with search: exact", "remove it, or set search: hnsw");
        }
    }

    /** Candidates are multiplied exactly: their scores equal those of an exact search. */
    VectorIndex open(EncodedPassages passages, Engine engine, String label, boolean searches) {
        OnnxRuntime runtime = OnnxRuntime.besides(engine.device(), engine.session());
        boolean topK = searches && runtime.device().isCuda();
        ExactSearch exact = new ExactSearch(runtime, engine.threads(), passages, topK);
        return searches && search.equals("hnsw")
                ? Closing.onFailure(() -> HnswSearch.build(this, exact, engine, label), exact::close)
                : exact;
    }

    /** Returns true for vectors of length 1, whose inner product is the cosine. */
    boolean cosine() {
        return similarity.equals("cosine");
    }

    Hnsw numbers() {
        return Objects.requireNonNullElse(hnsw, Hnsw.USUAL);
    }

    /** Returns these for vectors of any length. */
    VectorSettings byProduct() {
        return new VectorSettings("dot", search, hnsw, normalise);
    }
}
