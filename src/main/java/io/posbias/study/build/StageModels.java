package io.posbias.study.build;

import io.posbias.base.json.Setting;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Sentences;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.PoolScorer;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.store.ModelStore;
import io.posbias.run.TextScorer;
import io.posbias.study.build.text.TextSentences;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Rerankers or other retrievers that score texts for a stage. The scale {@code sigmoid} maps logits of rerankers to
 * 0 to 1; other scores are unchanged.
 *
 * @param scale {@code none} or {@code sigmoid}
 */
record StageModels(List<Recipe> recipes, String scale) {
    private static final int BATCH = 512;

    StageModels {
        if (recipes.isEmpty()) {
            throw new Setting.Wrong(
                    "models", "names no model", "give a list of recipes; 'posbias models list' has them");
        }
        if (recipes.stream().map(Recipe::name).distinct().count() < recipes.size()) {
            throw new Setting.Wrong("models", "names a model twice", "each has one vote");
        }
    }

    /** Fingerprints by name; refuses models that cannot rank documents of the pipeline's language. */
    static Map<String, String> inputs(StageContext context, List<Recipe> models, Recipe... others) {
        List<Recipe> recipes = Stream.concat(models.stream(), Stream.of(others)).toList();
        DatasetCard documents = DatasetCard.named("documents").with(DatasetCard.Field.LANGUAGE, context.language());
        recipes.forEach(recipe -> recipe.prepareWords(documents, context.session()));
        ModelStore store = new ModelStore(context.session());
        Map<String, String> inputs = new LinkedHashMap<>();
        recipes.forEach(
                recipe -> inputs.put(recipe.name(), store.identified(recipe).sha256()));
        return inputs;
    }

    static Sentences sentences(String document, StageContext context) {
        String text = context.documents().text(document);
        return new Sentences(text, TextSentences.of(text, context.language()), " ");
    }

    /** Scores texts about each candidate with one model. */
    static void score(
            Recipe recipe,
            Candidates candidates,
            Function<Candidate, List<String>> texts,
            BiConsumer<Candidate, List<TextScorer.TextScore>> visitor,
            StageContext context) {
        new ModelStore(context.session()).requireOwn(recipe);
        Dataset corpus = context.corpus();
        try (PoolScorer scorer = recipe.retriever().scorer(corpus, context.engine())) {
            candidates.forEachBatch(BATCH, batch -> {
                Iterator<List<TextScorer.TextScore>> scores = scores(
                                batch.stream()
                                        .map(candidate -> new TextScorer.Texts(
                                                candidate.text(Candidate.QUESTION), texts.apply(candidate)))
                                        .toList(),
                                scorer,
                                context)
                        .iterator();
                batch.forEach(candidate -> visitor.accept(candidate, scores.next()));
            });
        }
    }

    /** Scores texts with a loaded model; by question and text. */
    static List<List<TextScorer.TextScore>> scores(
            List<TextScorer.Texts> questions, PoolScorer scorer, StageContext context) {
        String language = context.language();
        return TextScorer.byQuery(questions, pairs -> new TextScorer(pairs, language, language).score(scorer));
    }

    DoubleUnaryOperator scale(Retriever retriever) {
        boolean logits = retriever.model().orElse(null) instanceof Model.Reranker reranker && reranker.givesLogits();
        return scale.equals("sigmoid") && logits ? logit -> 1 / (1 + Math.exp(-logit)) : score -> score;
    }
}
