package io.posbias.fetch.hub;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.base.text.Printable;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Downloads the files of models into posbias's cache, each model's into one folder under their paths in the repository, so
 * that external data lies beside its graph. Complete copies, by their {@link ModelManifest}, are not downloaded again.
 */
public final class ModelPuller {
    private static final Logger LOG = LoggerFactory.getLogger(ModelPuller.class);

    private final HubSettings settings;
    private final Hub hub;
    private final Session session;

    public ModelPuller(HubSettings settings, Session session) {
        this.settings = settings;
        this.hub = new Hub(settings, session);
        this.session = session;
    }

    /**
     * Returns true if the cache has a complete copy of this repository and revision: these files only, each of the size in
     * the manifest. Uses no network.
     */
    public boolean isLocal(HubModel model) {
        return sealed(model).isPresent();
    }

    /**
     * Returns true if the cache has a complete and unchanged copy: sizes and times of the files match the manifest, or their
     * digests do. Uses no network.
     */
    public boolean isSound(HubModel model) {
        return IoErrors.call("read", folder(model), () -> isIntact(model));
    }

    private Path folder(HubModel model) {
        return settings.model(model.name());
    }

    private Path downloads(HubModel model) {
        return FileNames.inside(settings.home().resolve("downloads/models"), model.name());
    }

    private Optional<ModelManifest> sealed(HubModel model) {
        Path folder = folder(model);
        return ModelManifest.read(folder).filter(manifest -> manifest.isOf(model) && manifest.isWhole(folder));
    }

    /**
     * Makes a model available. A copy of other files or of another revision is replaced, when the new one is complete.
     *
     * @param again true to compare a copy on disk with the Hub and download the files that differ
     * @return its folder
     * @throws PosbiasException if that fails, or its folder was not made by posbias; what was downloaded is kept for the
     *     next try
     */
    public Path pull(HubModel model, boolean again) {
        Path folder = folder(model);
        return Downloader.alone(folder, downloads(model), model.name(), session, () -> {
            Staging.restore(folder);
            try {
                if (again || !isIntact(model)) {
                    make(model, folder, null, Long.MAX_VALUE);
                }
                return folder;
            } catch (HubException failure) {
                throw failure.withSteps(byHand(model, folder));
            } catch (IOException refused) {
                throw IoErrors.kept(folder, refused);
            }
        });
    }

    /**
     * The files of a repository; some are on disk.
     *
     * @param folder the files that were downloaded
     * @param commit the revision's commit
     * @param paths all files
     */
    public record Listed(Path folder, String commit, List<String> paths) {}

    /**
     * Lists the files of a repository and downloads some of them.
     *
     * @param name a folder's name
     * @param wanted true for the files to download
     * @param most bytes of one of them
     * @param again whether to ask the Hub although a copy is on disk
     * @throws PosbiasException if that fails, or no file is wanted
     */
    public Listed list(String name, HubRepository repository, Predicate<String> wanted, long most, boolean again) {
        Path folder = settings.model(name);
        Optional<ModelManifest> known = again ? Optional.empty() : listed(folder, repository);
        if (known.isEmpty()) {
            List<String> paths = paths(repository);
            session.say("reading the settings of " + repository + " at " + repository.revision() + " from "
                    + (settings.offline() ? settings.hubCache() : settings.endpoint()));
            List<String> files = paths.stream().filter(wanted).toList();
            if (files.isEmpty()) {
                throw new PosbiasException(repository + " has no file that describes a model; files: "
                        + (paths.isEmpty() ? "none" : Printable.cut(String.join(", ", paths))));
            }
            ModelPuller quiet = new ModelPuller(settings, session.with(Progress.NONE, line -> LOG.debug("{}", line)));
            HubModel model = new HubModel(name, repository + "@" + repository.revision(), repository, files);
            Downloader.alone(folder, downloads(model), name, session, () -> {
                Staging.restore(folder);
                IoErrors.run("write", folder, () -> quiet.make(model, folder, paths, most));
                return folder;
            });
            known = listed(folder, repository);
        }
        ModelManifest manifest = known.orElseThrow();
        return new Listed(folder, manifest.commit(), Objects.requireNonNullElse(manifest.listed(), List.of()));
    }

