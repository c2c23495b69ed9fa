package io.posbias.inside;

import io.posbias.Fields;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.retrieve.Recipe;
import java.util.List;
import java.util.Optional;

/**
 * What a recipe says under {@code transformer}: how the weights of a model make vectors.
 *
 * @param family which forward pass
 * @param heads of each layer's attention
 * @param keyHeads heads of keys and values, of which each serves several of the queries'; {@link #heads} unless the recipe
 *     says otherwise
 * @param epsilon what a norm adds to the variance
 * @param ropeBase the base of rotary positions, where the family has them
 * @param weights safetensors files; empty for the weights in the ONNX file
 */
public record Architecture(
        Family family, int heads, int keyHeads, double epsilon, double ropeBase, Optional<ModelFiles> weights) {
    private static final String FIELD = Recipe.TRANSFORMER;

    /** Qwen3's {@code rope_theta}. */
    private static final double ROPE_BASE = 1e6;

    private static final List<String> FIELDS =
            List.of("family", "heads", "key-heads", "norm-epsilon", "rope-base", "weights", "source");

    /**
     * Reads a recipe.
     *
     * @throws io.posbias.BadInputException if its {@code transformer} is of an unknown family
     */
    public static Architecture of(Fields recipe) {
        Fields fields = recipe.record(FIELD);
        fields.refuseOthers(FIELDS);
        fields.text("family");
        Family family = fields.oneOf("family", Family.BERT, List.of(Family.values()));
        int heads = positive(fields, "heads", fields.integer("heads"));
        int keyHeads = positive(fields, "key-heads", fields.integer("key-heads", heads));
        if (heads % keyHeads != 0) {
            throw fields.bad("key-heads", "is " + keyHeads, "it must divide the " + heads + " heads");
        }
        List<String> weights = fields.texts("weights");
        if (weights.isEmpty() && fields.has("source")) {
            throw fields.bad("source", "has no meaning without weights", "name their files, or remove it");
        }
        return new Architecture(
                family,
                heads,
                keyHeads,
                positive(fields, "norm-epsilon", fields.number("norm-epsilon", family.epsilon())),
                positive(fields, "rope-base", fields.number("rope-base", ROPE_BASE)),
                weights.isEmpty()
                        ? Optional.empty()
                        : Optional.of(ModelFiles.of(recipe.id("name"), recipe).weights(fields, weights)));
    }

    private static <N extends Number> N positive(Fields fields, String name, N value) {
        if (!(value.doubleValue() > 0)) {
            throw fields.bad(name, "is " + value, "it must be positive");
        }
        return value;
    }
}
