package io.posbias.cli.common;

import io.posbias.base.text.Printable;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.named.Datasets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Split of the relevance judgements, and what is done about those that name nothing. */
public final class JudgementOptions implements Checked {
    @Heading("Benchmark:")
    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            description = "Split of the judgements, qrels/SPLIT.tsv (default: ${DEFAULT-VALUE}). Other splits are "
                    + "reported as NAME-SPLIT.")
    private String split = DatasetFiles.TEST;

    @Heading("Benchmark:")
    @Option(
            names = "--missing-judged",
            paramLabel = "HOW",
            description =
                    "drop: leave out and count judgements of passages and queries that the benchmark lacks; a query"
                            + " that loses all relevant passages scores 0, as in BEIR (default: refuse them).")
    private @Nullable String missing;

    @Override
    public void check() {
        BaseCommand.refuse(
                !split.matches("[\\p{L}\\p{N}_-]+"), "--split must be the name of a file in qrels without its ending");
        BaseCommand.refuse(
                missing != null && !missing.equals(DatasetCard.DROP),
                "--missing-judged is " + Printable.quoted(String.valueOf(missing)) + ": it must be "
                        + DatasetCard.DROP);
    }

    /** Finds benchmarks by names, groups, patterns or folders. */
    public List<Datasets.Source> sources(List<String> names, Datasets known) {
        return known.sources(names).stream().map(this::of).toList();
    }

    public String split() {
        return split;
    }

    /** Returns the fields that replace those of a benchmark's card. */
    public Map<DatasetCard.Field, String> handling() {
        return missing == null ? Map.of() : Map.of(DatasetCard.Field.MISSING_JUDGED, missing);
    }

    public Datasets.Source of(Datasets.Source source) {
        return source.of(split).with(handling());
    }
}
