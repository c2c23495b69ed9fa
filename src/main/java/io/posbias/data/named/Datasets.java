package io.posbias.data.named;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.Pointers;
import io.posbias.base.files.Staging;
import io.posbias.base.json.Configs;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.data.convert.Catalog;
import io.posbias.data.convert.CatalogEntry;
import io.posbias.data.convert.OwnData;
import io.posbias.data.convert.Reading;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.fetch.hub.HubRepository;
import io.posbias.fetch.hub.HubSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Resolves {@code --dataset}: an installed name of the catalogue, else a folder or a file, else a name of the catalogue, which
 * is downloaded. Files with questions are converted: {@link OwnData}.
 */
public final class Datasets {
    private final Catalog catalog = Catalog.read();
    private final DatasetPuller puller;
    private final Session session;
    private final Reading reading;

    public Datasets(Session session) {
        this(session, Reading.of(""));
    }

    /** @param reading without a language for that of each benchmark's card, or else the detected one */
    public Datasets(Session session, Reading reading) {
        this.session = session;
        this.reading = reading;
        puller = new DatasetPuller(catalog, HubSettings.of(session), session);
    }

    public Catalog catalog() {
        return catalog;
    }

    public DatasetPuller puller() {
        return puller;
    }

    /**
     * Requested benchmark.
     *
     * @param name in results
     * @param isLocal true if its folder needs no download
     * @param folder returns its folder, downloaded if necessary
     * @param split as for {@link DatasetFiles#find(Path, String)}
     * @param handling as for {@link DatasetFiles#with}
     * @param entry of the catalogue; null for a folder
     */
    public record Source(
            String name,
            BooleanSupplier isLocal,
            Supplier<Path> folder,
            String split,
            Map<DatasetCard.Field, String> handling,
            @Nullable CatalogEntry entry) {

        /** Returns this benchmark with the judgements of another split. */
        public Source of(String other) {
            return other.equals(split) ? this : new Source(name + "-" + other, isLocal, folder, other, handling, entry);
        }

        /** Returns this benchmark with further fields that replace those of its card. */
        public Source with(Map<DatasetCard.Field, String> fields) {
            Map<DatasetCard.Field, String> all = new EnumMap<>(DatasetCard.Field.class);
            all.putAll(handling);
            all.putAll(fields);
            return new Source(name, isLocal, folder, split, all, entry);
        }

        public DatasetFiles files() {
            return DatasetFiles.find(folder.get(), split).with(handling);
        }

        public LazyDataset lazy(Progress progress) {
            return new LazyDataset(files(), progress);
        }
    }

    public Path folder(String nameOrFolder) {
        return source(nameOrFolder).folder().get();
    }

    /** Returns the single benchmark of a name or folder. */
    public Source source(String nameOrFolder) {
        List<Source> sources = sources(nameOrFolder);
        if (sources.size() > 1) {
            throw new UsageException(
                    nameOrFolder + " names " + sources.size() + " datasets; give one of them, for example "
                            + sources.getFirst().name());
        }
        return sources.getFirst();
    }

    /** Returns the benchmarks of several names, groups, patterns or folders, in their order. */
    public List<Source> sources(List<String> namesOrFolders) {
        return namesOrFolders.stream().flatMap(name -> sources(name).stream()).toList();
    }

    /**
     * Returns the benchmarks of a name, a group ({@code posir/eng-Latn}), a pattern ({@code posir/*-Latn/fineweb}), a data
     * set on the Hub ({@code hf:ORG/NAME}) or a folder.
     *
     * @throws UsageException if there are none
     */
    public List<Source> sources(String nameOrFolder) {
        List<Source> found = found(nameOrFolder);
        return reading.language().isEmpty()
                ? found
                : found.stream()
                        .map(source -> source.with(Map.of(DatasetCard.Field.LANGUAGE, reading.language())))
                        .toList();
    }

    private List<Source> found(String nameOrFolder) {
        Optional<HubRepository> hub = DatasetPuller.onHub(nameOrFolder);
        if (hub.isPresent()) {
            HubRepository repository = hub.get();
            return List.of(new Source(
                    repository.name(),
                    () -> DatasetFiles.isDataset(puller.folder(repository)),
                    () -> puller.pull(repository),
                    DatasetFiles.TEST,
                    Map.of(),
                    null));
        }
        Path folder = FileNames.path(nameOrFolder);
        // A user's folder precedes a benchmark that would be downloaded.
        boolean isOwn = DatasetFiles.isDataset(folder)
                && !catalog.find(nameOrFolder).map(puller::isLocal).orElse(true);
        boolean isFile = Pointers.isFile(folder);
        boolean isName = !isOwn && !isFile && (catalog.names().contains(nameOrFolder) || !Files.isDirectory(folder));
        if (catalog.names().contains(nameOrFolder) && Files.exists(folder)) {
            String that = isName ? "that" : "not that";
            session.say("note: " + nameOrFolder + " is " + that + " of 'posbias data list'; ./" + nameOrFolder
                    + " is here");
        }
        String name = isName ? Suggestions.meant(nameOrFolder, catalog.names()).orElse("") : "";
        if (!name.isEmpty() || nameOrFolder.contains("*")) {
            return catalog.matching(name.isEmpty() ? nameOrFolder : name).stream()
                    .map(entry -> new Source(
                            entry.name(),
                            () -> puller.isLocal(entry),
                            () -> puller.pull(entry, false),
                            DatasetFiles.TEST,
                            Map.of(),
                            entry))
                    .toList();
        }
        Staging.restore(folder);
        if (!isFile && !Files.isDirectory(folder)) {
            throw noFolder(nameOrFolder);
        }
        OwnData data = OwnData.of(folder, reading);
        return switch (data.form()) {
            case BENCHMARK -> List.of(local(DatasetCard.read(folder).name(), () -> folder));
            case QUESTIONS, JUDGED, TRAINING -> List.of(local(data.name(), () -> data.converted(session)));
            case DOCUMENTS ->
                throw new UsageException("dataset " + Printable.cut(nameOrFolder) + " has documents without questions: "
                        + data.command() + ", which --dataset takes");
        };
    }

    private static Source local(String name, Supplier<Path> folder) {
        return new Source(name, () -> true, folder, DatasetFiles.TEST, Map.of(), null);
    }

    /** Returns the documents of a file or folder without questions; empty for benchmarks and names. */
    public Optional<OwnData> documents(String nameOrFolder) {
        Path path = FileNames.path(nameOrFolder);
        boolean isName = DatasetPuller.onHub(nameOrFolder).isPresent()
                || catalog.names().contains(nameOrFolder)
                || !Files.exists(path);
        OwnData data = new OwnData(path, reading);
        return isName || data.form() != OwnData.Form.DOCUMENTS ? Optional.empty() : Optional.of(data);
    }

    /** Describes an unknown name, or a path without a folder. */
    private UsageException noFolder(String given) {
        boolean like = given.contains("/") && catalog.isFamily(given.substring(0, given.indexOf('/')));
        return Configs.isPath(given) || (given.contains("/") && !like)
                ? new UsageException("dataset " + Printable.cut(given) + ": the folder does not exist")
                : new UsageException(catalog.unknown(given) + "; or give the path of a folder");
    }
}
