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
            description = "Cluster of queries for intervals and tests: those with the same relevant passage or article "
                    + "(title), or none: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Clustering.By cluster = Clustering.By.PASSAGE;

    public Clustering.By by() {
        return cluster;
    }
}
