package io.posbias.model.inside;

import io.posbias.model.encode.Role;
import io.posbias.model.encode.model.Pooling;
import io.posbias.model.encode.onnx.LinearHead;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
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
        if (closed.isPresent() || !(recipe instanceof DenseRecipe dense)) {
            return closed;
        }
        String why = Architecture.of(dense).family() == null
                ? "has a TorchScript file as its transformer"
                : dense.model().pools(Pooling.MAX)
                        ? "pools by maximum"
                        : dense.model().graph().head().stream().anyMatch(LinearHead.HeadSettings::tanh)
                                ? "has a head with a hyperbolic tangent"
                                : "";
        return why.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        why + ": DecompX takes BERT and RoBERTa with pooling cls, mean or last and no head that is"
                                + " not linear");
    }
}
