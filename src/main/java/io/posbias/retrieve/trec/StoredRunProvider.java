package io.posbias.retrieve.trec;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetFiles;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import io.posbias.retrieve.RetrieverProvider;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.SearchReport;
import io.posbias.retrieve.Searcher;
import io.posbias.retrieve.StoredRun;
import java.nio.file.Path;
import java.util.List;

/** Kind of recipe that finds what a run on disk found. */
public final class StoredRunProvider implements RetrieverProvider {
    private static final String BY_RANK = "by-rank";
    private static final String SPLIT = "split";

    @Override
    public String kind() {
        return StoredRun.KIND;
    }

    @Override
    public Retriever create(Recipe recipe) {
        recipe.refuseOthers(StoredRun.FIELDS, List.of(BY_RANK, SPLIT));
        recipe.settings().flag(BY_RANK, false);
        recipe.settings().text(SPLIT, "");
        return new StoredRetriever(recipe);
    }

    private record StoredRetriever(Recipe recipe) implements Retriever {
        @Override
        public Searcher open(Dataset corpus, Engine engine) {
            Path file = StoredRun.file(recipe.settings());
            RunReader.Options options = new RunReader.Options(
                    recipe.settings().flag(BY_RANK, false),
                    recipe.settings().text(SPLIT, DatasetFiles.TEST),
                    // Only a benchmark with files is the run's own; others are parts of it.
                    corpus.checksums().isEmpty());
            RunReader.Read read = RunReader.read(file, corpus, options);
            return new StoredSearcher(read);
        }
    }

    private record StoredSearcher(RunReader.Read read) implements Searcher {
        @Override
        public Run search(List<Query> queries, int k) {
            Run run = read.run();
            return new Run(
                            run.passages(),
                            queries.stream().map(Query::id).toList(),
                            queries.stream().map(query -> run.of(query.id())).toList())
                    .top(k);
        }

        @Override
        public SearchReport report() {
            return SearchReport.NONE.with(read.stats());
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
