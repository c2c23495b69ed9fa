package io.posbias.cli;

import io.posbias.Configs;
import io.posbias.UsageException;
import io.posbias.dataset.DatasetFiles;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the folder behind what {@code --dataset} was given. */
final class Datasets {
    private Datasets() {}

    /** The folder of a benchmark: a registered name first, then a folder. */
    static Path folder(String nameOrFolder) {
        if (nameOrFolder.equals("demo")) {
            return Configs.path("data/demo");
        }
        Path folder = Path.of(nameOrFolder);
        if (Files.isDirectory(folder)) {
            if (!DatasetFiles.isDataset(folder)) {
                throw new UsageException(
                        "folder " + nameOrFolder + " holds no benchmark: neither dataset.yaml nor corpus.jsonl");
            }
            return folder;
        }
        throw new UsageException("unknown dataset " + nameOrFolder);
    }
}
