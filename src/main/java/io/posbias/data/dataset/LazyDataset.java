package io.posbias.data.dataset;

import io.posbias.base.process.Progress;
import io.posbias.base.process.Stopwatch;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Benchmark whose card and digests are read at once, enough to recognise a finished cell; the rest is read once when a
 * cell needs it.
 */
public final class LazyDataset {
    private final DatasetCard card;
    private final DatasetFiles files;
    private final Map<String, String> checksums;
    private final Stopwatch stopwatch;
    private @Nullable Dataset dataset;

    public LazyDataset(Path folder, Progress progress) {
        this(DatasetFiles.find(folder), progress);
    }

    public LazyDataset(DatasetFiles files, Progress progress) {
        this.card = files.card();
        this.files = files;
        this.stopwatch = new Stopwatch(progress, card.name());
        this.checksums = stopwatch.time("load", files::checksums);
    }

    public Path folder() {
        return files.folder();
    }

    public DatasetCard card() {
        return card;
    }

    /** Returns the SHA-256 of its files, by name in the folder. */
    public Map<String, String> checksums() {
        return checksums;
    }

    /** Returns a new stopwatch that includes the time taken so far. */
    public Stopwatch stopwatch() {
        return stopwatch.copy();
    }

    public Dataset open() {
        Dataset opened = dataset;
        if (opened == null) {
            opened = stopwatch.time("load", () -> DatasetReader.open(files, checksums));
            dataset = opened;
        }
        return opened;
    }
}
