package io.posbias.run.check;

import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.TextScorer;
import io.posbias.run.experiment.Rate;
import io.posbias.score.measure.Settings;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Time to encode what a check needs and is not cached: the benchmark, moved evidence, windows.
 *
 * @param seconds without windows, and with half of the moved evidence that may be left out
 * @param most with windows and all moved evidence
 */
record CheckForecast(double seconds, double most) {
    /** Seconds that the measurement takes. */
    private static final double BUDGET = 10;

    /** No local model reads texts, or it is too slow to be timed. */
    private static final CheckForecast UNTIMED = new CheckForecast(0, 0);

    /** Seconds from which on minutes are printed. */
    private static final double LONG = 100;

    /**
     * Counts what is not cached and measures the rate of the model on some of it, which is then cached.
     *
     * @param moved null for none
     * @param trial windows that may be tried; null for none
     * @return null where all is cached
     */
    static @Nullable CheckForecast of(
            Recipe recipe, Dataset dataset, @Nullable Moved moved, @Nullable WindowTrial trial, Engine engine) {
        if (recipe.files().isEmpty() || Rate.isTooSlow(recipe, dataset, engine.home(), BUDGET)) {
            return UNTIMED;
        }
        // A limit counts a text once.
        Engine counting = engine.silent().with(CallLimit.ofLocalWork());
        double own = recipe.retriever().calls(dataset, null, counting).tokens();
        double first = moved == null ? 0 : tokens(recipe, moved.first(), counting);
        Recipe windowed = trial == null ? null : trial.recipe();
        CallEstimate windows =
                windowed == null ? CallEstimate.NONE : windowed.retriever().calls(dataset, null, counting);
        double maybe = trial == null || windows.texts() > trial.most() ? 0 : windows.tokens();
        double sure = own + first;
        if (sure + maybe == 0) {
            return null;
        }
        double rest = moved == null ? 0 : tokens(recipe, moved.all(), counting);
        Dataset sample = own == 0 && moved != null && first > 0 ? moved.first().dataset() : dataset;
        Recipe timed = windowed == null || sure > 0 ? recipe : windowed;
        Rate.Timing timing = Rate.timed(timed, sample, Settings.USUAL.k(), engine, BUDGET);
        double rate = timing.perToken();
        double left = Math.max(0, sure + rest / 2 - timing.tokens());
        return rate > 0 ? new CheckForecast(rate * left, rate * (left + rest / 2 + maybe)) : UNTIMED;
    }

    private static double tokens(Recipe recipe, TextScorer texts, Engine counting) {
        return recipe.retriever().calls(texts.dataset(), texts.pool(), counting).tokens();
    }

    /**
     * Texts with moved evidence.
     *
     * @param first those that are scored in any case
     */
    record Moved(TextScorer first, TextScorer all) {}

    /** What follows the counts: nothing where the model was not timed. */
    String words() {
        String about = time(seconds);
        String at = time(most);
        return equals(UNTIMED) ? "" : ": about " + about + (about.equals(at) ? "" : ", at most " + at);
    }

    private static String time(double seconds) {
        return seconds < LONG
                ? 5 * Math.max(1, Math.round(seconds / 5)) + " s"
                : String.format(Locale.ROOT, "%,d min", Math.round(seconds / 60));
    }
}
