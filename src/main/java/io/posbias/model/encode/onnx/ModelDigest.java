package io.posbias.model.encode.onnx;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import java.io.IOException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** Digests of all files that a model reads, which key cached vectors and results. */
record ModelDigest(ModelFiles files, Path home) {
    /** Returns a SHA-256 over names and contents of the recipe's files, and of the data files that the graph names. */
    String ofGraph(Path path) {
        SortedMap<String, String> digests = new TreeMap<>(Map.of(files.graph(), of(path)));
        for (String data : IoErrors.call("read", path, () -> ExternalData.files(files.graph(), mapped(path)))) {
            digests.put(files.besideGraph(data), of(files.besideGraph(data)));
        }
        return withListed(digests);
    }

    /**
     * Returns the digest of files in a jar.
     *
     * @param graph its content
     * @throws PosbiasException if the graph names data files, which ONNX Runtime cannot read from a jar
     */
    String ofGraph(byte[] graph) {
        refuseData(ExternalData.files(files.graph(), ByteBuffer.wrap(graph)));
        return withListed(new TreeMap<>(Map.of(files.graph(), Checksums.sha256(graph))));
    }

    private void refuseData(SortedSet<String> data) {
        if (!data.isEmpty()) {
            throw new PosbiasException(files.graph() + " in a jar has weights in " + Printable.quoted(data.first())
                    + ": put the graph and its data files into a folder, and name it as source");
        }
    }

    /** Returns the digest of a graph in a jar by its {@linkplain UnpackedGraph unpacked file}. */
    String ofUnpacked(Path graph) {
        return IoErrors.call("read", graph, () -> {
            refuseData(ExternalData.files(files.graph(), mapped(graph)));
            return withListed(new TreeMap<>(Map.of(files.graph(), Checksums.remembered(graph, home))));
        });
    }

    private String withListed(SortedMap<String, String> digests) {
        for (String file : files.all()) {
            digests.computeIfAbsent(file, this::of);
        }
        return Checksums.sha256(digests.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static ByteBuffer mapped(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw new PosbiasException(file + " is too large: an ONNX file has at most 2 GiB");
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        }
    }

    /** As {@link ModelFiles#ownDigest}. */
    Optional<String> own() {
        if (isPinned()) {
            return Optional.empty();
        }
        String graph = files.graph();
        if (files.isTable()) {
            return Optional.of(withListed(new TreeMap<>()));
        }
        return Optional.of(isInJar() ? ofGraph(files.resource(graph, home)) : ofGraph(files.require(graph, home)));
    }

    /** As {@link ModelFiles#ownWeightsDigest}. */
    Optional<String> ownListed() {
        return isPinned() ? Optional.empty() : Optional.of(withListed(new TreeMap<>()));
    }

    private boolean isInJar() {
        return files.source().kind() == ModelSource.SourceKind.LIBRARY;
    }

    private boolean isPinned() {
        return switch (files.source().kind()) {
            case FOLDER, EXPORT -> false;
            case HUB -> !files.mayMove();
            case LIBRARY -> isOfNamedJar();
        };
    }

    /** Returns false if the recipe names no jar, or the class path has the graph elsewhere than in a copy of it. */
    private boolean isOfNamedJar() {
        URL found = ModelFiles.class.getResource("/" + files.graph());
        return files.source()
                .jar()
                .filter(jar -> found == null || jar.sha256().equals(jarOf(found)))
                .isPresent();
    }

    /** Returns the digest of the jar that a resource is in; empty if it is not in a jar. */
    private String jarOf(URL resource) {
        return FileNames.jarOf(resource)
                .map(jar -> IoErrors.call("read", jar, () -> Checksums.remembered(jar, home)))
                .orElse("");
    }

    String of(String file) {
        return isInJar() ? Checksums.sha256(files.resource(file, home)) : of(files.require(file, home));
    }

    private String of(Path file) {
        return Checksums.entries(file, home).getFirst();
    }
}
