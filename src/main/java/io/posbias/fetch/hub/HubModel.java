package io.posbias.fetch.hub;

import io.posbias.base.files.FileNames;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/**
 * The files of a repository that make up a model.
 *
 * @param name what posbias calls it: the recipe's name or one made of it, which becomes a folder
 * @param pull what is behind {@code posbias models pull} to fetch it
 * @param repository where it is on the Hub
 * @param files paths inside the repository, external data and tokenizer included
 */
public record HubModel(String name, String pull, HubRepository repository, List<String> files) {
    /**
     * Endings of files that are pickles or may hold some: who reads those runs what their author wrote. Such files are
     * neither fetched nor read, whatever they hold; weights come as ONNX or safetensors. {@code .bin}, {@code .pt},
     * {@code .pth} and {@code .ckpt} are PyTorch's, {@code .npy} and {@code .npz} NumPy's arrays, which may be arrays
     * of objects. Flax's {@code .msgpack} is plain data and not among them.
     */
    public static final List<String> PICKLE_ENDINGS =
            List.of(".bin", ".ckpt", ".dill", ".joblib", ".npy", ".npz", ".pickle", ".pkl", ".pt", ".pth");

    /**
     * Refuses names and paths that could leave a folder, and pickles.
     *
     * @throws PosbiasException before the Hub is asked for anything
     */
    public HubModel {
        if (!FileNames.isModel(name)) {
            throw new PosbiasException(Printable.quoted(name) + " cannot be a model's name: it becomes a folder");
        }
        files = List.copyOf(files);
        if (files.isEmpty() || new HashSet<>(files).size() < files.size()) {
            throw new PosbiasException("the model " + name + " names no file, or one twice");
        }
        for (String path : files) {
            repository.file(path);
            if (path.equals(ModelManifest.FILE)) {
                throw new PosbiasException("the model " + name + " names " + path + ", which posbias itself writes");
            }
            if (isPickle(path)) {
                throw new PosbiasException("the model " + name + " names " + path
                        + ": posbias fetches no pickles, which can run code (" + String.join(" ", PICKLE_ENDINGS)
                        + "); name an ONNX or safetensors file");
            }
        }
    }

    private static boolean isPickle(String path) {
        String lower = path.toLowerCase(Locale.ROOT);
        return PICKLE_ENDINGS.stream().anyMatch(lower::endsWith);
    }
}
