package io.posbias.experiment;

import io.posbias.encode.CallEstimate;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.onnx.ModelSize;
import io.posbias.encode.onnx.Tokenizer;
import io.posbias.evaluate.ModelStore;
import io.posbias.retrieve.Recipe;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** A model by itself, without the strategies around it: how many tokens it reads of a text, and what they cost. */
final class PlannedModel implements AutoCloseable {
    private final Recipe recipe;
    private final boolean isHere;
    private final @Nullable ModelSize size;
    private final @Nullable Tokenizer tokenizer;

    /** @param recipe that wraps none */
    PlannedModel(Recipe recipe, Engine engine) {
        this.recipe = recipe;
        this.isHere = isHere(recipe, engine);
        // A bag of words multiplies nothing: its tokens are all that counts.
        this.size = recipe.size()
                .or(() -> counted(recipe, engine))
                .filter(model -> model.parameters() > model.embeddings())
                .orElse(null);
        this.tokenizer = isHere ? recipe.tokenizer(engine.home()).orElse(null) : null;
    }

    /** Whether it can run here without calling or pulling anything. */
    static boolean isHere(Recipe recipe, Engine engine) {
        return !ModelStore.isService(recipe)
                && recipe.retriever().files().stream().allMatch(files -> files.isHere(engine.home()));
    }

    private static Optional<ModelSize> counted(Recipe recipe, Engine engine) {
        return recipe.retriever().files().stream()
                .findFirst()
                .filter(files -> files.isHere(engine.home()))
                .map(files -> ModelSize.of(files, engine.home()));
    }

    boolean isHere() {
        return isHere;
    }

    @Nullable
    Tokenizer tokenizer() {
        return tokenizer;
    }

    /** The most tokens that it reads of a text. */
    double most() {
        return recipe.maxTokens() > 0 ? recipe.maxTokens() : Double.MAX_VALUE;
    }

    /** How many tokens of a text it reads, special ones and prompt included. */
    ToIntFunction<String> tokens(Role role) {
        String prompt = recipe.settings().text(role == Role.QUERY ? "query-prompt" : "document-prompt", "");
        Tokenizer own = tokenizer;
        return text -> {
            long all = own == null
                    ? CallEstimate.tokens(prompt + text)
                    : own.tokenize(prompt + text).size() + 2;
            return (int) Math.min(most(), (double) all);
        };
    }

    /** Floating-point operations; null where nobody knows how big it is. */
    @Nullable
    Double flops(TextCount count) {
        return size == null ? null : (Double) count.flops(size);
    }

    @Override
    public void close() {
        if (tokenizer != null) {
            tokenizer.close();
        }
    }
}
