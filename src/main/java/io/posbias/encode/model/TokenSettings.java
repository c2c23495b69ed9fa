package io.posbias.encode.model;

import io.posbias.Fields;
import java.util.List;

/**
 * What a recipe of a late-interaction encoder says.
 *
 * @param graph what recipes of all encoders say; its limit of tokens is the passages'
 * @param queryMarker token after the first special one of queries; empty for none
 * @param passageMarker the same of passages
 * @param queryLength tokens of a query at most, markers and special ones included; 0 for the passages' limit
 * @param expansion whether queries are filled up to that length with the mask token
 * @param maskToken which token that is
 * @param attend whether attention sees these
 * @param skip symbols whose tokens in passages take no part
 * @param skipFirstPiece whether a symbol's id is the first one of encoding it, instead of the token of that name
 * @param dropFirst whether the first token's vector takes no part
 * @param half whether vectors are kept as 16-bit floats
 */
record TokenSettings(
        GraphSettings graph,
        String queryMarker,
        String passageMarker,
        int queryLength,
        boolean expansion,
        String maskToken,
        boolean attend,
        List<String> skip,
        boolean skipFirstPiece,
        boolean dropFirst,
        boolean half) {
    static final List<String> FIELDS = GraphSettings.fields(
                            "query-marker",
                            "document-marker",
                            "query-length",
                            "query-expansion",
                            "mask-token",
                            "attend-to-expansion",
                            "skip",
                            "skip-lookup",
                            "drop-first",
                            "normalise",
                            "head",
                            "dimension",
                            "vectors");

    /** The 32 of ASCII, as Python's string.punctuation, which ColBERT leaves out. */
    private static final String PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

    static TokenSettings of(String recipe, Fields fields) {
        GraphSettings graph = GraphSettings.of(recipe, fields, FIELDS);
        int queryLength = fields.integer("query-length", 0);
        boolean expansion = fields.flag("query-expansion", false);
        if (queryLength < 0 || (expansion && queryLength == 0)) {
            throw fields.bad("query-length", "is " + queryLength, "query-expansion fills queries up to it");
        }
        if (!expansion && fields.has("attend-to-expansion")) {
            throw fields.bad("attend-to-expansion", "has no meaning without query-expansion", "remove it");
        }
        return new TokenSettings(
                graph,
                fields.text("query-marker", ""),
                fields.text("document-marker", ""),
                queryLength,
                expansion,
                fields.text("mask-token", "[MASK]"),
                fields.flag("attend-to-expansion", false),
                skip(fields),
                fields.oneOf("skip-lookup", "token", List.of("token", "first-piece"))
                        .equals("first-piece"),
                fields.flag("drop-first", false),
                fields.oneOf("vectors", "float32", List.of("float32", "float16"))
                        .equals("float16"));
    }

    private static List<String> skip(Fields fields) {
        List<String> symbols = fields.raw("skip") instanceof String word ? List.of(word) : fields.texts("skip");
        return symbols.equals(List.of("punctuation"))
                ? PUNCTUATION.chars().mapToObj(Character::toString).toList()
                : symbols;
    }
}
