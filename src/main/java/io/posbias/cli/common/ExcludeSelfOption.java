package io.posbias.cli.common;

import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.named.Datasets;
import java.util.EnumMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Passages that are queries themselves, as in ArguAna and Quora. */
public final class ExcludeSelfOption {
    @Heading("Benchmark:")
    @Option(
            names = "--exclude-self",
            description = "Leave the passage with a query's own identifier out of its ranking, as BEIR and MTEB do"
                    + " (default: as exclude_self in dataset.yaml says).")
    private boolean excludes;

    /** Applies the option to a benchmark. */
    public Datasets.Source of(Datasets.Source source) {
        return source.with(on(source.handling()));
    }

    /** Adds the option to fields that replace those of a benchmark's card. */
    public Map<DatasetCard.Field, String> on(Map<DatasetCard.Field, String> handling) {
        Map<DatasetCard.Field, String> all = new EnumMap<>(DatasetCard.Field.class);
        all.putAll(handling);
        if (excludes) {
            all.put(DatasetCard.Field.EXCLUDE_SELF, String.valueOf(true));
        }
        return all;
    }
}
