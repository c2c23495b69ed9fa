package io.posbias.study.build;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeCard;
import io.posbias.model.retrieve.RecipeReader;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.retrieve.RetrieverProvider;
import io.posbias.model.retrieve.Searcher;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A kind of retriever for tests: the score of a text is the number of the first word of the recipe that it holds, or 0. A word
 * "QUERY: WORD" counts for that query only.
 */
public final class GivenScores implements Retriever {
    private final Map<String, Double> words;
    private final boolean logits;

    private GivenScores(Map<String, Double> words, boolean logits) {
        this.words = words;
        this.logits = logits;
    }

    private record ScoreRecipe(
            @JsonUnwrapped RecipeCard card,
            @Setting(usual = "{}") Map<String, Double> words,
            @Setting(usual = "false") boolean logits)
            implements Recipe {
        @Override
        public Retriever retriever() {
            return new GivenScores(words, logits);
        }
    }

    public static final class Provider implements RetrieverProvider {
        @Override
        public String kind() {
            return "given-scores";
        }

        @Override
        public Recipe bind(Fields recipe, RecipeReader recipes) {
            return Json.settings(recipe, ScoreRecipe.class);
        }
    }

    @Override
    public Optional<Model> model() {
        return Optional.of(new Model.Reranker(
                List.of(),
                false,
                engine -> {
                    throw new IllegalStateException("it has no model");
                },
                logits));
    }

    private float score(String query, String text) {
        return words.entrySet().stream()
                .filter(word -> {
                    String[] parts = word.getKey().split(": ", 2);
                    return parts.length == 1
                            ? text.contains(parts[0])
                            : query.equals(parts[0]) && text.contains(parts[1]);
                })
                .findFirst()
                .map(word -> word.getValue().floatValue())
                .orElse(0f);
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        return Searcher.of((queries, k) -> {
            List<Ranking> rankings = new ArrayList<>();
            for (Query query : queries) {
                int[] ordinals = new int[dataset.passages().size()];
                float[] scores = new float[ordinals.length];
                dataset.passages().inFileOrder((ordinal, passage) -> {
                    ordinals[ordinal] = ordinal;
                    scores[ordinal] = score(query.text(), passage.text());
                });
                rankings.add(Ranking.of(ordinals, scores).top(k));
            }
            return new RetrievedRun(Run.of(dataset, queries, rankings));
        });
    }
}
