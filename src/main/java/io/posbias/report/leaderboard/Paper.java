package io.posbias.report.leaderboard;

import io.posbias.Configs;
import io.posbias.Json;
import io.posbias.measure.Measures;
import io.posbias.result.Result;
import io.posbias.result.ResultFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Papers with tables in {@code data/published/PAPER.json}, in the form of {@link ResultFile}. Counts of queries are
 * unknown and 0.
 */
public enum Paper {
    /**
     * Zeng et al. 2025, arXiv:2505.13950, Table 1: BM25 and dense models on SQuAD-PosQ and FineWeb-PosQ, late interaction and
     * rerankers on their tiny subsets (section 4.1).
     */
    POSQ,
    /**
     * Zeng et al. 2026, arXiv:2601.08363, PosIR: the authors' own output at full precision, ten models on {@code posir/LANG}
     * and {@code posir/LANG-eng-Latn}.
     */
    POSIR,
    /**
     * arXiv:2605.26578, Tables 1 to 3: models trained on evidence at the beginning (MB), in the middle (MM), at the end (ME)
     * and everywhere (MU). Its means are taken for means over positions, on BEIR over queries.
     */
    TRAINING,
    /** Fayyaz et al. 2025, arXiv:2503.05037, "Collapse of Dense Retrievers", Tables 2 and A.3. */
    COLDER;

    private static final String LINK = "published-as";

    private static final String TIE_AVERAGED = "nDCG_tieavg@10";

    /** Results by file, read once. */
    private static final Map<String, List<Result>> READ = new ConcurrentHashMap<>();

    public List<Result> results() {
        return read(toString());
    }

    /** Returns the means of PosIR's models on MMTEB retrieval, from PosIR's Table 2. */
    static List<Result> mmteb() {
        return read("mmteb");
    }

    private static List<Result> read(String name) {
        String file = "data/published/" + name + ".json";
        return READ.computeIfAbsent(
                name, unread -> List.copyOf(ResultFile.read(Json.parse(Path.of(file), Configs.read(file)))));
    }

    /**
     * Measure of the position profiles. The SQuAD-PosQ paper uses scikit-learn's ndcg_score, in which tied passages
     * share their discounts; PosIR uses trec_eval's rule. The third paper's code is unknown.
     */
    public String measure() {
        return this == POSQ ? TIE_AVERAGED : Measures.DEFAULT;
    }

    String nameOf(Result result) {
        return !result.isPublished()
                        && result.recipe().get(LINK) instanceof Map<?, ?> names
                        && names.get(toString()) instanceof String name
                ? name
                : result.model();
    }

    static boolean isOf(Result own, Result published) {
        return own.recipe().get(LINK) instanceof Map<?, ?> names
                && published
                        .model()
                        .equals(names.get(String.valueOf(published.recipe().get("paper"))));
    }

    /** Name in {@code published-as} of recipes. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
