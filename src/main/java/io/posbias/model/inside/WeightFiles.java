package io.posbias.model.inside;

import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.OnnxWeights;
import io.posbias.model.encode.onnx.Safetensors;
import io.posbias.model.encode.onnx.Weight;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads the weights of a model by their Hugging Face names. */
final class WeightFiles {
    private WeightFiles() {}

    /**
     * Reads the recipe's safetensors files, else its ONNX file.
     *
     * @param table name of the token embeddings
     * @param as converts one weight at a time, since two copies of all weights may not fit into memory
     */
    static <T> SequencedMap<String, T> read(
            ModelFiles files, Architecture architecture, String table, Engine engine, Function<Weight, T> as) {
        return architecture.weights().isPresent()
                ? ofTensors(architecture.weights().get(), table, engine, as)
                : ofGraph(files, table, engine, as);
    }

    private static <T> SequencedMap<String, T> ofTensors(
            ModelFiles files, String table, Engine engine, Function<Weight, T> as) {
        Map<String, Safetensors> holders = new TreeMap<>();
        for (String file : files.all()) {
            Safetensors tensors = files.tensors(file, engine.home());
            tensors.names().forEach(name -> holders.put(name, tensors));
        }
        String shown = String.join(", ", files.all());
        if (holders.entrySet().stream().anyMatch(tensor -> tensor.getValue().isHalf(tensor.getKey()))) {
            engine.say(shown + ": weights of 16 bits, with which is computed in 32");
        }
        return named(
                shown,
                holders.keySet(),
                name -> as.apply(Objects.requireNonNull(holders.get(name)).tensor(name)),
                table);
    }

    /** Reads the ONNX file. */
    static <T> SequencedMap<String, T> ofGraph(ModelFiles files, String table, Engine engine, Function<Weight, T> as) {
        OnnxWeights weights = files.graphWeights(engine.home());
        return named(files.graph(), weights.names(), name -> as.apply(weights.weight(name)), table);
    }

    private static <T> SequencedMap<String, T> named(
            String file, Set<String> names, Function<String, T> weights, String table) {
        String prefix = prefix(file, names, table);
        SequencedMap<String, T> named = new LinkedHashMap<>();
        for (String name : names) {
            if (name.startsWith(prefix)) {
                named.put(module(name.substring(prefix.length())), weights.apply(name));
            }
        }
        return named;
    }

    /** Returns the prefix of all names in a file, for example {@code bert.}. */
    private static String prefix(String file, Set<String> names, String table) {
        return names.stream()
                .filter(name -> name.endsWith(table))
                .map(name -> name.substring(0, name.length() - table.length()))
                .findFirst()
                .orElseThrow(() -> new PosbiasException(file + " holds no weight " + table
                        + ": the recipe's transformer is of another model, or the weights are in another file"));
    }

    /** Replaces TensorFlow's names of layer norm weights, found in the oldest files. */
    private static String module(String name) {
        return name.replaceFirst("\\.gamma$", ".weight").replaceFirst("\\.beta$", ".bias");
    }
}
