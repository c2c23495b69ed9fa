package io.posbias.cli.common;

import io.posbias.Session;
import io.posbias.diagnose.RelocatedTexts;
import io.posbias.evaluate.ContentFixing;
import io.posbias.evaluate.Scoring;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether and how the content is held fixed beside a plain evaluation. */
public final class ContentFixedOptions {
    /** Gives front - back a standard error of about a point (docs/statistics.md). */
    private static final int USUAL = 600;

    @Least(2)
    @Option(
            names = "--content-fixed",
            paramLabel = "N",
            arity = "0..1",
            fallbackValue = "" + USUAL,
            description =
                    "Also score queries with their evidence moved within its passage, which separates position from content. N queries are drawn (default: "
                            + USUAL + "). Prints first how many texts there are to score.")
    private @Nullable Integer queries;

    @Mixin
    private PlacingOptions placing = new PlacingOptions();

    /**
     * How it is done; null where it is not.
     *
     * @param k the depth of rankings
     */
    public @Nullable ContentFixing fixing(Scoring scoring, int k, Session session) {
        if (queries == null) {
            placing.refuse("--content-fixed");
            return null;
        }
        scoring.checkContentFixed(k, "--k");
        return RelocatedTexts.fixing(placing.choice(), queries, (int) scoring.seed(), session);
    }
}
