package io.posbias.hub;

import io.posbias.FileNames;
import io.posbias.Staging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A model's folder and the two beside it: {@code .NAME.part}, where a copy is made and which outlives a killed process
 * so that nothing is downloaded twice, and {@code .NAME.old}, where an older copy stands for the moment in which the new
 * one takes its place. All three are siblings, so that moving between them is renaming. Only the holder of the model's
 * {@link PullLock} may change them.
 */
record ModelFolder(Path folder) {
    /** Where a copy is made. */
    Path stage() {
        return folder.resolveSibling("." + folder.getFileName() + ".part");
    }

    private Path old() {
        return folder.resolveSibling("." + folder.getFileName() + ".old");
    }

    /** Whether the folder holds something that posbias did not put there, or not to its end. */
    boolean isForeign() {
        return Files.isDirectory(folder) && ModelManifest.read(folder).isEmpty();
    }

    /** Finishes what a process that was killed while {@link #commit committing} left, if that is still wanted. */
    void recover(HubModel model) throws IOException {
        Optional<ModelManifest> staged = ModelManifest.read(stage()).filter(ModelManifest::isWhole);
        if (staged.isPresent() && (!Files.exists(folder) || staged.get().isOf(model))) {
            commit();
        } else if (!Files.exists(folder) && Files.exists(old())) {
            Staging.move(old(), folder);
        }
        Staging.delete(old());
    }

    /** Makes the staging folder ready for a copy, keeping what arrived before. */
    void open() throws IOException {
        Files.createDirectories(stage());
        Files.deleteIfExists(stage().resolve(ModelManifest.FILE));
    }

    /**
     * Puts a file that is here already and was verified into the staging folder: a hard link, so that a model of many
     * gigabytes lies on the disk once, else a copy. Never a symbolic link: ONNX Runtime looks for external data beside
     * the file that a link leads to, and refuses data that leads out of the graph's folder.
     *
     * @param say takes a line before a copy is made
     */
    void place(Path source, String path, Consumer<String> say) throws IOException {
        Path target = FileNames.inside(stage(), path);
        Path real = source.toRealPath();
        if (Files.exists(target) && Files.isSameFile(real, target)) {
            return;
        }
        Files.createDirectories(target.getParent());
        Files.deleteIfExists(target);
        try {
            Files.createLink(target, real);
        } catch (IOException | UnsupportedOperationException cannotLink) {
            say.accept("copying " + source + " (" + Hub.mebibytes(Files.size(real)) + ") to " + folder
                    + ": the file system cannot link it");
            Path part = target.resolveSibling(target.getFileName() + ".part");
            Files.copy(real, part, StandardCopyOption.REPLACE_EXISTING);
            Staging.move(part, target);
        }
    }

    /** Deletes what an older try left in the staging folder and this copy does not need. */
    void clean(List<String> files) throws IOException {
        Set<Path> wanted =
                files.stream().map(file -> stage().resolve(file).normalize()).collect(Collectors.toSet());
        List<Path> all;
        try (Stream<Path> walked = Files.walk(stage())) {
            all = walked.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            if (Files.isDirectory(path) ? !path.equals(stage()) && isEmpty(path) : !wanted.contains(path)) {
                Files.delete(path);
            }
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    /**
     * Shows the staged copy, which a manifest has sealed. An older copy is replaced; what a person brought into the
     * folder stays beside the model's own files.
     */
    void commit() throws IOException {
        if (isForeign()) {
            merge();
            return;
        }
        Staging.delete(old());
        Staging.replaceFolder(stage(), folder, old());
    }

    /** Moves the files into the folder one by one, the manifest last. */
    private void merge() throws IOException {
        List<Path> files;
        Path seal = stage().resolve(ModelManifest.FILE);
        try (Stream<Path> walked = Files.walk(stage())) {
            files = walked.filter(file -> Files.isRegularFile(file) && !file.equals(seal))
                    .toList();
        }
        for (Path file : files) {
            Path target = folder.resolve(stage().relativize(file).toString());
            Files.createDirectories(target.getParent());
            Staging.move(file, target);
        }
        Staging.move(seal, folder.resolve(ModelManifest.FILE));
        Staging.delete(stage());
    }
}
