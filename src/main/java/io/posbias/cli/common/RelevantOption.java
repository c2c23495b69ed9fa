package io.posbias.cli.common;

import io.posbias.base.text.Printable;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.named.Datasets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Passages that are relevant without a judgement. */
public final class RelevantOption implements Checked {
    @Heading("Benchmark:")
    @Option(
            names = "--relevant",
            paramLabel = "WHICH",
            description = DatasetCard.ANY_WITH_EVIDENCE
                    + ": every passage that holds the sentences of a query's evidence, as overlapping passages do"
                    + " (default: as relevant in dataset.yaml says, else the judged ones).")
    private @Nullable String which;

    @Override
    public void check() {
        BaseCommand.refuse(
                which != null && !which.equals(DatasetCard.ANY_WITH_EVIDENCE),
                "--relevant is " + Printable.quoted(String.valueOf(which)) + ": it must be "
                        + DatasetCard.ANY_WITH_EVIDENCE);
    }

    /** Applies the option to a benchmark. */
    public Datasets.Source of(Datasets.Source source) {
        return which == null ? source : source.with(Map.of(DatasetCard.Field.RELEVANT, which));
    }
}
