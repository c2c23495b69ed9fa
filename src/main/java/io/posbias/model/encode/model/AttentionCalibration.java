package io.posbias.model.encode.model;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.onnx.CalibratedGraph;
import io.posbias.model.encode.onnx.GraphEdit;
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
    private static final int BASKET = 128;

    public static final String FIELD = "attention-calibration";

    /**
     * The recipe's numbers: {@code true} stands for the paper's defaults, {@code false} for none.
     *
     * @param basket tokens of a basket
     * @param strength 0 (the model as it is) to 1
     * @param layers the calibrated part of the layers
     */
    public record Strengths(
            @Setting(usual = "128", least = 1) int basket,
            @Setting(usual = "0.5", least = 0, most = 1) double strength,
            @Setting(usual = "0.5", above = 0, most = 1) double layers) {
        @Setting.Reader
        static @Nullable Strengths read(Fields recipe, String field) {
            boolean plain = recipe.raw(field) instanceof Boolean;
            return plain && !recipe.flag(field, false)
                    ? null
                    : Json.settings(
                            plain ? new Fields(recipe.where(), Map.of()) : recipe.record(field), Strengths.class);
        }

        AttentionCalibration with(List<Pooling> pooling) {
            return new AttentionCalibration(basket, strength, layers, pooling.contains(Pooling.LAST));
        }
    }

    /**
     * Why the default calibration does not fit a recipe, to be behind its name; empty where it does. Nothing is loaded: a graph
     * with fused attention is refused when it is.
     */
    public static Optional<String> unfit(DenseSettings recipe) {
        return unfit(recipe.pooling(), recipe.graph().onnx().maxTokens(), BASKET);
    }

    static Optional<String> unfit(List<Pooling> pooling, int maxTokens, int basket) {
        if (!pooling.equals(List.of(Pooling.CLS)) && !pooling.equals(List.of(Pooling.LAST))) {
            return Optional.of("has pooling: " + String.join(", ", Suggestions.words(pooling))
                    + ", and the attention of one token is calibrated, that of pooling: cls or pooling: last");
        }
        return basket + (pooling.contains(Pooling.LAST) ? 2 : 1) >= maxTokens
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
