package io.posbias.run.check;

import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Retriever;
import io.posbias.run.TextScorer;
import io.posbias.run.experiment.Rate;
import io.posbias.run.placing.RelocatedTexts;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Time to encode what a check needs and is not cached: the benchmark, moved evidence, windows.
 *
 * @param seconds with half of the moved evidence that may be left out
 * @param most with all of it
 */
record CheckForecast(double seconds, double most) {
    /** Seconds that the measurement takes. */
    private static final double BUDGET = 10;

    /** Seconds from which on minutes are printed. */
    private static final double LONG = 100;

    /**
     * Measures the rate of a model on some of the texts, which are cached.
     *
     * @param trial windows that may be tried; null for none
     * @return null where all is cached, no local model reads texts, or it is too slow to be timed
     */
    static @Nullable CheckForecast of(
            Recipe recipe, Dataset dataset, Moved moved, @Nullable WindowTrial trial, Engine engine) {
        if (recipe.files().isEmpty()) {
            return null;
        }
        double rate = Rate.timed(recipe, dataset, engine, BUDGET);
        TextScorer texts = moved.texts();
        if (rate == 0 && texts != null) {
            rate = Rate.timed(recipe, texts.dataset(), engine, BUDGET);
        }
        Engine counting = engine.silent().with(CallLimit.ofLocalWork());
        Retriever retriever = recipe.retriever();
        double own = retriever.calls(dataset, null, counting).tokens();
        double placed = texts == null
                ? 0
                : retriever.calls(texts.dataset(), texts.pool(), counting).tokens();
        CallEstimate windows = trial == null || trial.recipe() == null
                ? CallEstimate.NONE
                : trial.recipe().retriever().calls(dataset, null, counting);
        double sure = own + (trial == null || windows.texts() > trial.most() ? 0 : windows.tokens());
        double most = rate * (sure + placed);
        return most > 0
                ? new CheckForecast(rate * (sure + placed * (1 + moved.least()) / 2), most)
                : null;
    }

    /**
     * Texts with moved evidence.
     *
     * @param texts null for none
     * @param least share of them that is scored
     */
    record Moved(@Nullable TextScorer texts, double least) {
        static Moved of(@Nullable RelocatedTexts all, RelocatedTexts.@Nullable Until until) {
            return all == null ? new Moved(null, 0) : new Moved(all.texts(), all.least(until));
        }
    }

    String words() {
        String about = time(seconds);
        String at = time(most);
        return "about " + about + (about.equals(at) ? "" : ", at most " + at);
    }

    private static String time(double seconds) {
        return seconds < LONG
                ? 10 * (1 + (int) (seconds / 10)) + " s"
                : String.format(Locale.ROOT, "%,d min", Math.round(seconds / 60));
    }
}
