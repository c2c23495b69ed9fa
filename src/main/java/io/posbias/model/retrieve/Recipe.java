package io.posbias.model.retrieve;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.Fields;
import io.posbias.base.process.Session;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.Tokenizer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of a retriever: a YAML record, bound to a Java record by the {@link RetrieverProvider} of its kind. A kind
 * implements the first two methods and those of the next three that apply to it.
 */
public interface Recipe {
    RecipeCard card();

    Retriever retriever();

    /** Starts what takes a model long to start, while something else is done; nothing for most. */
    default void startEarly(Engine engine) {
        wrapped().forEach(recipe -> recipe.startEarly(engine));
    }

    /** Returns the wrapped recipes, in the order of its fields. */
    default List<Recipe> wrapped() {
        return List.of();
    }

    /** Returns the model's token limit; 0 if unknown. */
    default int maxTokens() {
        return 0;
    }

    /** Returns the numbers of a text's vector; 0 if unknown, or without one vector per text. */
    default int dimension() {
        return 0;
    }

    default String name() {
        return card().name();
    }

    default String kind() {
        return card().kind();
    }

    default String family() {
        return card().family();
    }

    /** Returns the fields as written, with their location. */
    default Fields settings() {
        return card().fields();
    }

    /** Returns the fields as written, for results. */
    default SequencedMap<String, @Nullable Object> record() {
        return settings().toMap();
    }

    /** Returns the recipe of the innermost model, the first of several; this if it wraps none. */
    default Recipe innermost() {
        List<Recipe> inner = wrapped();
        return inner.isEmpty() ? this : inner.getFirst().innermost();
    }

    /** Returns the required files of the model, else of the wrapped models. */
    default List<ModelFiles> ownFiles() {
        return retriever()
                .model()
                .map(Model::files)
                .orElseGet(() -> wrapped().stream()
                        .flatMap(recipe -> recipe.files().stream())
                        .toList());
    }

    /** Returns all required files, those of the first stage last. */
    default List<ModelFiles> files() {
        Stream<ModelFiles> first = retriever().firstStage().stream().flatMap(stage -> stage.recipe().files().stream());
        return Stream.concat(ownFiles().stream(), first).toList();
    }

    /**
     * Returns the bytes of a text's vectors in an index, of all models together; 0 if unknown, or without one vector
     * per text.
     */
    default double vectorBytes() {
        return retriever()
                .model()
                .map(model -> model instanceof Model.Encoder encoder ? encoder.bytes() : 0.0)
                .orElseGet(() ->
                        wrapped().stream().mapToDouble(Recipe::vectorBytes).sum());
    }

    /** Returns true if the first retriever has no model, as BM25. */
    default boolean countsWords() {
        return retriever().model().isEmpty()
                && (wrapped().isEmpty() || wrapped().getFirst().countsWords());
    }

    /** Returns true if the model, a wrapped one or the first stage is a service. */
    default boolean callsService() {
        return retriever().model().map(Model::isService).orElse(false) || inside().anyMatch(Recipe::callsService);
    }

    /** Returns the wrapped recipes, then that of the first stage. */
    private Stream<Recipe> inside() {
        return Stream.concat(wrapped().stream(), retriever().firstStage().map(FirstStage::recipe).stream());
    }

    /** Fetches what splitting a benchmark into words needs, before anything is loaded; refuses one whose language is missing. */
    default void prepareWords(DatasetCard card, Session session) {
        inside().forEach(recipe -> recipe.prepareWords(card, session));
    }

    /**
     * Returns digests of code that is not posbias's, of this recipe and those inside it: jars of plug-ins, and the programs
     * and files of models in other processes.
     */
    default Stream<String> code(Path home) {
        Stream<String> own = Stream.of(this, retriever())
                .map(Object::getClass)
                .map(type -> Checksums.ofPlugin(type, home))
                .distinct()
                .flatMap(List::stream);
        return Stream.concat(own, inside().flatMap(recipe -> recipe.code(home)));
    }

    /** Returns the tokenizer of the first model that has one. */
    default Optional<Tokenizer> tokenizer(Session session) {
        return files().stream()
                .filter(files -> !files.tokenizer().isEmpty())
                .findFirst()
                .map(files -> files.tokenizer(session));
    }

    /** Returns the model, if it has one vector per text. */
    default Optional<Model.Encoder> oneVector() {
        return retriever()
                .model()
                .filter(Model.Encoder.class::isInstance)
                .map(Model.Encoder.class::cast)
                .filter(encoder -> encoder.vectors() != null);
    }
}
