package io.posbias.model.strategy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.process.PosbiasException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Span;
import io.posbias.data.dataset.Words;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.onnx.Tokenizer;
import io.posbias.model.encode.onnx.Tokens;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeCard;
import io.posbias.model.retrieve.Retriever;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Windows of passages, each scored as a separate text. */
public final class ChunkedStrategy extends Strategy {
    /** Maximum tokens, or words, of a window unless a recipe says otherwise. */
    public static final int USUAL_WINDOW = TextWindows.WindowSettings.USUAL;

    public ChunkedStrategy() {
        super("chunked", "passages in windows, each scored by itself; the best one counts", Chunked.class);
    }

    @Override
    public List<String> usual(Recipe wrapped) {
        return TextWindows.WindowSettings.usual(wrapped);
    }

    record Chunked(
            @JsonUnwrapped RecipeCard card,
            Recipe model,
            @JsonUnwrapped TextWindows.WindowSettings windows,
            @JsonUnwrapped WindowScore score)
            implements Wrapper {
        @Override
        public Retriever retriever() {
            refuseLong(this, windows);
            return new WindowedRetriever(
                    this,
                    model.retriever(),
                    score,
                    (dataset, engine) -> ChunkedStrategy.with(
                            this,
                            windows,
                            dataset,
                            engine,
                            cutter -> new Windows(dataset, cutter, Windows.Part.TEXT, ChunkedStrategy::window)));
        }
    }

    private static Passage window(String id, Passage passage, Span window) {
        return new Passage(id, passage.title(), window.of(passage.text()).strip());
    }

    /** Refuses windows longer than the model's limit. */
    static void refuseLong(Wrapper recipe, TextWindows.WindowSettings windows) {
        if (recipe.maxTokens() > 0 && windows.window() > recipe.maxTokens()) {
            throw tooLong(recipe, windows.window(), "");
        }
    }

    private static PosbiasException tooLong(Wrapper recipe, int window, String besides) {
        return recipe.settings()
                .bad(
                        "window",
                        "is " + window,
                        recipe.model().name() + " reads " + recipe.maxTokens() + " tokens" + besides);
    }

    /** Runs an action with a cutter into tokens of the wrapped model, or into words without a tokenizer. */
    static <T> T with(
            Wrapper recipe,
            TextWindows.WindowSettings windows,
            Dataset dataset,
            Engine engine,
            Function<TextWindows, T> work) {
        Optional<Tokenizer> found = recipe.model().tokenizer(engine.session());
        if (found.isEmpty()) {
            String language = dataset.card().language();
            return work.apply(windows.over(text -> Words.cut(text, language)));
        }
        try (Tokenizer tokenizer = found.get()) {
            int special = tokenizer.single().size();
            if (recipe.maxTokens() > 0 && windows.window() + special > recipe.maxTokens()) {
                throw tooLong(recipe, windows.window(), ", " + special + " of them special ones");
            }
            return work.apply(windows.over(text -> spans(tokenizer.tokenize(text))));
        }
    }

    static List<Span> spans(Tokens tokens) {
        List<Span> spans = new ArrayList<>(tokens.size());
        for (int i = 0; i < tokens.size(); i++) {
            spans.add(new Span(tokens.starts()[i], tokens.ends()[i]));
        }
        return spans;
    }
}
