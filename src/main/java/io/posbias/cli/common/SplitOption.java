package io.posbias.cli.common;

import io.posbias.dataset.DatasetFiles;
import io.posbias.evaluate.Datasets;
import picocli.CommandLine.Option;

/** Which judgements of a benchmark are used; shared by {@code eval} and {@code score}. */
public final class SplitOption {
    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            description =
                    "Judgements to use: qrels/SPLIT.tsv, such as dev or train (default: ${DEFAULT-VALUE}). Another "
                            + "one than test is a benchmark of its own, NAME-SPLIT, in results.")
    private String split = DatasetFiles.TEST;

    /** Checks what picocli cannot. */
    public void check() {
        Verb.refuse(!split.matches("[\\p{L}\\p{N}_-]+"), "--split is the name of a file in qrels without its ending");
    }

    /** A benchmark with these judgements. */
    public Datasets.Source of(Datasets.Source source) {
        return source.of(split);
    }
}
