package io.posbias.retrieve;

import io.posbias.Fields;
import java.util.List;

/**
 * Settings of nearest-neighbour search.
 *
 * @param cosine true for vectors of length 1, whose inner product is the cosine
 * @param hnsw true for an approximate index
 * @param links of a node (Lucene's maxConn; M in arXiv:1603.09320)
 * @param construction candidates visited during indexing (ef construction)
 * @param candidates visited during search (ef), at least k
 */
public record VectorSettings(boolean cosine, boolean hnsw, int links, int construction, int candidates) {
    static final List<String> FIELDS = List.of("similarity", "search", "hnsw");

    /** Twice Lucene's default: costs memory only and loses fewer neighbours. */
    private static final int LINKS = 32;

    private static final int CONSTRUCTION = 200;
    private static final int CANDIDATES = 200;

    static VectorSettings of(Fields fields) {
        String similarity = fields.oneOf("similarity", "cosine", List.of("cosine", "dot"));
        if (similarity.equals("cosine") && !fields.flag("normalise", true)) {
            throw fields.bad(
                    "similarity", "is cosine, but vectors are not normalised", "set normalise: true, or use dot");
        }
        String search = fields.oneOf("search", "exact", List.of("exact", "hnsw"));
        if (search.equals("exact") && fields.has("hnsw")) {
            throw fields.bad("hnsw", "has no meaning with search: exact", "remove it, or set search: hnsw");
        }
        Fields hnsw = fields.record("hnsw");
        hnsw.refuseOthers(List.of("m", "ef-construction", "ef"));
        return new VectorSettings(
                similarity.equals("cosine"),
                search.equals("hnsw"),
                hnsw.positive("m", LINKS),
                hnsw.positive("ef-construction", CONSTRUCTION),
                hnsw.positive("ef", CANDIDATES));
    }

    /** Returns these for vectors of any length. */
    VectorSettings byProduct() {
        return new VectorSettings(false, hnsw, links, construction, candidates);
    }
}
