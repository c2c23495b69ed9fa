package io.posbias.cli.common;

import io.posbias.Session;
import io.posbias.dataset.DatasetFiles;
import io.posbias.evaluate.Datasets;
import java.util.List;
import picocli.CommandLine.Option;

/** Which judgements of a benchmark are used; shared by {@code eval} and {@code score}. */
public final class SplitOption implements Checked {
    @Heading("Benchmark:")
    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            description =
                    "Judgements to use: qrels/SPLIT.tsv, such as dev or train (default: ${DEFAULT-VALUE}). Another "
                            + "one than test is a benchmark of its own, NAME-SPLIT, in results.")
    private String split = DatasetFiles.TEST;

    /** Checks what picocli cannot. */
    @Override
    public void check() {
        BaseCommand.refuse(
                !split.matches("[\\p{L}\\p{N}_-]+"), "--split is the name of a file in qrels without its ending");
    }

    /** All benchmarks that names, groups, patterns or folders stand for, with these judgements. */
    public List<Datasets.Source> sources(List<String> names, Session session) {
        return new Datasets(session).sources(names).stream().map(this::of).toList();
    }

    /** A benchmark with these judgements. */
    public Datasets.Source of(Datasets.Source source) {
        return source.of(split);
    }
}
