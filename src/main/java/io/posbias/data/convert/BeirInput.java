package io.posbias.data.convert;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Location;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Suggestions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.DatasetReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A benchmark in BEIR's layout in a folder or an archive, which may contain several.
 *
 * @param set name of one of several; empty for the only one
 * @param split of the judgements
 * @param handling fields that replace those of the input's card
 */
public record BeirInput(Path path, String set, String split, Map<DatasetCard.Field, String> handling) {
    /** Depth of a benchmark's folder: BEIR's CQADupStack has one more than others. */
    private static final int DEPTH = 4;

    /** Returns the input with another set. */
    public BeirInput of(String name) {
        return new BeirInput(path, name, split, handling);
    }

    /** Returns the input as a folder, unpacked if it is an archive. */
    public BeirInput unpacked(Path scratch) {
        if (Files.isDirectory(path)) {
            return this;
        }
        if (!Archives.isArchive(path)) {
            throw new BadInputException(
                    Location.of(path), "is neither a folder nor an archive", "archives are .zip, .tar.gz and .tgz");
        }
        Archives.unpack(path, scratch);
        return new BeirInput(scratch, set, split, handling);
    }

    /**
     * Opens the benchmark of an unpacked input.
     *
     * @param given the input before it was unpacked, for errors
     */
    Dataset open(Path given) {
        boolean isFolder = path.equals(given) && DatasetFiles.isDataset(path);
        SequencedMap<String, Path> all = isFolder && set.isEmpty() ? new TreeMap<>() : sets(path);
        if (!path.equals(given) && all.isEmpty()) {
            throw new BadInputException(
                    Location.of(given),
                    "holds no BEIR benchmark",
                    "it must hold corpus.jsonl, queries.jsonl and qrels/test.tsv");
        }
        if (all.size() > 1 && set.isEmpty()) {
            throw new BadInputException(
                    Location.of(given),
                    "holds " + all.size() + " benchmarks: " + String.join(", ", all.keySet()),
                    "choose one with --set NAME, or all with --set all");
        }
        Path chosen = set.isEmpty() ? all.isEmpty() ? path : all.firstEntry().getValue() : all.get(set);
        if (chosen == null) {
            throw new UsageException(given + ": " + Suggestions.unknown("set", set, all.keySet()));
        }
        DatasetFiles files = DatasetFiles.find(chosen, split).with(handling);
        return DatasetReader.open(files, files.checksums());
    }

    /**
     * Returns the folders of benchmarks in a folder and below it, by name and in the order of names: the last part of the
     * path, or the whole path if that is not unique.
     */
    public static SequencedMap<String, Path> sets(Path root) {
        List<Path> folders = IoErrors.call("read", root, () -> {
            try (Stream<Path> below = Files.walk(root, DEPTH)) {
                return below.filter(folder -> Files.isDirectory(folder) && !FileNames.isHidden(root, folder))
                        .filter(DatasetFiles::isDataset)
                        .toList();
            }
        });
        Map<String, Long> names =
                folders.stream().collect(Collectors.groupingBy(BeirInput::name, Collectors.counting()));
        SequencedMap<String, Path> sets = new TreeMap<>();
        folders.forEach(folder -> sets.put(
                names.getOrDefault(name(folder), 0L) == 1 ? name(folder) : FileNames.slashed(root.relativize(folder)),
                folder));
        return sets;
    }

    private static String name(Path folder) {
        return String.valueOf(folder.getFileName());
    }
}
