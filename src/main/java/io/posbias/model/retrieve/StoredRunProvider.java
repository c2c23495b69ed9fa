package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.model.encode.Engine;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.SearchReport;
import io.posbias.rank.trec.RunReader;
import java.util.List;

/** Kind of recipe that finds what a run on disk found. */
public final class StoredRunProvider implements RetrieverProvider {
    @Override
    public String kind() {
        return StoredRun.KIND;
    }

    @Override
    public Recipe bind(Fields recipe, RecipeReader recipes) {
        return Json.settings(recipe, StoredRecipe.class);
    }

    /**
     * Recipe of a run.
     *
     * @param run its file, relative to the recipe's folder or the working folder
     * @param split of the judgements, which chooses one of several in MTEB's predictions
     * @param partial true for a run that may lack more than a tenth of the judged queries
     */
    private record StoredRecipe(
            @JsonUnwrapped RecipeCard card,
            String run,
            String sha256,
            @Setting(usual = "false") boolean byRank,
            @Setting(usual = DatasetFiles.TEST) String split,
            @Setting(usual = "false") boolean partial)
            implements Recipe {
        @Override
        public Retriever retriever() {
            return new StoredRetriever(this);
        }
    }

    private record StoredRetriever(StoredRecipe recipe) implements Retriever {
        @Override
        public Searcher open(Dataset corpus, Engine engine) {
            // Only a benchmark with files is the run's own; others are parts of it.
            boolean isPart = corpus.checksums().isEmpty();
            RunReader.Options options = new RunReader.Options(recipe.byRank, recipe.split, isPart, recipe.partial);
            RunReader.Read read = RunReader.read(StoredRun.file(recipe.settings()), corpus, options);
            Run run = read.run();
            return Searcher.of((queries, k) -> {
                List<Ranking> found =
                        queries.stream().map(query -> run.of(query.id())).toList();
                return new RetrievedRun(Run.of(corpus, queries, found), SearchReport.NONE.with(read.stats())).top(k);
            });
        }
    }
}
