package io.posbias.cli;

import io.posbias.Names;
import io.posbias.UsageException;
import io.posbias.dataset.Catalog;
import io.posbias.dataset.CatalogEntry;
import io.posbias.dataset.DatasetFiles;
import io.posbias.hub.DatasetPuller;
import io.posbias.hub.HubSettings;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds the folder behind what {@code --dataset} was given: a name of the catalogue first, which is pulled if it is not
 * here and said so, then a folder.
 */
final class Datasets {
    private final Catalog catalog = Catalog.read();
    private final DatasetPuller puller;

    /** Says on stderr what it fetches. */
    Datasets(PrintWriter err) {
        puller = new DatasetPuller(catalog, HubSettings.fromEnvironment(), Terminal.progress(), line -> {
            err.println(line);
            err.flush();
        });
    }

    /** The catalogue. */
    Catalog catalog() {
        return catalog;
    }

    /** What brings benchmarks here. */
    DatasetPuller puller() {
        return puller;
    }

    /** The folder of one benchmark. */
    Path folder(String nameOrFolder) {
        List<Path> folders = folders(nameOrFolder);
        if (folders.size() > 1) {
            throw new UsageException(nameOrFolder + " names " + folders.size() + " datasets; give one");
        }
        return folders.getFirst();
    }

    /**
     * The folders of all benchmarks that a name, a pattern such as {@code posir/eng-Latn/*}, or a folder stands for.
     *
     * @throws UsageException if there is none
     */
    List<Path> folders(String nameOrFolder) {
        if (catalog.find(nameOrFolder).isPresent() || nameOrFolder.contains("*")) {
            return catalog.matching(nameOrFolder).stream().map(this::pulled).toList();
        }
        Path folder = Path.of(nameOrFolder);
        if (!Files.isDirectory(folder)) {
            throw new UsageException(Names.unknown(
                            "dataset", nameOrFolder, catalog.entries().keySet()) + "; or give the path of a folder");
        }
        if (!DatasetFiles.isDataset(folder)) {
            throw new UsageException(
                    "folder " + nameOrFolder + " holds no benchmark: neither dataset.yaml nor a corpus");
        }
        return List.of(folder);
    }

    private Path pulled(CatalogEntry entry) {
        return puller.pull(entry, false);
    }
}
