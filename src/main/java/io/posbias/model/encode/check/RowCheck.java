package io.posbias.model.encode.check;

import io.posbias.model.encode.ModelCheck.Outcome;
import io.posbias.model.encode.onnx.Template;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.TokenRow;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Compares a model's answers for the same rows: each row alone, among rows of its length, in one batch padded on either
 * side, and with one token exchanged.
 */
final class RowCheck {
    /** Texts of fewer tokens do not count where one token is exchanged: it may be all there is. */
    static final int LEAST_TOKENS = 4;

    /** Other tokens tried while nothing changes: a single number may come out the same by chance. */
    private static final int TRIES = 4;

    private final List<CheckedText> texts;
    private final List<TokenRow> rows;
    private final CheckedModel model;
    private final List<float[]> alone;
    private final int[] tokens;
    private final Scale scale;
    private final String prefix;
    private final Findings findings;

    @FunctionalInterface
    interface CheckedModel {
        /** Returns one answer per row, in order; shorter rows are padded on the left or on the right. */
        List<float[]> answers(List<TokenRow> rows, boolean padLeft);
    }

    @FunctionalInterface
    interface Distance {
        /** Returns the distance of two answers in the range {@code from} to {@code to} of their numbers; 0 for equal ones. */
        double between(float[] a, float[] b, int from, int to);
    }

    /** Part of an answer that is compared after a token was exchanged. */
    enum Part {
        ALL(""),
        OWN(" in its own vector"),
        BEFORE(" in a vector before it"),
        BEHIND(" in a vector behind it");

        private final String words;

        Part(String words) {
            this.words = words;
        }
    }

    /**
     * Distances of a kind of answers, and words for them.
     *
     * @param what noun for the answers: vectors or scores
     * @param one input of an answer: a text or a pair
     * @param measure unit of distances
     * @param same largest distance of answers that count as the same
     * @param unchanged answers closer than this did not change
     * @param width numbers of a vector
     */
    record Scale(String what, String one, String measure, double same, double unchanged, int width, Distance distance) {
        /** Vectors: 16-bit floats round by less than 1e-4, 32-bit floats by less than 1e-9. */
        static Scale ofVectors(int dimension) {
            return new Scale("vectors", "text", "1 - cosine", 1e-4, 1e-9, dimension, (a, b, from, to) -> {
                double largest = 0;
                for (int at = from; at < to; at += dimension) {
                    largest = Math.max(largest, cosineDistance(a, b, at, at + dimension));
                }
                return largest;
            });
        }

        private double between(float[] a, float[] b) {
            return distance.between(a, b, 0, a.length);
        }

        private double between(float[] a, float[] b, int place, Part part) {
            return switch (part) {
                case ALL -> between(a, b);
                case OWN -> distance.between(a, b, place * width, (place + 1) * width);
                case BEFORE -> distance.between(a, b, 0, place * width);
                case BEHIND -> distance.between(a, b, (place + 1) * width, a.length);
            };
        }

        private String show(double found) {
            if (Double.isInfinite(found)) {
                return "no number";
            }
            return found < unchanged ? "0" : String.format(Locale.ROOT, "%.1e", found);
        }
    }

    /**
     * A row and the place of its text's tokens, between those of template and prompt.
     *
     * @param from first token
     * @param to token after the last
     */
    record CheckedText(TokenRow row, int from, int to) {
        static CheckedText of(TokenRow row, TextRows maker) {
            Template template = maker.template();
            int from = Math.max(template.before().length, row.prompt());
            return new CheckedText(row, from, row.size() - template.after().length);
        }

        /** Returns the tokens that a row has beyond the same row without them: one of two texts. */
        static CheckedText inserted(TokenRow row, TokenRow without) {
            int most = Math.min(row.size(), without.size());
            int differs = Arrays.mismatch(row.ids(), without.ids());
            int from = differs < 0 ? most : differs;
            int after = 0;
            while (after < most - from
                    && row.ids()[row.size() - 1 - after] == without.ids()[without.size() - 1 - after]) {
                after++;
            }
            return new CheckedText(row, from, row.size() - after);
        }

        /** Returns the same place in another row. */
        CheckedText in(TokenRow other) {
            return new CheckedText(other, from, to);
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

        private TokenRow with(int place, int id) {
            int[] ids = row.ids().clone();
            ids[place] = id;
            return new TokenRow(ids, row.types(), row.hidden(), row.prompt(), row.seen());
        }
    }

    /**
     * Gets the answer for every row alone.
     *
     * @param texts with tokens of their own, at least {@linkplain #canExchange two different ones}
     * @param prefix of the names of facts
     */
    RowCheck(List<CheckedText> texts, CheckedModel model, Scale scale, String prefix, Findings findings) {
        this.scale = scale;
        this.prefix = prefix;
        this.findings = findings;
        this.texts = texts;
        this.rows = texts.stream().map(CheckedText::row).toList();
        this.model = model;
        this.alone = rows.stream().map(this::answer).toList();
        this.tokens = tokens(texts);
    }

    /** Returns the answers for every row alone. */
    List<float[]> alone() {
        return alone;
    }

    private float[] answer(TokenRow row) {
        return model.answers(List.of(row), false).getFirst();
    }

