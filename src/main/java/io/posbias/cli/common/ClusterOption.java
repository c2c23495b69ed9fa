package io.posbias.cli.common;

import io.posbias.measure.Clustering;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The unit that intervals and tests count. */
@Command(optionListHeading = "Statistics:")
public final class ClusterOption {
    @Option(
            names = "--cluster",
            paramLabel = "UNIT",
            description =
                    "Count queries as one for intervals and tests that share a relevant passage, an article (passages "
                            + "of one title), or none: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Clustering.By cluster = Clustering.By.PASSAGE;

    public Clustering.By by() {
        return cluster;
    }
}
