package io.posbias.hub;

import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the files of models into posbias's cache, each model's into one folder under their paths in the repository, so
 * that external data lies beside its graph. What is complete is not fetched again; {@link ModelManifest} says what is.
 */
public final class ModelPuller {
    private static final Logger LOG = LoggerFactory.getLogger(ModelPuller.class);

    private final HubSettings settings;
    private final Hub hub;
    private final Consumer<String> say;

    /**
     * @param say takes one line after another on what is done
     */
    public ModelPuller(HubSettings settings, Progress progress, Consumer<String> say) {
        this.settings = settings;
        this.hub = new Hub(settings, progress, say);
        this.say = say;
    }

    /**
     * Whether a complete copy is in the cache: of this repository and revision, with exactly these files, each of the
     * size that the manifest says. Touches no network.
     */
    public boolean isHere(HubModel model) {
        return sealed(model).isPresent();
    }

    /**
     * Whether a complete copy is in the cache that is what was pulled: its files' sizes and times are, or their digests.
     * Touches no network.
     */
    public boolean isSound(HubModel model) {
        return Problems.got("read", settings.model(model.name()), () -> isIntact(model));
    }

    private Optional<ModelManifest> sealed(HubModel model) {
        return ModelManifest.read(settings.model(model.name()))
                .filter(manifest -> manifest.isOf(model) && manifest.isWhole());
    }

    /**
     * Makes a model available. A copy of other files or of another revision is replaced, when the new one is complete.
     * A folder that a person filled (it has no manifest) is compared with the Hub and sealed; where the Hub does not
     * answer it is taken as it is, and said to be not verified.
     *
     * @param again whether to ask the Hub also if a copy is here; what differs is fetched
     * @return its folder
     * @throws PosbiasException if that fails; what was downloaded is kept for the next try
     */
    public Path pull(HubModel model, boolean again) {
        ModelFolder copy = new ModelFolder(settings.model(model.name()));
        return PullLock.holding(copy.folder(), model.name(), say, () -> {
            try {
                copy.recover(model);
                if (again || !isIntact(model)) {
                    make(model, copy, again);
                }
                return copy.folder();
            } catch (HubException failure) {
                throw failure.withSteps(byHand(model, copy.folder()));
            } catch (IOException refused) {
                throw Problems.kept(copy.folder(), refused);
            }
        });
    }

    /** A copy that was itself copied has other times: it is read once, and the manifest brought up to date. */
    private boolean isIntact(HubModel model) throws IOException {
        Optional<ModelManifest> sealed = sealed(model);
        if (sealed.isEmpty() || sealed.get().isUntouched()) {
            return sealed.isPresent();
        }
        say.accept("checking " + sealed.get().folder() + ": its files' times are not those of the pull");
        Optional<ModelManifest> compared = sealed.get().compared();
        compared.ifPresent(ModelPuller::remember);
        return compared.isPresent();
    }

    /** Where nothing can be written, it is compared each time. */
    private static void remember(ModelManifest compared) {
        try {
            compared.write();
        } catch (PosbiasException refused) {
            LOG.debug("{}", refused.line());
        }
    }

    private void make(HubModel model, ModelFolder copy, boolean again) throws IOException {
        List<Hub.Located> found;
        try {
            found = hub.find(model.repository(), model.files());
        } catch (HubException failure) {
            if (again || !copy.isForeign() || !holdsAll(copy.folder(), model)) {
                throw failure;
            }
            adopt(model, copy, failure);
            return;
        }
        Set<String> same = same(found, copy.folder());
        if (copy.isForeign() && !again) {
            refuseToReplace(model, copy.folder(), same);
        }
        copy.open();
        checkRoom(model, copy, found, same);
        for (Hub.Located file : found) {
            String path = file.file().path();
            Path here = same.contains(path) ? copy.folder().resolve(path) : hub.bring(file, copy.stage());
            copy.place(here, path, say);
        }
        copy.clean(model.files());
        seal(model, copy.stage(), found).write();
        copy.commit();
    }

