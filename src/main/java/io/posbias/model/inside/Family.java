package io.posbias.model.inside;

/** Architectures whose checkpoint is written from an ONNX file, for what looks into a model or trains it. */
public enum Family {
    /** BERT and its kin: MiniLM, bge, e5, contriever, dragon, coCondenser, RetroMAE. Devlin et al. 2019, arXiv:1810.04805. */
    BERT(1e-12),
    /** RoBERTa and XLM-RoBERTa: as BERT, with positions from 2 on. Liu et al. 2019, arXiv:1907.11692. */
    ROBERTA(1e-5);

    private final double epsilon;

    Family(double epsilon) {
        this.epsilon = epsilon;
    }

    /** Default epsilon of the norms, added to the variance. */
    double epsilon() {
        return epsilon;
    }
}
