package io.posbias.model.encode.model;

import static io.posbias.model.encode.model.ModelFolder.ADVICE;
import static io.posbias.model.encode.model.ModelFolder.CONFIG;
import static io.posbias.model.encode.model.ModelFolder.TABLE;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A module of a model that sentence-transformers saved, bound from its own {@code config.json}. */
sealed interface SavedModule
        permits SavedModule.Pooled,
                SavedModule.Dense,
                SavedModule.Normalize,
                SavedModule.MultiVectorMask,
                SavedModule.SpladePooling,
                Transformer {
    /** The origin of what the library fixes. */
    String LIBRARY = "sentence-transformers";

    /**
     * Adds what the module says to a recipe.
     *
     * @param folder the module's, with its slash; empty for the root
     */
    void into(InferredRecipe recipe, String folder);

    /** An entry of {@code modules.json}. */
    record Entry(String type, @Setting(usual = "''") String path) {
        String name() {
            return last(type);
        }

        /** Adds what the module says; a table of token vectors and a router are no part of a row of modules. */
        void into(InferredRecipe recipe) {
            Class<? extends SavedModule> module = switch (name()) {
                case "Pooling" -> Pooled.class;
                case "Dense" -> Dense.class;
                case "Normalize" -> Normalize.class;
                case "MultiVectorMask" -> MultiVectorMask.class;
                case "SpladePooling" -> SpladePooling.class;
                default -> Transformer.class;
            };
            boolean isRoot = path.isEmpty() && module == Transformer.class;
            String folder = isRoot ? "" : path + "/";
            // Normalize has no settings, and often no file.
            SavedModule said =
                    module == Normalize.class ? new Normalize() : Json.bind(recipe.files.json(folder + CONFIG), module);
            said.into(recipe, folder);
        }
    }

    /** The last part of a Python class's name. */
    static String last(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    static int positive(Fields fields, String name, @Nullable Integer number) {
        int found = present(fields, name, number);
        if (found <= 0) {
            throw fields.bad(name, "is " + found, "it must be positive");
        }
        return found;
    }

    static <T> T present(Fields fields, String name, @Nullable T value) {
        if (value == null) {
            throw fields.bad(name, "is missing", ADVICE);
        }
        return value;
    }

    static BadInputException contradiction(Fields fields, String name, String found, String other) {
        return fields.bad(name, found + ", but " + other, ADVICE);
    }

    /** The module Pooling. A version writes the words, or a flag for each. */
    record Pooled(
            @Setting(usual = "[]") List<String> poolingMode,
            @Setting(usual = "true") boolean includePrompt,
            @Nullable Integer embeddingDimension,
            @Nullable Integer wordEmbeddingDimension,
            Fields fields)
            implements SavedModule {
        private static final String MODE = "pooling_mode";

        /** In the order in which sentence-transformers concatenates the vectors of flags. */
        private static final List<String> MODES =
                List.of("cls", "max", "mean", "mean_sqrt_len", "weightedmean", "lasttoken");

        private static final List<String> POOLINGS =
                List.of("cls", "max", "mean", "mean-sqrt-len", "weighted-mean", "last");

        private List<String> modes() {
            Stream<String> flags = fields.names().stream()
                    .filter(name -> name.startsWith(MODE + "_") && fields.flag(name))
                    .map(name -> name.substring(MODE.length() + 1));
            Stream<String> modes = (poolingMode.isEmpty() ? flags : poolingMode.stream())
                    .map(mode -> mode.replaceFirst("_tokens?$", ""));
            // Flags that are unknown stand last.
            return (poolingMode.isEmpty()
                            ? modes.sorted(Comparator.comparingInt(
                                    mode -> MODES.contains(mode) ? MODES.indexOf(mode) : MODES.size()))
                            : modes)
                    .toList();
        }

        @Override
        public void into(InferredRecipe recipe, String folder) {
            List<String> modes = modes();
            if (modes.isEmpty() || !MODES.containsAll(modes)) {
                throw fields.bad(
                        MODE,
                        modes.isEmpty() ? "is missing" : "is " + Printable.cut(String.join(" and ", modes)),
                        "posbias knows " + String.join(", ", MODES) + "; " + ADVICE);
            }
            List<String> poolings = modes.stream()
                    .map(mode -> POOLINGS.get(MODES.indexOf(mode)))
                    .toList();
            recipe.put("pooling", poolings.size() == 1 ? poolings.getFirst() : poolings, folder + CONFIG);
            if (!includePrompt && !List.of("cls", "last").containsAll(poolings)) {
                recipe.put("pool-prompt", false, folder + CONFIG);
            }
            boolean isNew = embeddingDimension != null;
            String name = isNew ? "embedding_dimension" : "word_embedding_dimension";
            int found = positive(fields, name, isNew ? embeddingDimension : wordEmbeddingDimension);
            Transformer before = recipe.transformer;
            Integer hidden = before == null ? null : before.hiddenSize();
            if (hidden != null && hidden != found) {
                throw contradiction(fields, name, "is " + found, "hidden_size in " + CONFIG + " is " + hidden);
            }
            recipe.width(found * poolings.size(), CONFIG);
        }
    }

    /** A linear layer behind the graph. */
    record Dense(
            int inFeatures,
            int outFeatures,
            String activationFunction,
            @Setting(usual = "false") boolean useResidual,
            @Setting(usual = "true") boolean bias,
            Fields fields)
            implements SavedModule {
        @Override
        public void into(InferredRecipe recipe, String folder) {
            int width = recipe.width;
            if (inFeatures != width) {
                throw contradiction(fields, "in_features", "is " + inFeatures, "vectors have " + width);
            }
            String activation = last(activationFunction);
            if (!List.of("Identity", "Tanh").contains(activation) || useResidual) {
                throw fields.bad(
                        "activation_function",
                        "is " + Printable.quoted(activationFunction),
                        "supported are Identity and Tanh");
            }
            String weights = folder + TABLE;
            ModelFolder files = recipe.files;
            if (!files.has(weights) && files.has(folder + "pytorch_model.bin")) {
                throw new PosbiasException(files.model() + " has " + folder + "pytorch_model.bin, a pickle, and no "
                        + weights + ": save the model again by sentence-transformers, or name it st:" + files.model());
            }
            files.require(weights);
            SequencedMap<String, Object> head = new LinkedHashMap<>(Map.of("file", weights));
            if (bias) {
                head.put("bias", "linear.bias");
            }
            if (activation.equals("Tanh")) {
                head.put("activation", "tanh");
            }
            recipe.heads.add(head);
            recipe.width(positive(fields, "out_features", outFeatures), folder + CONFIG);
        }
    }

    /** Vectors of length 1. */
    record Normalize() implements SavedModule {
        @Override
        public void into(InferredRecipe recipe, String folder) {
            recipe.isNormalised = true;
        }
    }

    /** Leaves tokens out of the scores of ColBERT. */
    record MultiVectorMask(
            @Setting(usual = "[]") List<String> skiplistWords,
            @Nullable List<String> skiplistTasks,
            @Nullable List<Integer> keepOnlyTokenIds,
            Fields fields)
            implements SavedModule {
        @Override
        public void into(InferredRecipe recipe, String folder) {
            if (keepOnlyTokenIds != null || (skiplistTasks != null && !skiplistTasks.equals(List.of("document")))) {
                throw fields.bad(
                        keepOnlyTokenIds != null ? "keep_only_token_ids" : "skiplist_tasks",
                        "is set",
                        "posbias leaves tokens out of passages by skiplist_words alone; name it st:"
                                + recipe.files.model());
            }
            recipe.put("skip", skiplistWords, folder + CONFIG);
            recipe.put("skip-lookup", "token", LIBRARY);
        }
    }

    /** A weight for each term of the vocabulary. */
    record SpladePooling(Fields fields) implements SavedModule {
        @Override
        public void into(InferredRecipe recipe, String folder) {
            recipe.put("pooling", fields.text("pooling_strategy", "max"), folder + CONFIG);
            recipe.put("activation", fields.text("activation_function", "relu"), folder + CONFIG);
        }
    }
}
