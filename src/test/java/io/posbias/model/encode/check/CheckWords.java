package io.posbias.model.encode.check;

import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.study.calibrate.WordTokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

public final class CheckWords {
    private static final List<String> MARKS = List.of("[unused0]", "[unused1]", "yes", "no", ",", ".", ";", "?");

    private CheckWords() {}

    public static List<String> all() {
        List<String> words = new ArrayList<>(MARKS);
        words.addAll(WordTokenizer.words(CheckTexts.QUERY));
        CheckTexts.ALL.forEach(text -> words.addAll(WordTokenizer.words(text)));
        return words;
    }

    public static byte[] tokenizer() {
        return WordTokenizer.of(all()).toJson();
    }

    public static int size() {
        return WordTokenizer.of(all()).size();
    }

    /** Random numbers for each token, also for padding. */
    public static float[] numbers(int width) {
        float[] numbers = new float[size() * width];
        Random random = new Random(7);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (float) random.nextGaussian();
        }
        return numbers;
    }

    public static OnnxGraph table(int width, float... numbers) {
        return new OnnxGraph()
                .input("input_ids", OnnxGraph.Type.INT64, "batch", "length")
                .input("attention_mask", OnnxGraph.Type.INT64, "batch", "length")
                .constant("table", numbers, size(), width)
                .node("Gather", List.of("table", "input_ids"), List.of("words"));
    }
}
