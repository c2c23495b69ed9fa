package io.posbias.retrieve.strategy;

import io.posbias.Fields;
import io.posbias.PosbiasException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Span;
import io.posbias.dataset.Words;
import io.posbias.encode.Engine;
import io.posbias.encode.onnx.Tokenizer;
import io.posbias.encode.onnx.Tokens;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Windows of passages, each scored as a separate text. */
public final class ChunkedStrategy implements Strategy {
    @Override
    public String kind() {
        return "chunked";
    }

    @Override
    public String meaning() {
        return "passages in windows, each scored by itself; the best one counts";
    }

    @Override
    public List<String> fields() {
        return Stream.of(TextWindows.FIELDS, WindowScore.FIELDS)
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        return Optional.empty();
    }

    @Override
    public Retriever around(Recipe recipe, Recipe wrapped) {
        checked(recipe, wrapped);
        return new WindowedRetriever(
                recipe,
                wrapped.retriever(),
                WindowScore.of(recipe.settings()),
                (dataset, engine) -> cut(recipe, wrapped, dataset, engine));
    }

    private static Windows cut(Recipe recipe, Recipe wrapped, Dataset dataset, Engine engine) {
        return with(
                recipe,
                wrapped,
                dataset,
                engine,
                cutter -> new Windows(dataset, cutter, Windows.Part.TEXT, ChunkedStrategy::window));
    }

    private static Passage window(String id, Passage passage, Span window) {
        return new Passage(id, passage.title(), window.of(passage.text()).strip());
    }

    /** Refuses invalid settings, and windows longer than the model's limit. */
    static TextWindows checked(Recipe recipe, Recipe wrapped) {
        Fields fields = recipe.settings();
        TextWindows windows = TextWindows.of(fields, text -> List.of());
        if (wrapped.maxTokens() > 0 && windows.size() > wrapped.maxTokens()) {
            throw tooLong(fields, windows.size(), wrapped, "");
        }
        return windows;
    }

    private static PosbiasException tooLong(Fields fields, int size, Recipe wrapped, String besides) {
        return fields.bad(
                "window", "is " + size, wrapped.name() + " reads " + wrapped.maxTokens() + " tokens" + besides);
    }

    /** Runs an action with a cutter into tokens of the wrapped model, or into words without a tokenizer. */
    static <T> T with(Recipe recipe, Recipe wrapped, Dataset dataset, Engine engine, Function<TextWindows, T> work) {
        Optional<Tokenizer> found = wrapped.tokenizer(engine.home());
        if (found.isEmpty()) {
            String language = dataset.card().language();
            return work.apply(TextWindows.of(recipe.settings(), text -> Words.cut(text, language)));
        }
        try (Tokenizer tokenizer = found.get()) {
            TextWindows windows = TextWindows.of(recipe.settings(), text -> spans(tokenizer.tokenize(text)));
            int special = tokenizer.specialTokens();
            if (wrapped.maxTokens() > 0 && windows.size() + special > wrapped.maxTokens()) {
                throw tooLong(recipe.settings(), windows.size(), wrapped, ", " + special + " of them special ones");
            }
            return work.apply(windows);
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
