package io.posbias.encode.onnx;

import io.posbias.Fields;
import java.util.List;

/**
 * Settings of every recipe with an ONNX graph, besides its files.
 *
 * @param maxTokens maximum tokens of a text or pair, special tokens included
 * @param append tokens added at the end of every text whose tokenizer does not
 * @param padLeft true if padding precedes the text
 * @param output name of the graph's output; empty for the first known one
 */
public record OnnxSettings(int maxTokens, List<String> append, boolean padLeft, String output) {
    public static final List<String> FIELDS = List.of("max-tokens", "append", "padding-side", "output");

    private static final int LEAST_TOKENS = 4;

    public static OnnxSettings of(Fields fields) {
        int maxTokens = fields.integer("max-tokens");
        if (maxTokens < LEAST_TOKENS) {
            throw fields.bad("max-tokens", "is " + maxTokens, "a text needs at least " + LEAST_TOKENS);
        }
        String side = fields.oneOf("padding-side", "right", List.of("right", "left"));
        return new OnnxSettings(maxTokens, fields.texts("append"), side.equals("left"), fields.text("output", ""));
    }

    public Template complete(Template template, Tokenizer tokenizer) {
        return template.append(append.stream().mapToInt(tokenizer::id).toArray());
    }
}
