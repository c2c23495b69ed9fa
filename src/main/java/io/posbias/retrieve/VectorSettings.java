package io.posbias.retrieve;

import io.posbias.Fields;
import io.posbias.Printable;
import java.util.List;

/**
 * How the nearest vectors are found.
 *
 * @param cosine whether vectors have length 1, so that the inner product is the cosine
 * @param hnsw whether an approximate index is used
 * @param links links of a node in it (Lucene's maxConn; M in the paper, arXiv:1603.09320)
 * @param construction candidates looked at while it is built (ef construction)
 * @param candidates candidates looked at while it is searched (ef), at least k
 */
public record VectorSettings(boolean cosine, boolean hnsw, int links, int construction, int candidates) {
    static final List<String> FIELDS = List.of("similarity", "search", "hnsw");

    /** Lucene's own default is 16; 32 costs memory only and loses fewer neighbours. */
    private static final int LINKS = 32;

    private static final int CONSTRUCTION = 200;
    private static final int CANDIDATES = 200;

    static VectorSettings of(Fields fields) {
        String similarity = fields.text("similarity", "cosine");
        if (!similarity.equals("cosine") && !similarity.equals("dot")) {
            throw fields.bad("similarity", "is " + Printable.quoted(similarity), "it is cosine or dot");
        }
        if (similarity.equals("cosine") && !fields.flag("normalise", true)) {
            throw fields.bad(
                    "similarity", "is cosine, of vectors that are not normalised", "say normalise: true, or dot");
        }
        String search = fields.text("search", "exact");
        if (!search.equals("exact") && !search.equals("hnsw")) {
            throw fields.bad("search", "is " + Printable.quoted(search), "it is exact or hnsw");
        }
        if (search.equals("exact") && fields.has("hnsw")) {
            throw fields.bad("hnsw", "has no meaning with search: exact", "remove it, or say search: hnsw");
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

    /** The same for vectors that do not have length 1. */
    VectorSettings byProduct() {
        return new VectorSettings(false, hnsw, links, construction, candidates);
    }
}
