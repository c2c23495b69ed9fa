package io.posbias.model.strategy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.text.Suggestions;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeReader;
import io.posbias.model.retrieve.RetrieverKinds;
import io.posbias.model.retrieve.RetrieverProvider;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Kind of recipe that wraps another one. Found through ServiceLoader, as all kinds. */
public abstract class Strategy implements RetrieverProvider {
    /** Field with the wrapped recipe. */
    public static final String MODEL = "model";

    private final String kind;
    private final String meaning;
    private final Class<? extends Wrapper> type;

    /**
     * @param meaning a short description without a full stop
     * @param type Java record of the kind's recipes
     */
    protected Strategy(String kind, String meaning, Class<? extends Wrapper> type) {
        this.kind = kind;
        this.meaning = meaning;
        this.type = type;
    }

    @Override
    public final String kind() {
        return kind;
    }

    public final String meaning() {
        return meaning;
    }

    public final Class<? extends Wrapper> type() {
        return type;
    }

    /** Returns the settings that are compared by default, each as after {@code MODEL+KIND}. */
    public List<String> usual(Recipe wrapped) {
        return List.of("");
    }

    /**
     * Returns the reason why the strategy does not fit a recipe, a predicate that follows the recipe's name; empty if
     * it fits.
     */
    public Optional<String> misfit(Recipe wrapped) {
        return Optional.empty();
    }

    @Override
    public List<String> wrappedIn() {
        return List.of(MODEL);
    }

    @Override
    public Recipe bind(Fields fields, RecipeReader recipes) {
        if (!fields.has(MODEL)) {
            throw fields.bad(MODEL, "is missing", kind + " wraps a model: give its name, file or record");
        }
        if (fields.raw(MODEL) instanceof List<?>) {
            throw fields.bad(MODEL, "is a list", kind + " wraps one model");
        }
        Wrapper recipe = recipes.settings(fields, type);
        Recipe model = recipe.model();
        misfit(model).ifPresent(reason -> {
            List<String> fitting = fitting(model).stream().map(Strategy::kind).toList();
            throw new BadInputException(
                    fields.where(),
                    kind + " does not fit " + model.name() + ", which " + reason,
                    "strategies that fit: " + Suggestions.choice(fitting).orElse("none"));
        });
        // Refuses settings that do not suit the model.
        recipe.retriever();
        return recipe;
    }

    /** Returns all strategies, sorted by name. */
    public static List<Strategy> all() {
        return RetrieverKinds.all().stream()
                .filter(Strategy.class::isInstance)
                .map(Strategy.class::cast)
                .sorted(Comparator.comparing(Strategy::kind))
                .toList();
    }

    /** Returns the strategies compared by default, as after {@code MODEL+}. */
    public static List<String> usualAround(Recipe recipe) {
        return fitting(recipe).stream()
                .flatMap(strategy -> strategy.usual(recipe).stream().map(settings -> strategy.kind + settings))
                .toList();
    }

    public static List<Strategy> fitting(Recipe recipe) {
        return all().stream()
                .filter(strategy -> strategy.misfit(recipe).isEmpty())
                .toList();
    }
}
