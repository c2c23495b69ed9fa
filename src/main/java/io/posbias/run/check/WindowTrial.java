package io.posbias.run.check;

import io.posbias.base.stats.Quartiles;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Words;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.strategy.ChunkedStrategy;
import io.posbias.model.strategy.Strategy;
import io.posbias.rank.SearchStat;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Windows that are tried where a model loses answers. They do not overlap, as recall hardly falls and the time is half
 * (docs/adr/0057-enough-questions.md).
 *
 * @param strategy behind the model's name, for example {@code chunked:window=64:stride=64}
 * @param recipe of the model with the strategy; null if the windows would be too small
 * @param most number of windows that are encoded
 */
record WindowTrial(String strategy, @Nullable Recipe recipe, long most) {
    private static final String WINDOWS = "chunked";

    /** The smallest size that is tried. */
    static final int LEAST = 16;

    /** Windows of a sample that are encoded: some minutes of a small model. */
    private static final int MOST = 10_000;

    /** Returns the windows of a benchmark; null for a recipe that takes none. */
    static @Nullable WindowTrial of(Recipe recipe, Dataset dataset, boolean isFull) {
        boolean fits = recipe.wrapped().isEmpty()
                && Strategy.fitting(recipe).stream()
                        .anyMatch(strategy -> strategy.kind().equals(WINDOWS));
        if (!fits) {
            return null;
        }
        int size = size(dataset, recipe);
        String window = size == ChunkedStrategy.USUAL_WINDOW ? "" : ":window=" + size;
        String strategy = WINDOWS + window + ":stride=" + size;
        return new WindowTrial(
                strategy, size < LEAST ? null : RecipeBook.within(recipe, strategy), isFull ? Long.MAX_VALUE : MOST);
    }

    /** Counts the windows of a benchmark's passages; 1 each if that is unknown. */
    double count(Dataset dataset, Engine engine) {
        double each = Objects.requireNonNull(recipe)
                .retriever()
                .preview()
                .map(preview ->
                        SearchStat.VECTORS.in(preview.of(dataset, engine).searchStats(), 1))
                .orElse(1.0);
        return dataset.passages().size() * each;
    }

    /** About half of the median passage in words, so that most are cut; never more than the usual size and what the model reads. */
    private static int size(Dataset dataset, Recipe recipe) {
        String language = dataset.card().language();
        IntStream.Builder words = IntStream.builder();
        dataset.passages()
                .forEach((ordinal, passage) ->
                        words.add(Words.cut(passage.text(), language).size()));
        int half = (int) Math.round(Quartiles.of(words.build()).median() / 2);
        int most = recipe.maxTokens() > 0
                ? Math.min(ChunkedStrategy.USUAL_WINDOW, recipe.maxTokens() / 2)
                : ChunkedStrategy.USUAL_WINDOW;
        return Math.min(half, most);
    }
}
