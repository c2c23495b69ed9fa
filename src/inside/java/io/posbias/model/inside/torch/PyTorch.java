package io.posbias.model.inside.torch;

import io.posbias.base.process.Closing;
import io.posbias.model.encode.Engine;
import io.posbias.model.inside.BiasShares;
import io.posbias.model.inside.GradientSaliency;
import io.posbias.model.inside.LayerVectors;
import io.posbias.model.inside.TokenDecomposition;
import io.posbias.model.inside.Training;
import io.posbias.model.inside.TrainingOrder;
import io.posbias.model.inside.WhiteBoxEngine;
import io.posbias.model.retrieve.Recipe;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** White-box encoders on PyTorch, through DJL. */
public final class PyTorch implements WhiteBoxEngine {
    @Override
    public GradientSaliency gradients(Recipe recipe, Engine engine) {
        WhiteBoxEngine.check(recipe, engine.session());
        GraphCheck graph = GraphCheck.of(recipe, engine);
        WhiteBox box = WhiteBox.open(recipe, engine);
        Closing.onFailure(() -> graph.compare(box), box::close);
        return new TokenGradients(box);
    }

    @Override
    public double compare(Recipe recipe, Engine engine) {
        WhiteBoxEngine.check(recipe, engine.session());
        GraphCheck graph = GraphCheck.of(recipe, engine);
        try (WhiteBox box = WhiteBox.open(recipe, engine)) {
            return graph.compare(box);
        }
    }

    @Override
    public TokenDecomposition decomposition(Recipe recipe, BiasShares biases, Engine engine) {
        return new DecompX(WhiteBox.open(recipe, engine), biases, engine.device().isCuda() ? 1 : engine.threads());
    }

    @Override
    public LayerVectors layers(Recipe recipe, @Nullable Integer seed, Engine engine) {
        WhiteBoxEngine.check(recipe, engine.session());
        if (seed != null) {
            return HiddenStates.random(WhiteBox.open(recipe, engine), seed);
        }
        GraphCheck graph = GraphCheck.of(recipe, engine);
        WhiteBox box = WhiteBox.open(recipe, engine);
        Closing.onFailure(() -> graph.compare(box), box::close);
        return HiddenStates.of(box);
    }

    @Override
    public List<Training> trainings(Recipe recipe, List<TrainingOrder> orders, Engine engine) {
        return List.copyOf(PairTraining.of(recipe, orders, engine));
    }
}
