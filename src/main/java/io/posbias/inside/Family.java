package io.posbias.inside;

/** Transformers that differ in their weights alone. */
public enum Family {
    /** BERT and its kin: MiniLM, bge, e5, contriever, dragon, coCondenser, RetroMAE. Devlin et al. 2019, arXiv:1810.04805. */
    BERT("embeddings.word_embeddings.weight", 1e-12),
    /** RoBERTa and XLM-RoBERTa: as BERT, with positions from 2 on. Liu et al. 2019, arXiv:1907.11692. */
    ROBERTA("embeddings.word_embeddings.weight", 1e-5),
    /** Qwen3: a decoder with rotary positions, grouped queries and RMS norms. Yang et al. 2025, arXiv:2505.09388. */
    QWEN3("embed_tokens.weight", 1e-6);

    private final String first;
    private final double epsilon;

    Family(String first, double epsilon) {
        this.first = first;
        this.epsilon = epsilon;
    }

    /** The name of the token embeddings, whatever a file puts before all names. */
    public String first() {
        return first;
    }

    /** What its norms add to the variance unless a recipe says otherwise. */
    double epsilon() {
        return epsilon;
    }
}
