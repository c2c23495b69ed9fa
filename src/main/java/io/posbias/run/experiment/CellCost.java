package io.posbias.run.experiment;

/**
 * Counts of work of a cell, which do not depend on the machine. Texts made by a strategy are not counted.
 *
 * @param corpus encoded once for all cells of a model that share it; the benchmark's name if nothing is
 * @param texts to encode
 * @param tokens read by models, or by BM25 without a model
 * @param shared floating-point operations of the corpus
 * @param own floating-point operations of the cell
 */
record CellCost(String corpus, double texts, double pairs, double tokens, double shared, double own) {
    double all() {
        return shared + own;
    }

    CellCost after(CellCost first) {
        return new CellCost(
                corpus, texts + first.texts, pairs + first.pairs, tokens + first.tokens, shared, own + first.all());
    }

    CellCost alone(String benchmark) {
        return new CellCost(benchmark, texts, pairs, tokens, 0, all());
    }
}
