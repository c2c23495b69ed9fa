package io.posbias.inside.torch;

import io.posbias.PosbiasException;
import io.posbias.Suggestions;
import io.posbias.encode.Engine;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.OnnxWeights;
import io.posbias.encode.onnx.Safetensors;
import io.posbias.encode.onnx.Weight;
import io.posbias.inside.Architecture;
import io.posbias.inside.Family;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Weights out of a model's files, by the names that Hugging Face's module of the family gives them. */
public final class WeightFiles {
    /** BERT's layer for predicting the next sentence, which retrievers have and do not use. */
    private static final String POOLER = "pooler.";

    private WeightFiles() {}

    /**
     * Those of the files that the recipe names, else of its ONNX file.
     *
     * @param as what becomes of each as soon as it is read: all at once may not fit into memory twice
     */
    static <T> Map<String, T> read(ModelFiles files, Architecture architecture, Engine engine, Function<Weight, T> as) {
        return architecture.weights().isPresent()
                ? ofTensors(architecture.weights().get(), architecture, engine, as)
                : ofGraph(files, architecture, engine, as);
    }

    private static <T> Map<String, T> ofTensors(
            ModelFiles files, Architecture architecture, Engine engine, Function<Weight, T> as) {
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
                architecture.family());
    }

    /** Those of the ONNX file. */
    static <T> Map<String, T> ofGraph(
            ModelFiles files, Architecture architecture, Engine engine, Function<Weight, T> as) {
        OnnxWeights weights = files.graphWeights(engine.home());
        return named(files.graph(), weights.names(), name -> as.apply(weights.weight(name)), architecture.family());
    }

    /**
     * The ONNX file with other weights.
     *
     * @param weights all of them, by the names that {@link #read} gives
     * @throws PosbiasException if it does not hold them as 32-bit floats
     */
    public static byte[] graphWith(ModelFiles files, Family family, Map<String, Weight> weights, Engine engine) {
        OnnxWeights graph = OnnxWeights.of(files.graph(), files.read(files.graph(), engine.home()));
        String prefix = prefix(files.graph(), graph.names(), family);
        Map<String, Weight> changed = new LinkedHashMap<>();
        Set<String> modules = new HashSet<>();
        for (String name : graph.names()) {
            String module = name.startsWith(prefix) ? module(name.substring(prefix.length())) : "";
            Weight weight = weights.get(module);
            if (weight != null && modules.add(module)) {
                changed.put(name, weight);
            }
        }
        weights.keySet().stream()
                .filter(name -> !name.startsWith(POOLER) && !modules.contains(name))
                .findFirst()
                .ifPresent(missing -> {
                    throw new PosbiasException(files.graph() + " holds no weight " + missing
                            + ", which the model has: what is trained could not be run");
                });
        return graph.with(changed);
    }

    private static <T> Map<String, T> named(
            String file, Set<String> names, Function<String, T> weights, Family family) {
        String prefix = prefix(file, names, family);
        Map<String, T> named = new LinkedHashMap<>();
        for (String name : names) {
            if (name.startsWith(prefix)) {
                named.put(module(name.substring(prefix.length())), weights.apply(name));
            }
        }
        return named;
    }

    /** What the file puts before all names, such as {@code bert.}. */
    static String prefix(String file, Set<String> names, Family family) {
        return names.stream()
                .filter(name -> name.endsWith(family.first()))
                .map(name -> name.substring(0, name.length() - family.first().length()))
                .findFirst()
                .orElseThrow(() -> new PosbiasException(file + " holds no weight " + family.first()
                        + ": its model is not of transformer.family "
                        + Suggestions.word(family) + ", or its weights lie in another file"));
    }

    /** TensorFlow's names of a norm's weights, which the oldest files have. */
    static String module(String name) {
        return name.replaceFirst("\\.gamma$", ".weight").replaceFirst("\\.beta$", ".bias");
    }
}
