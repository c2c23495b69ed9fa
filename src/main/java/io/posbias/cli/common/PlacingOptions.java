package io.posbias.cli.common;

import io.posbias.diagnose.RelocatedTexts;
import io.posbias.diagnose.Relocation;
import io.posbias.measure.ContentFixed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How evidence is put to other places of its own passage; shared by {@code eval} and {@code diagnose position}. */
@Command(optionListHeading = "Content held fixed:")
public final class PlacingOptions {
    private static final int MOST = 100;

    @Option(
            names = "--placing",
            paramLabel = "HOW",
            description =
                    "How evidence gets to its places: all sentences go round (rotation), it moves among the other ones "
                            + "(moving), or passages are cut to windows around it (windows): ${COMPLETION-CANDIDATES} "
                            + "(default: rotation).")
    private @Nullable Relocation placing;

    @Least(value = ContentFixed.LEAST_PLACES, most = MOST)
    @Option(
            names = "--places",
            paramLabel = "K",
            description = "Places of the evidence, from " + ContentFixed.LEAST_PLACES + " to " + MOST + " (default: "
                    + RelocatedTexts.PLACES + ").")
    private @Nullable Integer places;

    @Least(1)
    @BelongsTo("--placing windows")
    @Option(
            names = "--window",
            paramLabel = "N",
            description = "With --placing windows: sentences of a window beside the evidence (default: "
                    + Relocation.WINDOW + ").")
    private @Nullable Integer window;

    /** What was asked for. */
    public RelocatedTexts.Choice choice() {
        return new RelocatedTexts.Choice(
                placing == null ? Relocation.USUAL : placing,
                places == null ? RelocatedTexts.PLACES : places,
                window == null ? Relocation.WINDOW : window);
    }
}
