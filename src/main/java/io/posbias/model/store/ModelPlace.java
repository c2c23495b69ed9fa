package io.posbias.model.store;

import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.ModelSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Place of a set of model files.
 *
 * @param sealed true if the files are a complete download of the Hub
 */
public record ModelPlace(ModelFiles files, Path home, boolean sealed) {
    String from() {
        return switch (files.source().kind()) {
            case HUB -> "hub";
            case EXPORT -> "export";
            case FOLDER -> "folder";
            case LIBRARY -> files.jar().isPresent() ? "maven" : "bundled";
        };
    }

    /** Returns true if all files are installed; those of the Hub only if posbias downloaded them. */
    public boolean isLocal() {
        return isHub() ? sealed : files.isLocal(home);
    }

    private boolean isHub() {
        return files.source().kind() == ModelSource.SourceKind.HUB;
    }

    /** Returns the folder or jar of a download; empty if nothing is downloaded. */
    public Optional<Path> pulled() {
        return isHub() ? files.folder(home) : files.jar().map(jar -> jar.in(home));
    }

    String place() {
        ModelSource source = files.source();
        String folder = files.folder(home).map(Path::toString).orElse("");
        return switch (source.kind()) {
            case HUB -> folder + ", from " + source.name() + " on the Hub at " + source.pin();
            case EXPORT -> folder + ", exported from " + source.name() + " at " + source.pin();
            case FOLDER -> folder;
            case LIBRARY ->
                files.jar()
                        .map(jar -> jar.in(home) + ", from Maven Central")
                        .orElse("the jar " + source.name() + " on the class path");
        };
    }

    /** Returns the message for {@code pull} if there is nothing to download. */
    public String status() {
        return files.name() + ": " + (isLocal() ? "installed in " + place() : "not installed; " + files.advice(home));
    }

    /** Returns a line per file, and one on how to install missing files. */
    public List<String> describe() {
        List<String> lines = new ArrayList<>();
        lines.add("files in " + place() + ":");
        for (String file : files.all()) {
            lines.add("  " + file + (files.has(file, home) ? ": installed" : ": missing"));
        }
        if (!isLocal()) {
            lines.add("  " + files.advice(home));
        }
        return lines;
    }
}