    /**
     * Reports whether answers stay the same in a batch and padded.
     *
     * @param left whether the recipe pads on the left
     * @param single true for graphs that never run batches; differences are then not failures
     */
    void sameness(boolean left, boolean single) {
        double company = company();
        double own = padded(left);
        double other = padded(!left);
        String one = " between a " + scale.one + " alone and ";
        String changed = " (" + scale.measure + " up to ";
        findings.fact(prefix + "padding side", side(left));
        boolean mixed = !single && company > scale.same;
        if (mixed) {
            findings.fail(
                    prefix + "alone or not",
                    prefix + scale.what + " depend on the other " + scale.one + "s of a batch" + changed
                            + scale.show(company) + " with no padding at all)");
        } else {
            findings.add(
                    single ? Outcome.INFO : Outcome.OK,
                    prefix + "alone or not",
                    scale.show(company) + one + "among " + scale.one + "s of its length"
                            + (single ? "; an int8 graph gets each alone" : ""));
        }
        if (rows.stream().mapToInt(TokenRow::size).distinct().count() == 1) {
            findings.fact(
                    prefix + "padded",
                    "never, as all rows are of " + rows.getFirst().size() + " tokens");
            return;
        }
        String batch = one + "in a padded batch";
        if (!mixed && !single && own > scale.same) {
            findings.fail(
                    prefix + "padded " + side(left),
                    prefix + scale.what + " change with padding on the " + side(left) + ", the recipe's side" + changed
                            + scale.show(own) + "): "
                            + (other > scale.same
                                    ? "the graph ignores its attention mask"
                                    : "set 'padding-side: " + side(!left) + "'"));
        } else {
            findings.add(
                    mixed || single ? Outcome.INFO : Outcome.OK,
                    prefix + "padded " + side(left),
                    scale.show(own) + batch);
        }
        findings.fact(
                prefix + "padded " + side(!left),
                scale.show(other) + batch + (other > scale.same ? ", which the recipe does not do" : ""));
    }

    private static String side(boolean left) {
        return left ? "left" : "right";
    }

    /** The largest distance between a row alone and among rows of its length. */
    private double company() {
        double largest = 0;
        for (int i = 0; i < texts.size(); i++) {
            CheckedText text = texts.get(i);
            TokenRow otherFirst = text.with(text.first(), others(text, text.first())[0]);
            TokenRow otherLast = text.with(text.last(), others(text, text.last())[0]);
            List<float[]> together = model.answers(List.of(otherFirst, text.row(), otherLast), false);
            largest = Math.max(largest, scale.between(alone.get(i), together.get(1)));
        }
        return largest;
    }

    private double padded(boolean left) {
        List<float[]> batch = model.answers(rows, left);
        return IntStream.range(0, batch.size())
                .mapToDouble(i -> scale.between(alone.get(i), batch.get(i)))
                .reduce(0, Math::max);
    }

    /** Returns true if another token at a place changes nothing in a part of the answer; else reports the change. */
    boolean isUnchanged(String name, ToIntFunction<CheckedText> place, Part part) {
        OptionalDouble found = exchanged(place, part);
        boolean unchanged = found.isPresent() && found.getAsDouble() < scale.unchanged;
        if (found.isEmpty()) {
            findings.fact(prefix + name, "not exchanged, as no " + scale.one + " has " + LEAST_TOKENS + " tokens");
        } else if (!unchanged) {
            findings.ok(
                    prefix + name,
                    scale.show(found.getAsDouble()) + " at least" + part.words + " when another one takes its place");
        }
        return unchanged;
    }

    /**
     * Exchanges a token of every row.
     *
     * @param place of a text's own token
     * @return the smallest change of all texts; empty when all have fewer than {@value #LEAST_TOKENS} tokens
     */
    OptionalDouble exchanged(ToIntFunction<CheckedText> place, Part part) {
        return IntStream.range(0, texts.size())
                .filter(i -> texts.get(i).size() >= LEAST_TOKENS)
                .mapToDouble(i -> exchanged(i, place.applyAsInt(texts.get(i)), part))
                .min();
    }

    private double exchanged(int i, int place, Part part) {
        double largest = 0;
        for (int id : others(texts.get(i), place)) {
            // Alone again: an effect of neighbours in a batch must not pass for one of the token.
            float[] after = answer(texts.get(i).with(place, id));
            largest = Math.max(largest, scale.between(alone.get(i), after, place, part));
            if (largest > scale.unchanged) {
                break;
            }
        }
        return largest;
    }

    /** Returns true if the texts have two different tokens, so that one can be exchanged. */
    static boolean canExchange(List<CheckedText> texts) {
        return tokens(texts).length > 1;
    }

    /** Tokens other than the one at a place, from all over the vocabulary: neighbours there mean much the same. */
    private int[] others(CheckedText text, int place) {
        int id = text.row().ids()[place];
        return IntStream.range(0, TRIES)
                .map(i -> tokens[i * tokens.length / TRIES])
                .filter(token -> token != id)
                .distinct()
                .toArray();
    }

    private static int[] tokens(List<CheckedText> texts) {
        return texts.stream()
                .flatMapToInt(text -> Arrays.stream(text.row().ids(), text.from(), text.to()))
                .distinct()
                .sorted()
                .toArray();
    }

    private static double cosineDistance(float[] a, float[] b, int from, int to) {
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
