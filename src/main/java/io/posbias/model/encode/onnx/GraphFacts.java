package io.posbias.model.encode.onnx;

import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Pointers;
import io.posbias.base.process.PosbiasException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeSet;

/**
 * Facts of a model in its ONNX file, read without ONNX Runtime.
 *
 * @param inputs names
 * @param outputs sizes by name, in order; -1 for sizes known at run time
 * @param positions rows of the table of position embeddings; 0 if none is found
 * @param width numbers of a token's embedding; 0 if unknown
 * @param beside files with weights, relative to this file
 */
public record GraphFacts(
        NavigableSet<String> inputs,
        SequencedMap<String, List<Integer>> outputs,
        int positions,
        int width,
        NavigableSet<String> beside) {
    /** @throws PosbiasException if it is not an ONNX file, has no output, or is larger than 2 GiB */
    public static GraphFacts of(Path file) {
        if (IoErrors.call("read", file, () -> Files.size(file)) >= Integer.MAX_VALUE) {
            throw new PosbiasException(file + " is too large: at most 2 GiB are read into memory");
        }
        OnnxFile onnx = OnnxFile.parse(file.toString(), Pointers.content(file));
        if (onnx.outputs().isEmpty()) {
            throw new PosbiasException(file + " is not an ONNX graph: it has no output");
        }
        NavigableSet<String> inputs = new TreeSet<>(onnx.inputs());
        // Older files list their weights among the inputs.
        inputs.removeAll(onnx.initializers().keySet());
        NavigableSet<String> beside = new TreeSet<>();
        onnx.initializers().values().stream()
                .map(OnnxFile.Tensor::file)
                .filter(other -> !other.isEmpty())
                .forEach(beside::add);
        return new GraphFacts(
                inputs,
                onnx.outputs(),
                table(onnx, "position_embeddings.weight", 0),
                table(onnx, "word_embeddings.weight", 1),
                beside);
    }

    /** Returns a size of the table of embeddings with this name; 0 without one. */
    private static int table(OnnxFile onnx, String name, int place) {
        return onnx.initializers().keySet().stream()
                .filter(key -> key.endsWith(name))
                .sorted()
                .map(key -> Objects.requireNonNull(onnx.initializers().get(key)).shape())
                .filter(shape -> shape.size() == 2)
                .mapToInt(shape -> shape.get(place))
                .findFirst()
                .orElse(0);
    }
}
