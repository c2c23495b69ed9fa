package io.posbias.encode.model;

import io.posbias.Fields;
import io.posbias.encode.onnx.LinearHead;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.OnnxSettings;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a recipe of a late-interaction encoder says.
 *
 * @param files its files
 * @param onnx what every graph's recipe says; its limit of tokens is the passages'
 * @param queryMarker token after the first special one of queries; empty for none
 * @param passageMarker the same of passages
 * @param queryLength tokens of a query at most, markers and special ones included; 0 for the passages' limit
 * @param expansion whether queries are filled up to that length with the mask token
 * @param maskToken which token that is
 * @param attend whether attention sees these
 * @param skip symbols whose tokens in passages take no part
 * @param skipFirstPiece whether a symbol's id is the first one of encoding it, instead of the token of that name
 * @param dropFirst whether the first token's vector takes no part
 * @param normalise whether vectors are scaled to length 1
 * @param head the projection, or null where the graph has it
 * @param dimension how many numbers a vector must have; 0 where the recipe does not say
 * @param half whether vectors are kept as 16-bit floats
 * @param fingerprint of the fields that vectors depend on
 */
record TokenSettings(
        ModelFiles files,
        OnnxSettings onnx,
        String queryMarker,
        String passageMarker,
        int queryLength,
        boolean expansion,
        String maskToken,
        boolean attend,
        List<String> skip,
        boolean skipFirstPiece,
        boolean dropFirst,
        boolean normalise,
        LinearHead.@Nullable Settings head,
        int dimension,
        boolean half,
        String fingerprint) {

    static final List<String> FIELDS = Stream.of(
                    ModelFiles.FIELDS,
                    OnnxSettings.FIELDS,
                    List.of(
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
                            "vectors"))
            .flatMap(List::stream)
            .toList();

    /** The 32 of ASCII, as Python's string.punctuation, which ColBERT leaves out. */
    private static final String PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

    static TokenSettings of(String recipe, Fields fields) {
        ModelFiles bare = ModelFiles.of(recipe, fields);
        LinearHead.Settings head = DenseSettings.head(bare, fields);
        OnnxSettings onnx = OnnxSettings.of(fields);
        int queryLength = fields.integer("query-length", 0);
        boolean expansion = fields.flag("query-expansion", false);
        if (queryLength < 0 || (expansion && queryLength == 0)) {
            throw fields.bad("query-length", "is " + queryLength, "query-expansion fills queries up to it");
        }
        if (!expansion && fields.has("attend-to-expansion")) {
            throw fields.bad("attend-to-expansion", "has no meaning without query-expansion", "remove it");
        }
        return new TokenSettings(
                head == null ? bare : bare.and(head.file()),
                onnx,
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
                fields.flag("normalise", true),
                head,
                fields.integer("dimension", 0),
                fields.oneOf("vectors", "float32", List.of("float32", "float16"))
                        .equals("float16"),
                fields.fingerprint(FIELDS));
    }

    private static List<String> skip(Fields fields) {
        List<String> symbols = fields.raw("skip") instanceof String word ? List.of(word) : fields.texts("skip");
        return symbols.equals(List.of("punctuation"))
                ? PUNCTUATION.chars().mapToObj(Character::toString).toList()
                : symbols;
    }
}
