package io.posbias.evaluate;

import io.posbias.Configs;
import io.posbias.FileNames;
import io.posbias.Printable;
import io.posbias.Progress;
import io.posbias.Session;
import io.posbias.Staging;
import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetFiles;
import io.posbias.dataset.convert.Catalog;
import io.posbias.dataset.convert.CatalogEntry;
import io.posbias.hub.DatasetPuller;
import io.posbias.hub.HubSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the folder behind what {@code --dataset} was given: a name of the catalogue that is here first, then a folder, then a
 * name that is not here, which is pulled and said so.
 */
public final class Datasets {
    private final Catalog catalog = Catalog.read();
    private final DatasetPuller puller;

    /** Says what it fetches. */
    public Datasets(Session session) {
        puller = new DatasetPuller(catalog, HubSettings.of(session), session.progress(), session::say);
    }

    /**
     * The value of {@code --name} where it names a benchmark.
     *
     * @throws UsageException if no benchmark may be called so
     */
    public static String checkedName(String name) {
        if (!DatasetCard.isName(name)) {
            throw new UsageException("--name is " + Printable.quoted(name) + ": " + DatasetCard.NAME_RULE);
        }
        return name;
    }

    /** The catalogue. */
    public Catalog catalog() {
        return catalog;
    }

    /** What brings benchmarks here. */
    public DatasetPuller puller() {
        return puller;
    }

    /**
     * A benchmark that was asked for.
     *
     * @param name what results call it
     * @param isHere whether its folder can be had without pulling it
     * @param folder gives its folder, pulling it first if it is not here
     * @param split the judgements that are used, as {@link DatasetFiles#find(Path, String)} takes it
     * @param entry of the catalogue; null where a folder was given
     */
    public record Source(
            String name,
            BooleanSupplier isHere,
            Supplier<Path> folder,
            String split,
            @Nullable CatalogEntry entry) {

        /** The same with the judgements of another split. */
        public Source of(String other) {
            return other.equals(split) ? this : new Source(name + "-" + other, isHere, folder, other, entry);
        }

        /** Its files. */
        public DatasetFiles files() {
            return DatasetFiles.find(folder.get(), split);
        }

        /** The benchmark, of which all but the card is read when it is needed. */
        public LazyDataset lazy(Progress progress) {
            return new LazyDataset(files(), progress);
        }
    }

    /** The folder of one benchmark. */
    public Path folder(String nameOrFolder) {
        return source(nameOrFolder).folder().get();
    }

    /** The one benchmark that a name or folder stands for. */
    public Source source(String nameOrFolder) {
        List<Source> sources = sources(nameOrFolder);
        if (sources.size() > 1) {
            throw new UsageException(nameOrFolder + " names " + sources.size() + " datasets; give one, such as "
                    + sources.getFirst().name());
        }
        return sources.getFirst();
    }

    /** All benchmarks that several names, groups, patterns or folders stand for, in their order. */
    public List<Source> sources(List<String> namesOrFolders) {
        return namesOrFolders.stream().flatMap(name -> sources(name).stream()).toList();
    }

    /**
     * All benchmarks that a name, a group such as {@code posir/eng-Latn}, a pattern such as {@code posir/*-Latn/fineweb}, or
     * a folder stands for.
     *
     * @throws UsageException if there is none
     */
    public List<Source> sources(String nameOrFolder) {
        Path folder = FileNames.path(nameOrFolder);
        // A folder that somebody made is not passed over for one that would have to be fetched.
        boolean isOwn = DatasetFiles.isDataset(folder)
                && !catalog.find(nameOrFolder).map(puller::isHere).orElse(true);
        boolean isName = !isOwn && (catalog.names().contains(nameOrFolder) || !Files.isDirectory(folder));
        String name = isName ? Suggestions.meant(nameOrFolder, catalog.names()).orElse("") : "";
        if (!name.isEmpty() || nameOrFolder.contains("*")) {
            return catalog.matching(name.isEmpty() ? nameOrFolder : name).stream()
                    .map(entry -> new Source(
                            entry.name(),
                            () -> puller.isHere(entry),
                            () -> puller.pull(entry, false),
                            DatasetFiles.TEST,
                            entry))
                    .toList();
        }
        Staging.restore(folder);
        if (!Files.isDirectory(folder)) {
            throw noFolder(nameOrFolder, folder);
        }
        if (!DatasetFiles.isDataset(folder)) {
            throw new UsageException(
                    "folder " + nameOrFolder + " holds no benchmark: neither dataset.yaml nor a corpus");
        }
        return List.of(new Source(DatasetCard.read(folder).name(), () -> true, () -> folder, DatasetFiles.TEST, null));
    }

    /** What is wrong with a path at which there is no folder, or with a name that nothing has. */
    private UsageException noFolder(String given, Path folder) {
        if (Files.exists(folder)) {
            return new UsageException(
                    "dataset " + Printable.cut(given) + " is a file: give the folder of a benchmark; 'posbias data"
                            + " build' makes one of published files");
        }
        boolean like = given.contains("/") && catalog.isFamily(given.substring(0, given.indexOf('/')));
        return Configs.isPath(given) || (given.contains("/") && !like)
                ? new UsageException("dataset " + Printable.cut(given) + ": no such folder")
                : new UsageException(catalog.unknown(given) + "; or give the path of a folder");
    }
}
