package io.posbias.model.encode.api;

/** Origins of a service's settings, with the advice of errors. */
public enum ConfiguredIn {
    /** A recipe, which names a service. */
    RECIPE(
            "leave out \"key\" if the server needs none",
            "It wants a key: name the environment variable that holds it as the recipe's key, or a header's with headers: {api-key: $VARIABLE}.",
            "name it as the recipe's endpoint",
            "Does the recipe name the right service, model and dimension for this endpoint?",
            " If it wants the key in another header, name both in the recipe: headers: {api-key: $VARIABLE}."),
    /** Options of the command line, which name a model. */
    OPTIONS(
            "name no variable if the server needs no key",
            "It wants a key: name the environment variable that holds it with --key-env or --judge-key-env.",
            "give it as the address",
            "Is this the address of a service that answers like OpenAI's chat completions?",
            "");

    /** Advice on sending no key. */
    final String withoutKey;
    /** Advice on sending a key. */
    final String keyWanted;
    /** Advice on following a redirect. */
    final String elsewhere;
    /** Advice on an answer of another shape. */
    final String wrong;
    /** Advice on a key that was sent and not accepted; empty for none. */
    final String otherHeader;

    ConfiguredIn(String withoutKey, String keyWanted, String elsewhere, String wrong, String otherHeader) {
        this.withoutKey = withoutKey;
        this.keyWanted = keyWanted;
        this.elsewhere = elsewhere;
        this.wrong = wrong;
        this.otherHeader = otherHeader;
    }
}
