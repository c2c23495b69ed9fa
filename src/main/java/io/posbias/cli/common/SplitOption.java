package io.posbias.cli.common;

import io.posbias.Session;
import io.posbias.dataset.DatasetFiles;
import io.posbias.evaluate.Datasets;
import java.util.List;
import picocli.CommandLine.Option;

/** Split of the relevance judgements. */
public final class SplitOption implements Checked {
    @Heading("Benchmark:")
    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            description = "Split of the judgements, qrels/SPLIT.tsv (default: ${DEFAULT-VALUE}). Other splits are "
                    + "reported as NAME-SPLIT.")
    private String split = DatasetFiles.TEST;

    @Override
    public void check() {
        BaseCommand.refuse(
                !split.matches("[\\p{L}\\p{N}_-]+"), "--split must be the name of a file in qrels without its ending");
    }

    /** Finds benchmarks by names, groups, patterns or folders. */
    public List<Datasets.Source> sources(List<String> names, Session session) {
        return new Datasets(session).sources(names).stream().map(this::of).toList();
    }

    public Datasets.Source of(Datasets.Source source) {
        return source.of(split);
    }
}
