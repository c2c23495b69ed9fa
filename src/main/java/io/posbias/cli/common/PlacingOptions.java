package io.posbias.cli.common;

import io.posbias.base.process.UsageException;
import io.posbias.data.position.WindowCutter;
import io.posbias.run.placing.RelocatedTexts;
import io.posbias.run.placing.Relocation;
import io.posbias.score.measure.ContentFixed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(optionListHeading = "Content held fixed:")
public final class PlacingOptions {
    private static final int MOST = 100;

    @Option(
            names = "--placing",
            paramLabel = "HOW",
            description = "Method of placing evidence: rotate all sentences (rotation), move only the evidence "
                    + "(moving), or cut matched windows around it (windows) (default: rotation; for diagnose position"
                    + " windows where a model does not read most passages to their end).")
    private @Nullable Relocation placing;

    @Least(value = WindowCutter.LEAST_PLACES, most = MOST)
    @Option(
            names = "--places",
            paramLabel = "K",
            description = "Number of places of the evidence, from " + ContentFixed.LEAST_PLACES + " to " + MOST
                    + " (default: "
                    + RelocatedTexts.PLACES + "); of windows from " + WindowCutter.LEAST_PLACES + " (default: "
                    + WindowCutter.PLACES + ").")
    private @Nullable Integer places;

    @Least(1)
    @BelongsTo("--placing windows")
    @Option(
            names = "--window",
            paramLabel = "N",
            description = "Words per window, with --placing windows (default: " + WindowCutter.LENGTH
                    + "). Chinese and Japanese characters count as one word each.")
    private @Nullable Integer window;

    public boolean isGiven() {
        return placing != null || places != null;
    }

    /**
     * Returns the choice; rotation, whose effects of coherence cancel by design, unless another is given.
     *
     * @throws UsageException for fewer places than the method needs
     */
    public RelocatedTexts.Choice choice() {
        Relocation method = placing == null ? Relocation.ROTATION : placing;
        BaseCommand.refuse(
                places != null && places < method.leastPlaces(),
                "--places must be from " + method.leastPlaces() + " to " + MOST + ", not " + places);
        return new RelocatedTexts.Choice(
                method, places == null ? method.places() : places, window == null ? WindowCutter.LENGTH : window);
    }
}
