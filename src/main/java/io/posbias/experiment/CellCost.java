package io.posbias.experiment;

/**
 * What evaluating a cell takes, by counts alone: every machine gets the same. What a strategy makes of the texts is not counted.
 *
 * @param corpus what is encoded once for all cells of a model that have it in common; the benchmark's name where nothing is
 * @param texts that models encode
 * @param pairs of a query and a candidate that models score
 * @param tokens that are read: by models, or by BM25 where no model reads
 * @param shared floating-point operations that are spent once for all cells of the corpus
 * @param own floating-point operations of this cell
 */
record CellCost(String corpus, double texts, double pairs, double tokens, double shared, double own) {
    double all() {
        return shared + own;
    }

    /** With what a first stage takes, which is no cell of its own. */
    CellCost after(CellCost first) {
        return new CellCost(
                corpus, texts + first.texts, pairs + first.pairs, tokens + first.tokens, shared, own + first.all());
    }

    /** The same of a corpus that no other cell has. */
    CellCost alone(String benchmark) {
        return new CellCost(benchmark, texts, pairs, tokens, 0, all());
    }
}
