package io.posbias.retrieve.strategy;

import io.posbias.BadInputException;
import io.posbias.Suggestions;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import io.posbias.retrieve.RetrieverProvider;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A kind of recipe that wraps another one. Found through ServiceLoader, as all kinds. */
public interface Strategy extends RetrieverProvider {
    /** The field that holds the wrapped recipe. */
    String MODEL = "model";

    /** What it does, in a few words without a full stop. */
    String meaning();

    /** The names of its own fields, without {@link #MODEL}. */
    List<String> fields();

    /**
     * The settings that are compared around a recipe that it fits, unless others are asked for, each as behind {@code
     * MODEL+KIND}.
     */
    default List<String> usual(Recipe wrapped) {
        return List.of("");
    }

    /** Why it has no meaning for a recipe, to follow the recipe's name; empty where it fits. */
    Optional<String> misfit(Recipe wrapped);

    /**
     * Makes the retriever.
     *
     * @param recipe its settings
     * @param wrapped a recipe that it fits
     */
    Retriever around(Recipe recipe, Recipe wrapped);

    @Override
    default List<String> wrappedIn() {
        return List.of(MODEL);
    }

    @Override
    default Retriever create(Recipe recipe) {
        recipe.refuseOthers(wrappedIn(), fields());
        List<Recipe> wrapped = recipe.wrapped();
        if (!recipe.settings().has(MODEL)) {
            throw recipe.settings().bad(MODEL, "is missing", kind() + " wraps a model: its name, file or record");
        }
        if (recipe.settings().raw(MODEL) instanceof List<?>) {
            throw recipe.settings().bad(MODEL, "is a list", kind() + " wraps one model there");
        }
        Recipe model = wrapped.getFirst();
        misfit(model).ifPresent(reason -> {
            List<String> fitting = fitting(model).stream().map(Strategy::kind).toList();
            throw new BadInputException(
                    recipe.settings().where(),
                    kind() + " does not fit " + model.name() + ", which " + reason,
                    "what fits: " + Suggestions.choice(fitting).orElse("nothing"));
        });
        return around(recipe, model);
    }

    /** All strategies there are, in the order of their names. */
    static List<Strategy> all() {
        return RetrieverProvider.all().stream()
                .filter(Strategy.class::isInstance)
                .map(Strategy.class::cast)
                .sorted(Comparator.comparing(Strategy::kind))
                .toList();
    }

    /** What is compared around a recipe unless something else is asked for, as in {@code MODEL+STRATEGY}. */
    static List<String> usualAround(Recipe recipe) {
        return fitting(recipe).stream()
                .flatMap(strategy -> strategy.usual(recipe).stream().map(settings -> strategy.kind() + settings))
                .toList();
    }

    /** Those that fit a recipe. */
    static List<Strategy> fitting(Recipe recipe) {
        return all().stream()
                .filter(strategy -> strategy.misfit(recipe).isEmpty())
                .toList();
    }
}
