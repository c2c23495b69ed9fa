package io.posbias.cli.common;

import io.posbias.measure.Bias;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Largest negligible loss at the back. */
@Command(optionListHeading = "Content held fixed:")
public final class EquivalenceOption implements Checked {
    @Option(
            names = "--equivalence",
            paramLabel = "PERCENT",
            description =
                    "Largest negligible loss at the back: the verdict is none if its whole interval is within PERCENT "
                            + "of 0 (default: ${DEFAULT-VALUE}).")
    private double percent = 100 * Bias.EQUIVALENCE;

    @Override
    public void check() {
        BaseCommand.refuse(!(percent > 0 && percent < 100), "--equivalence must be between 0 and 100, not " + percent);
    }

    /** The percentage as a fraction. */
    public double fraction() {
        return percent / 100;
    }
}
