package io.posbias.inside;

import io.posbias.encode.Role;
import io.posbias.encode.model.DenseSettings;
import io.posbias.encode.model.Pooling;
import io.posbias.encode.onnx.LinearHead;
import io.posbias.retrieve.Recipe;
import java.util.Optional;

/** A model whose vectors are split by token. Safe for several threads. */
public interface TokenDecomposition extends AutoCloseable {
    /** The tokens of a text as the model reads them, those that are cut off left out. */
    Reading read(String text, Role role);

    /** The vector of a text. */
    TokenParts of(String text, Role role);

    @Override
    void close();

    /** Returns the reason, to follow the model's name, if vectors cannot be split by token; else empty. Loads nothing. */
    static Optional<String> unfit(Recipe recipe) {
        Optional<String> closed = WhiteBoxEngine.unfit(recipe);
        if (closed.isPresent()) {
            return closed;
        }
        DenseSettings settings = DenseSettings.of(recipe.name(), recipe.settings());
        LinearHead.HeadSettings head = settings.graph().head();
        String why = Architecture.of(recipe.settings()).family() == null
                ? "has a TorchScript file as its transformer"
                : settings.pooling() == Pooling.MAX
                        ? "pools by maximum"
                        : head != null && head.tanh() ? "has a head with a hyperbolic tangent" : "";
        return why.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        why + ": DecompX takes BERT and RoBERTa with pooling cls, mean or last and no head that is"
                                + " not linear");
    }
}
