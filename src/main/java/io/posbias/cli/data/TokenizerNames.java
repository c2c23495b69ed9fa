package io.posbias.cli.data;

import io.posbias.Configs;
import io.posbias.FileNames;
import io.posbias.IoErrors;
import io.posbias.Session;
import io.posbias.UsageException;
import io.posbias.cli.common.BaseCommand;
import io.posbias.encode.onnx.Tokenizer;
import io.posbias.evaluate.ModelStore;
import io.posbias.retrieve.Recipe;
import java.nio.file.Files;
import java.nio.file.Path;

/** What {@code --tokenizer} names: a tokenizer.json, a model that is here or in a jar; or words, which need none. */
final class TokenizerNames {
    /** In the place of a tokenizer. */
    static final String WORDS = "words";

    private TokenizerNames() {}

    /**
     * Reads it.
     *
     * @throws UsageException if there is no such file, or the model has no tokenizer of its own
     */
    static Tokenizer open(String named, Session session) {
        if (named.endsWith(".json") || Configs.isPath(named)) {
            Path file = FileNames.path(named);
            BaseCommand.isFile("--tokenizer", file);
            return Tokenizer.read(named, IoErrors.call("read", file, () -> Files.readAllBytes(file)));
        }
        Recipe recipe = Recipe.find(named);
        new ModelStore(session).requireJars(recipe);
        return recipe.tokenizer(session.home())
                .orElseThrow(() -> new UsageException("--tokenizer " + recipe.name()
                        + ": this model has no tokenizer of its own; give another, a tokenizer.json, or " + WORDS));
    }
}
