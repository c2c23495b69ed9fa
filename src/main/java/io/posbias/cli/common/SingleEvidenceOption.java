package io.posbias.cli.common;

import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.SecondQueries;
import io.posbias.data.dataset.SingleEvidence;
import io.posbias.data.named.Datasets;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Queries that are left out because their answer stands in another sentence of their passage, too. */
public final class SingleEvidenceOption implements Checked {
    @Heading("Benchmark:")
    @Option(
            names = "--single-evidence",
            paramLabel = "FILE",
            arity = "0..1",
            fallbackValue = "",
            description =
                    "Leave out queries that another sentence of their passage answers: those that FILE of 'posbias"
                            + " diagnose second-evidence --out FILE' lists; without FILE, those whose evidence's text stands in"
                            + " another sentence (default: as single_evidence in dataset.yaml says).")
    private @Nullable String list;

    @Override
    public void check() {
        if (list != null && !list.isEmpty()) {
            BaseCommand.isFile("--single-evidence", Path.of(list));
        }
    }

    /** Applies the option to a benchmark. */
    public Datasets.Source of(Datasets.Source source) {
        if (list == null) {
            return source;
        }
        SingleEvidence how = list.isEmpty() ? SingleEvidence.ANSWER : SecondQueries.listed(Path.of(list));
        return source.with(Map.of(DatasetCard.Field.SINGLE_EVIDENCE, how.text()));
    }
}
