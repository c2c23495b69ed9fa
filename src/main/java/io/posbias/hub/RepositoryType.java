package io.posbias.hub;

/** What a repository on the Hub holds; the Hub addresses both kinds in different ways. */
public enum RepositoryType {
    /** Texts, queries and judgements. */
    DATASET("data set", "datasets/", "datasets"),
    /** Weights, graphs and tokenizers. */
    MODEL("model", "", "models");

    /** What messages call it, in the singular. */
    final String words;
    /** What is before the repository's name in addresses that a person sees: models have nothing there. */
    final String prefix;
    /** Its name in the Hub's API and in the folders of caches. */
    final String plural;

    RepositoryType(String words, String prefix, String plural) {
        this.words = words;
        this.prefix = prefix;
        this.plural = plural;
    }
}
