package io.posbias.evaluate;

import io.posbias.Progress;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetFiles;
import io.posbias.dataset.DatasetReader;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark whose card and digests are known, which is enough to see that a cell is finished; the rest is read when the
 * first cell needs it, once.
 */
public final class LazyDataset {
    private final DatasetCard card;
    private final DatasetFiles files;
    private final Map<String, String> checksums;
    private final Stopwatch stopwatch;
    private @Nullable Dataset dataset;

    /** @param progress where it is told what is read and computed */
    public LazyDataset(Path folder, Progress progress) {
        this(DatasetFiles.find(folder), progress);
    }

    /** @param progress where it is told what is read and computed */
    LazyDataset(DatasetFiles files, Progress progress) {
        this.card = files.card();
        this.files = files;
        this.stopwatch = new Stopwatch(progress, card.name());
        this.checksums = stopwatch.time("load", files::checksums);
    }

    /** Where it is. */
    public Path folder() {
        return files.folder();
    }

    /** What dataset.yaml says. */
    public DatasetCard card() {
        return card;
    }

    /** SHA-256 of its files, by name inside the folder. */
    public Map<String, String> checksums() {
        return checksums;
    }

    /** A new stopwatch that has run for as long as it took to get so far. */
    public Stopwatch stopwatch() {
        return stopwatch.copy();
    }

    /** The benchmark, opened and checked. */
    public Dataset open() {
        Dataset opened = dataset;
        if (opened == null) {
            opened = stopwatch.time("load", () -> DatasetReader.open(files, checksums));
            dataset = opened;
        }
        return opened;
    }
}