    /** The files of the present copy, or of a folder that a person filled, that are what the Hub announces. */
    private static Set<String> same(List<Hub.Located> found, Path folder) throws IOException {
        Set<String> same = new HashSet<>();
        for (Hub.Located file : found) {
            Path here = folder.resolve(file.file().path());
            Download.Remote remote = file.remote();
            if (Files.isRegularFile(here)
                    && (remote.size() < 0 || remote.size() == Files.size(here))
                    && remote.tag().isOf(here)) {
                same.add(file.file().path());
            }
        }
        return same;
    }

    /** What a person put there may be their own work. */
    private static void refuseToReplace(HubModel model, Path folder, Set<String> same) {
        for (String path : model.files()) {
            if (Files.exists(folder.resolve(path)) && !same.contains(path)) {
                throw new PosbiasException(folder.resolve(path) + " is not what " + model.repository() + " holds at "
                        + model.repository().revision() + ", and posbias did not put it there; move it away, or order"
                        + " the model to be pulled again");
            }
        }
    }

    private static boolean holdsAll(Path folder, HubModel model) {
        return model.files().stream().allMatch(path -> Files.isRegularFile(folder.resolve(path)));
    }

    private void adopt(HubModel model, ModelFolder copy, HubException failure) throws IOException {
        say.accept("taking " + copy.folder() + " as it was brought here, not verified: " + failure.line());
        List<ModelManifest.Entry> entries = new ArrayList<>();
        for (String path : model.files()) {
            entries.add(ModelManifest.Entry.of(copy.folder(), path, Optional.empty()));
        }
        HubRepository repository = model.repository();
        new ModelManifest(copy.folder(), repository.name(), repository.revision(), "", false, entries).write();
    }

    private void checkRoom(HubModel model, ModelFolder copy, List<Hub.Located> found, Set<String> same)
            throws IOException {
        long needed = 0;
        for (Hub.Located file : found) {
            if (same.contains(file.file().path())) {
                continue;
            }
            needed += hub.missing(file, copy.stage());
            if (file.cached().isPresent()
                    && !Files.getFileStore(file.cached().get()).equals(Files.getFileStore(copy.stage()))) {
                needed += Files.size(file.cached().get());
            }
        }
        long free = Files.getFileStore(copy.stage()).getUsableSpace();
        if (needed > free) {
            throw new PosbiasException(model.name() + " needs " + Hub.mebibytes(needed) + " more in "
                    + copy.folder().getParent() + ", and there are " + Hub.mebibytes(free) + " free");
        }
    }

    private static ModelManifest seal(HubModel model, Path folder, List<Hub.Located> found) throws IOException {
        List<ModelManifest.Entry> entries = new ArrayList<>();
        for (Hub.Located file : found) {
            entries.add(ModelManifest.Entry.of(
                    folder, file.file().path(), file.remote().tag().sha256()));
        }
        HubRepository repository = model.repository();
        return new ModelManifest(
                folder,
                repository.name(),
                repository.revision(),
                found.getFirst().remote().commit(),
                found.stream().allMatch(file -> file.remote().tag().isVerifiable()),
                entries);
    }

    /** How a person brings the model here without this machine's network. */
    private List<String> byHand(HubModel model, Path folder) {
        List<String> steps = new ArrayList<>();
        steps.add("On a machine that reaches the Hub run 'posbias models pull " + model.pull()
                + "', then copy its folder models/" + model.name() + " (in POSBIAS_HOME or ~/.cache/posbias) to "
                + folder + ".");
        steps.add("Or fetch by hand, in a browser if need be, from "
                + model.repository().filesPage(settings.endpoint()) + ", into " + folder
                + " under the same paths (they are then used, but not verified):");
        model.files().forEach(file -> steps.add("  " + file));
        return steps;
    }
}
