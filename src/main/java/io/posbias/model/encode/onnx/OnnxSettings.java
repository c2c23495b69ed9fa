package io.posbias.model.encode.onnx;

import io.posbias.base.json.Setting;
import java.util.List;

/**
 * Settings of every recipe with an ONNX graph, besides its files.
 *
 * @param maxTokens maximum tokens of a text or pair, special tokens included
 * @param append tokens added at the end of every text whose tokenizer does not
 * @param paddingSide of the padding
 * @param output name of the graph's output; empty for the first known one
 */
public record OnnxSettings(
        @Setting(least = 4) int maxTokens,
        @Setting(usual = "[]") List<String> append,
        @Setting(words = {"right", "left"}) String paddingSide,
        @Setting(usual = "''") String output) {
    /** Returns true if padding precedes the text. */
    public boolean padLeft() {
        return paddingSide.equals("left");
    }

    public Template complete(Template template, Tokenizer tokenizer) {
        return template.append(append.stream().mapToInt(tokenizer::id).toArray());
    }
}
