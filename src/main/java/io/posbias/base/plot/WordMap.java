package io.posbias.base.plot;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Numbers by query word and document word.
 *
 * @param values by row and column
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record WordMap(String title, List<Word> rows, List<Word> columns, double[][] values) {
    public enum Mark {
        /** Word of the text. */
        PLAIN,
        /** Special token, or word of a prompt. */
        SPECIAL,
        /** Word that overlaps the evidence. */
        EVIDENCE
    }

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
