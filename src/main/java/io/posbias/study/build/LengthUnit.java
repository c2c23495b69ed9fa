package io.posbias.study.build;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Configs;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DatasetStatistics;
import io.posbias.model.encode.onnx.Tokenizer;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.text.UnspacedWords;
import io.posbias.model.store.ModelFinder;
import io.posbias.model.store.ModelStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ToIntFunction;

/**
 * Unit of text length: {@code words} between single spaces, or {@link UnspacedWords} of languages without spaces, {@code characters} (code points), or {@code tokens:NAME} of a
 * model's recipe or of a {@code tokenizer.json} file, without special tokens.
 */
public record LengthUnit(String name) {
    public static final String WORDS = "words";
    static final String CHARACTERS = "characters";
    static final String TOKENS = "tokens:";

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static LengthUnit of(String name) {
        if (!name.equals(WORDS)
                && !name.equals(CHARACTERS)
                && !(name.startsWith(TOKENS) && name.length() > TOKENS.length())) {
            throw new IllegalArgumentException("it is words, characters or tokens:NAME");
        }
        return new LengthUnit(name);
    }

    /**
     * Opens the tokenizer of a recipe or of a {@code tokenizer.json} file.
     *
     * @param label the setting with its value, for errors
     * @throws UsageException if the file is missing or the model has no tokenizer
     */
    public static Tokenizer tokenizer(String named, String label, Session session) {
        if (named.endsWith(".json") || Configs.isPath(named)) {
            Path file = FileNames.path(named);
            if (!Files.isRegularFile(file)) {
                throw new UsageException(label + ": file not found");
            }
            return Tokenizer.read(named, IoErrors.call("read", file, () -> Files.readAllBytes(file)), session);
        }
        Recipe recipe = new ModelFinder(session).find(named);
        new ModelStore(session).requireJars(recipe);
        return recipe.tokenizer(session)
                .orElseThrow(() -> new UsageException(
                        label + ": this model has no tokenizer; give another model, a tokenizer.json, or " + WORDS));
    }

    /** Returns the length function; tokenizers are opened once per run and closed with the context. */
    ToIntFunction<String> counter(StageContext context) {
        return switch (name) {
            case WORDS ->
                context.unspacedWords()
                        .<ToIntFunction<String>>map(
                                words -> text -> words.cut().apply(text).size())
                        .orElse(DatasetStatistics::words);
            case CHARACTERS -> CodePoints::count;
            default -> {
                Tokenizer opened = opened(context);
                yield text -> opened.tokenize(text).size();
            }
        };
    }

    /** The tokenizer's digest, or the source of words without spaces; empty otherwise. */
    Object inputs(StageContext context) {
        if (name.startsWith(TOKENS)) {
            return opened(context).sha256();
        }
        return name.equals(WORDS)
                ? context.unspacedWords().map(UnspacedWords::source).orElse("")
                : "";
    }

    private Tokenizer opened(StageContext context) {
        String tokenizer = name.substring(TOKENS.length());
        return context.tokenizer(tokenizer, () -> tokenizer(tokenizer, "unit " + name, context.session()));
    }

    @Override
    public String toString() {
        return name;
    }
}
