package io.posbias.fetch.hub;

/** Types of repositories on the Hub, with their addresses. */
public enum RepositoryType {
    /** Texts, queries and judgements. */
    DATASET("data set", "datasets/", "datasets"),
    /** Weights, graphs and tokenizers. */
    MODEL("model", "", "models");

    /** Noun for messages. */
    final String words;
    /** Prefix of the repository's name in addresses of pages; models have none. */
    final String prefix;
    /** Name in the Hub's API and in the folders of caches. */
    final String plural;

    RepositoryType(String words, String prefix, String plural) {
        this.words = words;
        this.prefix = prefix;
        this.plural = plural;
    }
}
