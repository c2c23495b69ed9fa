package io.posbias.model.encode.onnx;

import ai.onnxruntime.OrtSession;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Pointers;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Setting;
import io.posbias.base.process.Closing;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.text.Printable;
import io.posbias.fetch.jars.MavenJar;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Files of a model, as named by a recipe: the graph in the chosen precision, its external data and the tokenizer.
 * Pickle files are refused by name, since reading one runs code.
 *
 * @param name of the folder of downloaded or exported files: the recipe's name, or that of the recipe whose files it
 *     shares
 * @param graph path in the source, as all paths
 * @param beside files that the graph needs
 * @param tokenizer empty if another graph's tokenizer is used
 * @param pull argument of {@code posbias models pull} that downloads them
 */
public record ModelFiles(
        String name,
        ModelSource source,
        Precision precision,
        String graph,
        List<String> beside,
        String tokenizer,
        Path recipeFile,
        String pull) {
    private static final String TOKENIZER = "tokenizer.json";
    private static final String TABLE = ".safetensors";

    /** Maximum size of an array on every Java. */
    private static final long MOST_READ = Integer.MAX_VALUE - 8;

    private static final List<String> PICKLES =
            List.of(".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib", ".npy", ".npz", ".msgpack");

    static ModelFiles of(FileSettings settings) {
        String recipe = settings.written().id("name");
        Path file = settings.written().where().file();
        ModelSource source = settings.source();
        return new ModelFiles(
                Objects.requireNonNullElse(source.filesOf(), recipe),
                source,
                settings.precision(),
                Objects.requireNonNull(settings.onnx().get(settings.precision())),
                settings.data(),
                settings.tokenizer(),
                file,
                isBuiltIn(file) ? recipe : file.toString());
    }

    /** Returns true if a table of vectors is in the place of the graph. */
    boolean isTable() {
        return graph.endsWith(TABLE);
    }

    /**
     * Returns the file of a tokenizer without a model.
     *
     * @param recipe that needs it
     */
    public static ModelFiles ofTokenizer(ModelSource source, Fields recipe) {
        String name = recipe.id("name");
        Path file = recipe.where().file();
        return new ModelFiles(
                Objects.requireNonNullElse(source.filesOf(), name + "-tokenizer"),
                source,
                Precision.FLOAT32,
                TOKENIZER,
                List.of(),
                TOKENIZER,
                file,
                isBuiltIn(file) ? name : file.toString());
    }

    private boolean isTokenizerAlone() {
        return graph.equals(tokenizer);
    }

    /**
     * Returns the files of a second graph of the same precision, for example a separate query encoder.
     *
     * @param from null for this source
     */
    public ModelFiles other(@Nullable ModelSource from, String graph, List<String> beside) {
        // The export writes both encoders into one folder; two repositories of the Hub get a folder each.
        boolean own = from != null && from.kind() == ModelSource.SourceKind.HUB;
        return new ModelFiles(
                own ? name + "-query" : name,
                Objects.requireNonNullElse(from, source),
                precision,
                graph,
                beside,
                "",
                recipeFile,
                pull);
    }

    /** Returns the files with another graph in place of this one. */
    public ModelFiles withGraph(String other) {
        return new ModelFiles(name, source, precision, other, beside, tokenizer, recipeFile, pull);
    }

    public ModelFiles and(String file) {
        List<String> more = new ArrayList<>(beside);
        more.add(file);
        return new ModelFiles(name, source, precision, graph, more, tokenizer, recipeFile, pull);
    }

    /**
     * Returns files of weights. Files on the Hub, also for an exported graph, get a separate folder.
     *
     * @param given null for the same source
     * @param weights at least one
     */
    public ModelFiles weights(@Nullable ModelSource given, List<String> weights) {
        ModelSource from = given == null ? source.onHub() : given;
        return new ModelFiles(
                from.kind() == ModelSource.SourceKind.HUB ? name + "-weights" : name,
                from,
                precision,
                weights.getFirst(),
                weights.subList(1, weights.size()),
                "",
                recipeFile,
                pull + " --weights");
    }

    /**
     * Refuses a file that could run code when read, or that is outside the model's folder.
     *
     * @param field that names the file
     */
    public static void refuseUnsafe(String field, String file) {
        String lower = file.toLowerCase(Locale.ROOT);
        if (PICKLES.stream().anyMatch(lower::endsWith)) {
            throw new Setting.Wrong(field, "names " + file, "files that may hold Python's pickles are never read");
        }
        if (!FileNames.staysInside(file)) {
            throw new Setting.Wrong(
                    field, "names " + Printable.quoted(file), "files must be inside the model's folder");
        }
    }

    /** Returns the paths of all required files in the source. */
    public List<String> all() {
        List<String> files = new ArrayList<>(List.of(graph));
        files.addAll(beside);
        if (!tokenizer.isEmpty() && !isTokenizerAlone()) {
            files.add(tokenizer);
        }
        return files;
    }

    /** Loads the graph and digests all files. */
    public OnnxModel load(OnnxRuntime runtime, Path home) {
        Path unpacked = unpacked(graph, home).orElse(null);
        if (unpacked != null) {
            return model(runtime.load(unpacked), runtime, () -> new ModelDigest(this, home).ofUnpacked(unpacked));
        }
        if (source.kind() == ModelSource.SourceKind.LIBRARY) {
            byte[] content = resource(graph, home);
            OrtSession session = runtime.load(graph, content);
            return model(session, runtime, () -> new ModelDigest(this, home).ofGraph(content));
        }
        for (String file : beside) {
            require(file, home);
        }
        Path path = require(graph, home);
        return model(runtime.load(path), runtime, () -> new ModelDigest(this, home).ofGraph(path));
    }

    /** Returns the file of a graph in a jar, unpacked into the home; empty where that cannot be written. */
    private Optional<Path> unpacked(String file, Path home) {
        if (source.kind() != ModelSource.SourceKind.LIBRARY) {
            return Optional.empty();
        }
        URL here = ModelFiles.class.getResource("/" + file);
        Optional<Path> jar = here != null
                ? FileNames.jarOf(here)
                : source.jar().filter(one -> one.isLocal(home)).map(one -> one.in(home));
        return jar.flatMap(path -> UnpackedGraph.of(path, file, home));
    }

    private OnnxModel model(OrtSession session, OnnxRuntime runtime, Supplier<String> sha256) {
        return Closing.onFailure(
                () -> new OnnxModel(graph, session, sha256.get(), runtime.turns()),
                () -> OnnxRuntime.close("graph " + graph, session));
    }

    /** Returns the content of a file of at most 2 GiB. */
    public byte[] read(String file, Path home) {
        Optional<Path> unpacked = file.equals(graph) ? unpacked(file, home) : Optional.empty();
        if (source.kind() == ModelSource.SourceKind.LIBRARY && unpacked.isEmpty()) {
            return resource(file, home);
        }
        Path path = unpacked.orElseGet(() -> require(file, home));
        return IoErrors.call("read", path, () -> {
            if (Files.size(path) > MOST_READ) {
                throw new PosbiasException(path + " is too large: at most 2 GiB are read into memory");
            }
            return Files.readAllBytes(path);
        });
    }

    public Safetensors tensors(String file, Path home) {
        return new Safetensors(open(file, home));
    }

    private StoredFile open(String file, Path home) {
        return source.kind() == ModelSource.SourceKind.LIBRARY
                ? StoredFile.of(file, resource(file, home))
                : StoredFile.of(file, require(file, home));
    }

    /**
     * Checks that all files exist.
     *
     * @throws PosbiasException with the command that downloads them
     */
    public void requireAll(Path home) {
        all().forEach(file -> {
            if (source.kind() != ModelSource.SourceKind.LIBRARY) {
                require(file, home);
            } else if (!has(file, home)) {
                throw absent(file, home);
            }
        });
    }

    public OnnxWeights graphWeights(Path home) {
        return new OnnxWeights(graph, read(graph, home), other -> open(besideGraph(other), home));
    }

    /** Returns the path in the source of a file that the graph names. */
    public String besideGraph(String other) {
        Path folder = Objects.requireNonNullElse(Path.of(graph).getParent(), Path.of(""));
        Path path = FileNames.path(other);
        String file = folder.resolve(path).normalize().toString();
        // Behind a link, a folder's parent is not the one that its path names.
        boolean climbs = Stream.iterate(path, Objects::nonNull, Path::getParent).anyMatch(part -> part.endsWith(".."));
        if (climbs || !FileNames.staysInside(file)) {
            throw new PosbiasException(
                    graph + " has weights in " + Printable.quoted(other) + ", which is not inside the model's folder");
        }
        return file;
    }

    /**
     * Returns the size counted from the graph, if the files are in a jar or a folder and thus equal on every machine.
     */
    public Optional<ModelSize> countedSize(Path home) {
        boolean same =
                source.kind() == ModelSource.SourceKind.LIBRARY || source.kind() == ModelSource.SourceKind.FOLDER;
        return same && !isTokenizerAlone() && has(graph, home)
                ? Optional.of(ModelSize.of(this, home))
                : Optional.empty();
    }

    public Tokenizer tokenizer(Session session) {
        return Tokenizer.read(tokenizer, read(tokenizer, session.home()), session);
    }

    /**
     * Returns a SHA-256 over names and contents of files that may change under the same recipe: in a local folder, on the
     * class path, or of a branch on the Hub.
     *
     * @return empty for a jar or a commit that the recipe names
     * @throws PosbiasException if a file is missing
     */
    public Optional<String> ownDigest(Path home) {
        return isTokenizerAlone() ? ownWeightsDigest(home) : new ModelDigest(this, home).own();
    }

    /** Returns {@link #ownDigest} of files of {@linkplain #weights weights}, which name no further files. */
    public Optional<String> ownWeightsDigest(Path home) {
        return new ModelDigest(this, home).ownListed();
    }

    /** Returns the SHA-256 of a file in the source. */
    public String digest(String file, Path home) {
        return new ModelDigest(this, home).of(file);
    }

    /** Returns true for a branch or tag on the Hub, whose files another download may replace. */
    public boolean mayMove() {
        return source.kind() == ModelSource.SourceKind.HUB && !source.isPinned();
    }

    /**
     * Returns the path of a file in the model's folder.
     *
     * @throws PosbiasException if it is missing, with the command that gets it
     */
    public Path require(String file, Path home) {
        Path path = folder(home).orElseThrow(() -> absent(file, home)).resolve(file);
        if (Pointers.isFile(path)) {
            Pointers.refuse(path);
            return path;
        }
        throw new PosbiasException("model " + name + " is not installed: " + path + " is missing; " + advice(home));
    }

    /** Returns the command that downloads missing files, as half a sentence. */
    public String advice(Path home) {
        return switch (source.kind()) {
            case HUB -> "'posbias models pull " + pull + "' fetches it from the Hub";
            case EXPORT ->
                "it has to be exported from " + source.name() + " first: python3 scripts/export_onnx.py "
                        + (isBuiltIn(recipeFile) ? name : recipeFile) + " --out "
                        + source.folder(name, recipeFile, home)
                        + " (docs/own-model.md#export)";
            case FOLDER -> "the recipe " + recipeFile + " expects it there";
            case LIBRARY ->
                source.jar().isPresent()
                        ? "'posbias models pull " + pull + "' fetches it from Maven Central"
                        : "it comes with " + source.name() + ": name the jar in POSBIAS_CLASSPATH, or its version and"
                                + " sha256 in the recipe";
        };
    }

    /** Returns true for a recipe in the jar, which the export script finds by name. */
    private static boolean isBuiltIn(Path recipeFile) {
        return recipeFile.startsWith(Path.of("configs", "models"));
    }

    /** Returns the folder of the files; empty for resources of a jar. */
    public Optional<Path> folder(Path home) {
        return source.kind() == ModelSource.SourceKind.LIBRARY
                ? Optional.empty()
                : Optional.of(source.folder(name, recipeFile, home));
    }

    /** Returns the jar to read; empty if all files are on the class path or not in a jar. */
    public Optional<MavenJar> jar() {
        return source.jar().filter(jar -> !all().stream().allMatch(ModelFiles::isOnClassPath));
    }

    private static boolean isOnClassPath(String file) {
        return ModelFiles.class.getResource("/" + file) != null;
    }

    public boolean has(String file, Path home) {
        return folder(home)
                .map(folder -> Files.isRegularFile(folder.resolve(file)))
                .orElseGet(() -> isOnClassPath(file)
                        || source.jar().filter(jar -> jar.isLocal(home)).isPresent());
    }

    /** Returns true if all files are on this machine. */
    public boolean isLocal(Path home) {
        return all().stream().allMatch(file -> has(file, home));
    }

    /** Reads a resource of the class path, else of the downloaded jar. */
    byte[] resource(String file, Path home) {
        try (@Nullable InputStream in = ModelFiles.class.getResourceAsStream("/" + file)) {
            if (in != null) {
                return in.readAllBytes();
            }
        } catch (IOException broken) {
            throw new PosbiasException("cannot read " + file + " of " + source.name(), broken);
        }
        Path jar = source.jar()
                .filter(one -> one.isLocal(home))
                .orElseThrow(() -> absent(file, home))
                .in(home);
        return IoErrors.call("read", jar, () -> entry(jar, file));
    }

    private static byte[] entry(Path jar, String file) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry entry = zip.getEntry(file);
            if (entry == null) {
                throw new PosbiasException(jar + " does not contain " + file);
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return in.readAllBytes();
            }
        }
    }

    private PosbiasException absent(String file, Path home) {
        String where = source.jar()
                .map(jar -> jar.in(home) + " is missing")
                .orElse("no jar on the class path contains " + file);
        return new PosbiasException("model " + name + " is not installed: " + where + "; " + advice(home));
    }
}
