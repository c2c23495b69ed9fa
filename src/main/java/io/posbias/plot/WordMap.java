package io.posbias.plot;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A number for each word of a query with each word of a document.
 *
 * @param values of rows, each of as many numbers as there are columns
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record WordMap(String title, List<Word> rows, List<Word> columns, double[][] values) {
    /** Kinds of words. */
    public enum Mark {
        /** One of the text. */
        PLAIN,
        /** A special token of the model, or one of a prompt. */
        SPECIAL,
        /** One of the text that holds any of the evidence. */
        EVIDENCE
    }

    /** A word. */
    public record Word(String text, Mark mark) {}

    /** The greatest absolute value. */
    public double most() {
        return Arrays.stream(values)
                .flatMapToDouble(Arrays::stream)
                .map(Math::abs)
                .max()
                .orElse(0);
    }

    double sum(int from, int to) {
        return Arrays.stream(values)
                .flatMapToDouble(row -> Arrays.stream(row, from, to))
                .sum();
    }

    List<Integer> marked(Mark mark) {
        return IntStream.range(0, columns.size())
                .filter(i -> columns.get(i).mark() == mark)
                .boxed()
                .toList();
    }
}
