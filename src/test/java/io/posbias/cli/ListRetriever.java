package io.posbias.cli;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.Engine;
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
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** A kind that another jar could bring: common words of a query and a passage, whose words are in a list. */
public final class ListRetriever implements RetrieverProvider {
    @Override
    public String kind() {
        return "list";
    }

    @Override
    public Recipe bind(Fields recipe, RecipeReader recipes) {
        return Json.settings(recipe, ListRecipe.class);
    }

    private record ListRecipe(@JsonUnwrapped RecipeCard card) implements Recipe {
        @Override
        public Retriever retriever() {
            return ListRetriever::searcher;
        }
    }

    private static Set<String> words(String text) {
        return new HashSet<>(Arrays.asList(text.split(" ", -1)));
    }

    private static Searcher searcher(Dataset dataset, Engine engine) {
        List<Set<String>> passages = new ArrayList<>();
        dataset.passages().forEach((ordinal, passage) -> passages.add(words(passage.text())));
        return Searcher.of((queries, k) -> new RetrievedRun(Run.of(
                dataset,
                queries,
                queries.stream().map(query -> ranking(query, passages).top(k)).toList())));
    }

    private static Ranking ranking(Query query, List<Set<String>> passages) {
        float[] scores = new float[passages.size()];
        for (int i = 0; i < scores.length; i++) {
            Set<String> common = words(query.text());
            common.retainAll(passages.get(i));
            scores[i] = common.size();
        }
        return Ranking.of(IntStream.range(0, scores.length).toArray(), scores);
    }
}