    private List<String> paths(HubRepository repository) {
        String missing = "no recipe for " + repository + ", and its files are not on disk: ";
        String byHand = "Or copy its files into a folder, and give that to --model.";
        try {
            return hub.list(repository).stream().sorted().toList();
        } catch (HubException failure) {
            throw new HubException(missing + failure.line(), failure.steps(), failure).withSteps(List.of(byHand));
        }
    }

    private static Optional<ModelManifest> listed(Path folder, HubRepository repository) {
        return ModelManifest.read(folder)
                .filter(manifest -> manifest.isOf(repository) && manifest.listed() != null && manifest.isWhole(folder));
    }

    /** A copy that was itself copied has other times: it is read once, and the manifest brought up to date. */
    private boolean isIntact(HubModel model) throws IOException {
        Path folder = folder(model);
        Optional<ModelManifest> sealed = sealed(model);
        if (sealed.isEmpty() || sealed.get().isUntouched(folder)) {
            return sealed.isPresent();
        }
        session.say("checking " + folder + ": its files' times are not those of the pull");
        Optional<ModelManifest> compared = sealed.get().compared(folder);
        try {
            compared.ifPresent(manifest -> manifest.write(folder));
        } catch (PosbiasException refused) {
            // Where nothing can be written, it is compared each time.
            LOG.debug("{}", refused.line());
        }
        return compared.isPresent();
    }

    private void make(HubModel model, Path folder, @Nullable List<String> listed, long most) throws IOException {
        if (Files.isDirectory(folder) && !Files.exists(folder.resolve(ModelManifest.FILE))) {
            throw new PosbiasException(folder + " was not made by 'posbias models pull': move it away, or use it by a"
                    + " recipe with source: {folder: " + folder + "}");
        }
        Path downloads = downloads(model);
        List<Hub.Located> found = new ArrayList<>();
        for (Hub.Located file : hub.find(model.repository(), model.files())) {
            found.add(file.atMost(most).orIn(folder));
        }
        try (Staging staging = Staging.beside(folder, session)) {
            checkRoom(model, found, downloads, Files.getFileStore(staging.folder()));
            List<ModelManifest.Entry> entries = new ArrayList<>();
            for (Hub.Located file : found) {
                String path = file.file().path();
                place(hub.download(file, downloads), FileNames.inside(staging.folder(), path), folder);
                entries.add(ModelManifest.Entry.of(
                        staging.folder(), path, file.remote().tag().sha256()));
            }
            new ModelManifest(model, found.getFirst().remote().commit(), entries, listed).write(staging.folder());
            staging.commitFolder();
        }
    }

    /**
     * Puts a verified file into place: a hard link, so that a model of many gigabytes lies on the disk once, else a copy.
     * Never a symbolic link: ONNX Runtime looks for external data beside the file that a link leads to, and refuses data
     * that leads out of the graph's folder.
     */
    private void place(Path source, Path target, Path folder) throws IOException {
        Files.createDirectories(target.getParent());
        Path real = source.toRealPath();
        try {
            Files.createLink(target, real);
        } catch (IOException | UnsupportedOperationException cannotLink) {
            session.say("copying " + source + " (" + Downloader.mebibytes(Files.size(real)) + ") to " + folder
                    + ": the file system cannot link it");
            Files.copy(real, target);
        }
    }

    private void checkRoom(HubModel model, List<Hub.Located> found, Path downloads, FileStore disk) throws IOException {
        long needed = 0;
        for (Hub.Located file : found) {
            needed += hub.missing(file, downloads);
            if (file.cached().isPresent()
                    && !Files.getFileStore(file.cached().get()).equals(disk)) {
                needed += Files.size(file.cached().get());
            }
        }
        Downloader.checkRoom(model.name(), needed, settings.home().resolve("models"));
    }

    /** Returns the steps of a download on another machine. */
    private List<String> byHand(HubModel model, Path folder) {
        List<String> steps = new ArrayList<>();
        steps.add("On a machine that reaches the Hub run 'posbias models pull " + model.pull()
                + "', then copy its folder models/" + model.name() + " (in POSBIAS_HOME or ~/.cache/posbias) to "
                + folder + ".");
        steps.add("Or fetch by hand, in a browser if need be, from "
                + model.repository().filesPage(settings.endpoint())
                + ", into a folder under the same paths, and name it in a recipe, source: {folder: DIR}:");
        model.files().forEach(file -> steps.add("  " + file));
        return steps;
    }
}
