package io.posbias.encode.check;

import io.posbias.encode.onnx.Template;
import io.posbias.encode.onnx.TextRows;
import io.posbias.encode.onnx.TokenRow;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Asks a model for the same rows in several ways and measures how far its answers are apart: each row alone, in company of
 * rows of its own length, in one batch padded on the right and on the left, and with one token exchanged.
 */
final class RowCheck {
    /** Texts of fewer tokens do not count where one token is exchanged: it may be all there is. */
    static final int LEAST_TOKENS = 4;

    /** So many other tokens are tried while nothing changes: a single number may come out the same by chance. */
    private static final int TRIES = 4;

    private final List<Text> texts;
    private final List<TokenRow> rows;
    private final Model model;
    /** The answers for every row alone. */
    final List<float[]> alone;

    private final List<Integer> tokens;

    @FunctionalInterface
    interface Model {
        /** One answer for each row, in order; shorter rows are padded on the left or on the right. */
        List<float[]> answers(List<TokenRow> rows, boolean padLeft);
    }

    /** How far two answers are apart of which one is of a row with a token exchanged at a place; 0 for equal ones. */
    @FunctionalInterface
    interface Change {
        double between(float[] before, float[] after, int place);
    }

    /**
     * A row and where its own tokens are, between what template and prompt put around them.
     *
     * @param from the first
     * @param to the token after the last
     */
    record Text(TokenRow row, int from, int to) {
        static Text of(TokenRow row, TextRows maker) {
            Template template = maker.template();
            int from = Math.max(template.before().length, row.prompt());
            return new Text(row, from, row.size() - template.after().length);
        }

        /** What a row has more than the same row without it: of two texts in one row, one of them. */
        static Text inserted(TokenRow row, TokenRow without) {
            int most = Math.min(row.size(), without.size());
            int differs = Arrays.mismatch(row.ids(), without.ids());
            int from = differs < 0 ? most : differs;
            int after = 0;
            while (after < most - from
                    && row.ids()[row.size() - 1 - after] == without.ids()[without.size() - 1 - after]) {
                after++;
            }
            return new Text(row, from, row.size() - after);
        }

        int size() {
            return to - from;
        }

        int first() {
            return from;
        }

        int last() {
            return to - 1;
        }

        TokenRow with(int place, int id) {
            int[] ids = row.ids().clone();
            ids[place] = id;
            return new TokenRow(ids, row.types(), row.hidden(), row.prompt(), row.seen());
        }
    }

    /** The largest distance between a row alone and among rows of its length, and in a batch padded on either side. */
    record Sameness(double company, double right, double left) {
        double padded(boolean onLeft) {
            return onLeft ? left : right;
        }
    }

    /**
     * Asks for every row alone.
     *
     * @param texts with tokens of their own, and {@linkplain #canExchange two different ones} at least
     */
    RowCheck(List<Text> texts, Model model) {
        this.texts = texts;
        this.rows = texts.stream().map(Text::row).toList();
        this.model = model;
        this.alone = rows.stream().map(this::answer).toList();
        this.tokens = tokens(texts);
    }

    private float[] answer(TokenRow row) {
        return model.answers(List.of(row), false).getFirst();
    }

    /** The length of all rows, in tokens, if they have but one. */
    OptionalInt oneLength() {
        int[] lengths = rows.stream().mapToInt(TokenRow::size).distinct().toArray();
        return lengths.length == 1 ? OptionalInt.of(lengths[0]) : OptionalInt.empty();
    }

    /**
     * Asks for every row in company.
     *
     * @param distance between two answers for one row; 0 for equal ones
     */
    Sameness sameness(ToDoubleBiFunction<float[], float[]> distance) {
        double company = 0;
        for (int i = 0; i < texts.size(); i++) {
            Text text = texts.get(i);
            TokenRow otherFirst = text.with(text.first(), others(text, text.first())[0]);
            TokenRow otherLast = text.with(text.last(), others(text, text.last())[0]);
            List<float[]> together = model.answers(List.of(otherFirst, text.row(), otherLast), false);
            company = Math.max(company, distance.applyAsDouble(alone.get(i), together.get(1)));
        }
        return new Sameness(company, padded(false, distance), padded(true, distance));
    }

    private double padded(boolean left, ToDoubleBiFunction<float[], float[]> distance) {
        List<float[]> batch = model.answers(rows, left);
        return IntStream.range(0, batch.size())
                .mapToDouble(i -> distance.applyAsDouble(alone.get(i), batch.get(i)))
                .reduce(0, Math::max);
    }

    /**
     * Puts other tokens into a place of every row.
     *
     * @param place of a text's own token
     * @param unchanged changes up to this are none
     * @return the smallest change of all texts; empty when all have fewer than {@value #LEAST_TOKENS} tokens
     */
    OptionalDouble exchanged(ToIntFunction<Text> place, double unchanged, Change change) {
        return IntStream.range(0, texts.size())
                .filter(i -> texts.get(i).size() >= LEAST_TOKENS)
                .mapToDouble(i -> exchanged(i, place.applyAsInt(texts.get(i)), unchanged, change))
                .min();
    }

    private double exchanged(int i, int place, double unchanged, Change change) {
        double largest = 0;
        for (int id : others(texts.get(i), place)) {
            // Alone again: what the neighbours of a batch do must not pass for what the token does.
            float[] after = answer(texts.get(i).with(place, id));
            largest = Math.max(largest, change.between(alone.get(i), after, place));
            if (largest > unchanged) {
                break;
            }
        }
        return largest;
    }

    /** Whether the texts have two different tokens at all, without which nothing can be exchanged. */
    static boolean canExchange(List<Text> texts) {
        return tokens(texts).size() > 1;
    }

    /** Tokens other than the one at a place, from all over the vocabulary: neighbours there mean much the same. */
    private int[] others(Text text, int place) {
        int id = text.row().ids()[place];
        return IntStream.range(0, TRIES)
                .map(i -> tokens.get(i * tokens.size() / TRIES))
                .filter(token -> token != id)
                .distinct()
                .toArray();
    }

    private static List<Integer> tokens(List<Text> texts) {
        return texts.stream()
                .flatMapToInt(text -> Arrays.stream(text.row().ids(), text.from(), text.to()))
                .distinct()
                .sorted()
                .boxed()
                .toList();
    }

    /** 1 - cosine. */
    static double cosineDistance(float[] a, float[] b) {
        return cosineDistance(a, b, 0, a.length);
    }

    /** 1 - cosine of a part of two arrays. */
    static double cosineDistance(float[] a, float[] b, int from, int to) {
        double dot = 0;
        double squaresA = 0;
        double squaresB = 0;
        for (int i = from; i < to; i++) {
            dot += (double) a[i] * b[i];
            squaresA += (double) a[i] * a[i];
            squaresB += (double) b[i] * b[i];
        }
        double lengths = Math.sqrt(squaresA) * Math.sqrt(squaresB);
        if (lengths == 0) {
            return squaresA == squaresB ? 0 : 1;
        }
        return Math.max(0, 1 - dot / lengths);
    }
}
