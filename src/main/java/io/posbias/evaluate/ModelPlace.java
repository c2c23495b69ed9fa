package io.posbias.evaluate;

import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.ModelSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a set of a model's files comes from, and whether it is here.
 *
 * @param files the set
 * @param home posbias's folder
 * @param sealed whether it was pulled from the Hub and is whole
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

    /** Whether all files are here; those of the Hub only when posbias pulled them. */
    public boolean isHere() {
        return isHub() ? sealed : files.isHere(home);
    }

    private boolean isHub() {
        return files.source().kind() == ModelSource.SourceKind.HUB;
    }

    /** The folder or jar that a pull has filled; none where nothing is pulled. */
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

    /** A line for people who want to pull what is not pulled. */
    public String otherwise() {
        return files.name() + ": " + (isHere() ? "is here, in " + place() : "is not here; " + files.advice(home));
    }

    /** A line for each file, and one on how those that are missing come here. */
    public List<String> describe() {
        List<String> lines = new ArrayList<>();
        lines.add("files in " + place() + ":");
        for (String file : files.all()) {
            lines.add("  " + file + (files.has(file, home) ? ": here" : ": missing"));
        }
        if (!isHere()) {
            lines.add("  " + files.advice(home));
        }
        return lines;
    }
}
