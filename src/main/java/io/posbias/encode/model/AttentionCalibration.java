package io.posbias.encode.model;

import io.posbias.Fields;
import io.posbias.Suggestions;
import io.posbias.encode.onnx.CalibratedGraph;
import io.posbias.encode.onnx.GraphEdit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Attention calibration: the token that becomes a text's vector attends as much to the text's end as to its beginning, without
 * training. Schuhmacher et al. 2026, arXiv:2601.16934, with a strength by Michail et al. 2026, arXiv:2606.02737, whose default
 * configuration is the default here.
 *
 * <p>The source is the pooled token: the first one with {@code pooling: cls}, the last one with {@code pooling: last}. Let
 * {@code a(1) … a(n)} be what it attends to each of a text's n tokens in one head of one layer; they sum to 1. The first token is
 * alone in a basket; with {@code pooling: last} so is the last token. The c others, the content, are in baskets of {@code basket}
 * tokens in the text's order; the last basket may be shorter. With m(k) the sum of a over basket k, and K the number of baskets
 * that have any attention, each basket gets the same and keeps its proportions:
 *
 * <pre>
 * a'(i) = a(i) / m(k) / K          for token i of basket k; 0 where m(k) = 0
 * a"(i) = strength x a'(i) + (1 - strength) x a(i)
 * </pre>
 *
 * <p>The layer goes on with a" in the source's row; the rows of other tokens stay. That is done in all heads of the last
 * {@code ceil(layers x number of layers)} layers. A text whose content fits into one basket ({@code c <= basket}) is left as it
 * is, as short queries are; padding is in no basket. Prompts are content. Queries and passages are treated alike, as in the
 * authors' code, which differs in one length alone: it calibrates a text whose content fills one basket exactly, and by that
 * would give half of the attention to the first token.
 *
 * @param basket tokens of a basket, at least 1
 * @param strength 0 (the model as it is) to 1
 * @param layers above 0, up to 1: the calibrated part of the layers
 * @param last whether the source is the last token instead of the first
 */
public record AttentionCalibration(int basket, double strength, double layers, boolean last) {
    /** The recipe's field. */
    public static final String FIELD = "attention-calibration";

    /** The fields of the record that it may hold. */
    public static final List<String> FIELDS = List.of("basket", "strength", "layers");

    private static final int BASKET = 128;
    private static final double STRENGTH = 0.5;
    private static final double LAYERS = 0.5;

    /**
     * Reads a recipe: {@code true} for the paper's defaults, or a record of those that differ.
     *
     * @return null where the recipe has none
     * @throws io.posbias.BadInputException if a number is out of range, or the recipe's model cannot be calibrated
     */
    static @Nullable AttentionCalibration of(Fields recipe, Pooling pooling) {
        boolean plain = recipe.raw(FIELD) instanceof Boolean;
        if (!recipe.has(FIELD) || (plain && !recipe.flag(FIELD, false))) {
            return null;
        }
        Fields fields = plain ? new Fields(recipe.where(), Map.of()) : recipe.record(FIELD);
        fields.refuseOthers(FIELDS);
        AttentionCalibration calibration = new AttentionCalibration(
                fields.positive("basket", BASKET),
                within(fields, "strength", STRENGTH, true),
                within(fields, "layers", LAYERS, false),
                pooling == Pooling.LAST);
        unfit(pooling, recipe.integer("max-tokens"), calibration.basket, calibration.last)
                .ifPresent(why -> {
                    throw recipe.bad(FIELD, "is set, but the recipe " + why, "remove it");
                });
        return calibration;
    }

    private static double within(Fields fields, String name, double fallback, boolean zero) {
        double value = fields.number(name, fallback);
        if (value > 1 || value < 0 || (value == 0 && !zero)) {
            throw fields.bad(name, "is " + value, "it must be " + (zero ? "from 0 to 1" : "above 0 and up to 1"));
        }
        return value;
    }

    /**
     * Why the default calibration does not fit a recipe, to be behind its name; empty where it does. Nothing is loaded: a graph
     * with fused attention is refused when it is.
     */
    public static Optional<String> unfit(Fields recipe) {
        String kind = recipe.text("kind", "");
        if (!kind.equals("dense")) {
            return Optional.of("is of kind " + kind + ": only dense encoders pool one token's vector");
        }
        Pooling pooling = recipe.oneOf("pooling", Pooling.MEAN, List.of(Pooling.values()));
        return unfit(pooling, recipe.integer("max-tokens"), BASKET, pooling == Pooling.LAST);
    }

    private static Optional<String> unfit(Pooling pooling, int maxTokens, int basket, boolean last) {
        if (pooling != Pooling.CLS && pooling != Pooling.LAST) {
            return Optional.of("has pooling: " + Suggestions.word(pooling)
                    + ", and the attention of one token is calibrated, that of pooling: cls or pooling: last");
        }
        return basket + (last ? 2 : 1) >= maxTokens
                ? Optional.of(
                        "has max-tokens: " + maxTokens + ", so that no text has more than one basket of " + basket)
                : Optional.empty();
    }

    /**
     * The basket of each token of a text.
     *
     * @param tokens of the text, special ones included
     * @return from 0 on; empty for a text that is left as it is
     */
    public int[] baskets(int tokens) {
        int content = tokens - (last ? 2 : 1);
        if (content <= basket) {
            return new int[0];
        }
        int[] baskets = new int[tokens];
        for (int i = 1; i <= content; i++) {
            baskets[i] = 1 + (i - 1) / basket;
        }
        if (last) {
            baskets[tokens - 1] = baskets[content] + 1;
        }
        return baskets;
    }

    /** Index of the first calibrated layer. */
    public int firstLayer(int number) {
        return CalibratedGraph.firstLayer(layers, number);
    }

    /** The change of a graph that does it; null where it would change nothing. */
    @Nullable
    GraphEdit edit() {
        return strength == 0 ? null : new CalibratedGraph(basket, (float) strength, layers, last);
    }
}
