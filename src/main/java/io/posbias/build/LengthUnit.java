package io.posbias.build;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.posbias.FileNames;
import io.posbias.IoErrors;
import io.posbias.UsageException;
import io.posbias.dataset.CodePoints;
import io.posbias.dataset.DatasetStatistics;
import io.posbias.encode.onnx.Tokenizer;
import io.posbias.evaluate.ModelStore;
import io.posbias.retrieve.Recipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ToIntFunction;

/**
 * What lengths of texts are counted in: {@code words}, the pieces between single spaces, as the FineWeb-PosQ paper counts
 * them; {@code characters}, which are code points; or {@code tokens:NAME}, with the tokenizer of a model's recipe or of a
 * {@code tokenizer.json} file, without special tokens.
 *
 * @param kind which of these
 * @param tokenizer the recipe or file; empty for words and characters
 */
record LengthUnit(Kind kind, String tokenizer) {
    /** A unit for words between single spaces. */
    static final LengthUnit WORDS = new LengthUnit(Kind.WORDS, "");

    private static final String TOKENS = "tokens:";

    /** Kinds of units. */
    enum Kind {
        WORDS,
        CHARACTERS,
        TOKENS
    }

    /** Reads a unit. */
    @JsonCreator
    static LengthUnit of(String word) {
        if (word.startsWith(TOKENS) && word.length() > TOKENS.length()) {
            return new LengthUnit(Kind.TOKENS, word.substring(TOKENS.length()));
        }
        return switch (word) {
            case "words" -> WORDS;
            case "characters" -> new LengthUnit(Kind.CHARACTERS, "");
            default -> throw new IllegalArgumentException("it is words, characters or tokens:NAME");
        };
    }

    /** The tokenizer, read from its recipe's model or its file. */
    private Tokenizer open(Workshop workshop) {
        if (tokenizer.endsWith(".json")) {
            Path file = FileNames.path(tokenizer);
            return Tokenizer.read(tokenizer, IoErrors.call("read", file, () -> Files.readAllBytes(file)));
        }
        Recipe recipe = Recipe.find(tokenizer);
        new ModelStore(workshop.session()).requireJars(recipe);
        return recipe.tokenizer(workshop.engine().home())
                .orElseThrow(
                        () -> new UsageException("unit " + this + ": the model " + tokenizer + " has no tokenizer"));
    }

    /** How texts are counted; a tokenizer is read once in a run and closed with the workshop. */
    ToIntFunction<String> counter(Workshop workshop) {
        return switch (kind) {
            case WORDS -> DatasetStatistics::words;
            case CHARACTERS -> CodePoints::count;
            case TOKENS -> {
                Tokenizer opened = tokenizer(workshop);
                yield text -> opened.tokenize(text).size();
            }
        };
    }

    /** What counts depend on besides the unit's name: the digest of the tokenizer. */
    Object inputs(Workshop workshop) {
        return kind == Kind.TOKENS ? tokenizer(workshop).sha256() : "";
    }

    private Tokenizer tokenizer(Workshop workshop) {
        return workshop.tokenizer(tokenizer, () -> open(workshop));
    }

    /** As pipelines write it. */
    @Override
    public String toString() {
        return switch (kind) {
            case WORDS -> "words";
            case CHARACTERS -> "characters";
            case TOKENS -> TOKENS + tokenizer;
        };
    }
}
