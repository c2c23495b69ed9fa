package io.posbias.model.inside;

import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.OnnxWeights;
import io.posbias.model.encode.onnx.Safetensors;
import io.posbias.model.encode.onnx.Weight;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads the weights of a model by their Hugging Face names. */
public final class WeightFiles {
    /** BERT's layer for next sentence prediction, unused by retrievers. */
    private static final String POOLER = "pooler.";

    private WeightFiles() {}

    /**
     * Reads the recipe's safetensors files, else its ONNX file.
     *
     * @param table name of the token embeddings
     * @param as converts one weight at a time, since two copies of all weights may not fit into memory
     */
    public static <T> SequencedMap<String, T> read(
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
    public static <T> SequencedMap<String, T> ofGraph(
            ModelFiles files, String table, Engine engine, Function<Weight, T> as) {
        OnnxWeights weights = files.graphWeights(engine.home());
        return named(files.graph(), weights.names(), name -> as.apply(weights.weight(name)), table);
    }

    /**
     * Maps weights to their names in the ONNX file.
     *
     * @param file name in messages
     * @param table name of the token embeddings
     * @param weights by the names of {@link #read}
     * @throws PosbiasException if the file lacks a weight, also if the exporter merged it with an equal one
     */
    public static Map<String, Weight> inGraph(
            String file, OnnxWeights graph, String table, Map<String, Weight> weights) {
        Map<String, String> modules = modules(graph.names(), prefix(file, graph.names(), table), weights.keySet());
        weights.forEach((name, weight) -> {
            if (!name.contains(POOLER) && !modules.containsValue(name)) {
                throw new PosbiasException(file + " holds no weight " + name
                        + graph.equalTo(weight)
                                .map(other -> ": the exporter merged it with the equal " + other + ", and training"
                                        + " changes each by itself; export again with scripts/export_onnx.py"
                                        + " --torchscript, which keeps equal weights apart (docs/own-model.md#export)")
                                .orElse(", which the model has: what is trained could not be run"));
            }
        });
        Map<String, Weight> named = new LinkedHashMap<>();
        modules.forEach((name, module) -> named.put(name, Objects.requireNonNull(weights.get(module))));
        return named;
    }

    /**
     * Returns the names of weights by those in an ONNX file, without weights that the file does not name.
     *
     * @param names in the file
     * @param prefix of these
     * @param known names of the weights
     */
    public static Map<String, String> modules(Set<String> names, String prefix, Set<String> known) {
        Map<String, String> modules = new LinkedHashMap<>();
        Set<String> found = new HashSet<>();
        for (String name : names) {
            String module = name.startsWith(prefix) ? module(name.substring(prefix.length())) : "";
            if (known.contains(module) && found.add(module)) {
                modules.put(name, module);
            }
        }
        return modules;
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
    public static String prefix(String file, Set<String> names, String table) {
        return names.stream()
                .filter(name -> name.endsWith(table))
                .map(name -> name.substring(0, name.length() - table.length()))
                .findFirst()
                .orElseThrow(() -> new PosbiasException(file + " holds no weight " + table
                        + ": the recipe's transformer is of another model, or the weights are in another file"));
    }

    /** Replaces TensorFlow's names of layer norm weights, found in the oldest files. */
    static String module(String name) {
        return name.replaceFirst("\\.gamma$", ".weight").replaceFirst("\\.beta$", ".bias");
    }
}
