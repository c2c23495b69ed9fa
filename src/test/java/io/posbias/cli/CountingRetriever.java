package io.posbias.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
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
import java.util.List;

/** A kind of retriever that another jar could bring: the first passages for every query, or a failure at one of them. */
public final class CountingRetriever implements Retriever {
    private final String failAt;

    private CountingRetriever(String failAt) {
        this.failAt = failAt;
    }

    /** Found through META-INF/services of the test's class path. */
    public static final class Provider implements RetrieverProvider {
        @Override
        public String kind() {
            return "counting";
        }

        @Override
        public Recipe bind(Fields recipe, RecipeReader recipes) {
            return Json.settings(recipe, CountingRecipe.class);
        }
    }

    private record CountingRecipe(
            @JsonUnwrapped RecipeCard card,
            @Setting(usual = "''") @JsonProperty("fail_at") String failAt) implements Recipe {
        @Override
        public Retriever retriever() {
            return new CountingRetriever(failAt);
        }
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        return Searcher.of((queries, k) -> {
            List<Ranking> rankings = new ArrayList<>();
            for (Query query : queries) {
                if (query.id().equals(failAt)) {
                    throw new PosbiasException("query " + query.id() + " failed: out of luck");
                }
                int[] passages = {0, 1, 2};
                rankings.add(Ranking.of(passages, new float[] {3, 2, 1}).top(k));
            }
            return new RetrievedRun(Run.of(dataset, queries, rankings));
        });
    }
}
