package io.posbias.model.inside.torch;

import io.posbias.model.encode.Engine;
import io.posbias.model.inside.Training;
import io.posbias.model.inside.TrainingOrder;
import io.posbias.model.inside.WhiteBoxEngine;
import io.posbias.model.retrieve.Recipe;
import java.util.List;

/** Training on PyTorch, through DJL. */
public final class PyTorch implements WhiteBoxEngine {
    @Override
    public List<Training> trainings(Recipe recipe, List<TrainingOrder> orders, Engine engine) {
        return List.copyOf(PairTraining.of(recipe, orders, engine));
    }
}
