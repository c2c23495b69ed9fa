package io.posbias.encode;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToDoubleBiFunction;

/**
 * Asks a model for the same rows in several ways and measures how far its answers are apart: each row alone, in company of
 * rows of its own length, in one batch padded on the right and on the left, and with its first or last token exchanged.
 *
 * @param texts the rows, of different lengths
 * @param model gives numbers for every row of a batch
 * @param distance between two answers; 0 for equal ones
 */
record RowCheck(List<Text> texts, Model model, ToDoubleBiFunction<float[], float[]> distance) {
    /** Texts of fewer tokens do not count where one token is exchanged: it may be all there is. */
    private static final int LEAST_TOKENS = 4;

    /** A model that takes rows. */
    @FunctionalInterface
    interface Model {
        /** One answer for each row, in order; shorter rows are padded on the left or on the right. */
        List<float[]> answers(List<TokenRow> rows, boolean padLeft);
    }

    /**
     * A row and where its own tokens are, between what template and prompt put around them.
     *
     * @param from the first
     * @param to the token after the last
     */
    record Text(TokenRow row, int from, int to) {
        int size() {
            return to - from;
        }

        /** The row with another token at a place. */
        TokenRow with(int place, int id) {
            int[] ids = row.ids().clone();
            ids[place] = id;
            return new TokenRow(ids, row.types(), row.hidden(), row.prompt(), row.seen());
        }
    }

    /**
     * What came out.
     *
     * @param company the largest distance between a row alone and among rows of its length
     * @param right the largest distance between a row alone and in a batch padded on the right
     * @param left the same, padded on the left
     * @param first the smallest distance that another first token makes
     * @param last the smallest distance that another last token makes
     */
    record Distances(double company, double right, double left, double first, double last) {
        /** The one of a side. */
        double padded(boolean onLeft) {
            return onLeft ? left : right;
        }
    }

    /** Does it all; some forty calls of the model. */
    Distances measure() {
        List<TokenRow> rows = texts.stream().map(Text::row).toList();
        List<float[]> alone = rows.stream()
                .map(row -> model.answers(List.of(row), false).getFirst())
                .toList();
        double company = 0;
        double first = Double.POSITIVE_INFINITY;
        double last = Double.POSITIVE_INFINITY;
        for (int i = 0; i < texts.size(); i++) {
            Text text = texts.get(i);
            TokenRow otherFirst = text.with(text.from(), otherThan(text.row().ids()[text.from()]));
            TokenRow otherLast = text.with(text.to() - 1, otherThan(text.row().ids()[text.to() - 1]));
            List<float[]> together = model.answers(List.of(otherFirst, text.row(), otherLast), false);
            company = Math.max(company, distance.applyAsDouble(alone.get(i), together.get(1)));
            if (text.size() >= LEAST_TOKENS) {
                // Each alone again: what the neighbours of a batch do must not pass for what the token does.
                first = Math.min(first, change(alone.get(i), otherFirst));
                last = Math.min(last, change(alone.get(i), otherLast));
            }
        }
        return new Distances(company, padded(rows, alone, false), padded(rows, alone, true), first, last);
    }

    private double change(float[] before, TokenRow row) {
        return distance.applyAsDouble(before, model.answers(List.of(row), false).getFirst());
    }

    private double padded(List<TokenRow> rows, List<float[]> alone, boolean left) {
        List<float[]> batch = model.answers(rows, left);
        double largest = 0;
        for (int i = 0; i < batch.size(); i++) {
            largest = Math.max(largest, distance.applyAsDouble(alone.get(i), batch.get(i)));
        }
        return largest;
    }

    /** Whether the texts have two different tokens at all, without which nothing can be exchanged. */
    static boolean canExchange(List<Text> texts) {
        return tokens(texts).size() > 1;
    }

    private int otherThan(int id) {
        return tokens(texts).stream().filter(token -> token != id).findFirst().orElse(id);
    }

    private static List<Integer> tokens(List<Text> texts) {
        TreeSet<Integer> tokens = new TreeSet<>();
        for (Text text : texts) {
            for (int i = text.from(); i < text.to(); i++) {
                tokens.add(text.row().ids()[i]);
            }
        }
        return new ArrayList<>(tokens);
    }

    /** 1 - cosine. */
    static double cosineDistance(float[] a, float[] b) {
        double dot = 0;
        double squaresA = 0;
        double squaresB = 0;
        for (int i = 0; i < a.length; i++) {
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
