package io.posbias.model.retrieve;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.encode.Engine;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolTest {
    @TempDir
    Path temp;

    @Test
    void blocksOfQueriesChangeNothing() {
        Dataset dataset = TinyBenchmark.in(temp.resolve("tiny")).open();
        PassageIds ids = dataset.passages().ids();
        List<String> queries = dataset.queries().stream().map(Query::id).toList();
        Ranking two = Ranking.of(new int[] {0, 2}, new float[2]);
        Ranking all = Ranking.of(new int[] {0, 1, 2}, new float[3]);
        Run pool = new Run(ids, queries, List.of(two, all));
        List<Integer> sizes = new ArrayList<>();
        try (Searcher bm25 = RecipeBook.find("bm25").retriever().open(dataset, Engine.quiet(1, Sessions.in(temp)))) {
            Searcher counting = Searcher.of((asked, k) -> {
                sizes.add(asked.size());
                return bm25.search(asked, k);
            });
            Run whole = Pool.restricted(dataset, pool, counting, Run.MOST_HITS).run();
            Run single = Pool.restricted(dataset, pool, counting, 1).run();
            assertThat(sizes).containsExactly(2, 1, 1);
            for (int q = 0; q < 2; q++) {
                assertThat(single.ranking(q).passages())
                        .containsExactly(whole.ranking(q).passages());
                for (int rank = 0; rank < whole.ranking(q).size(); rank++) {
                    assertThat(single.ranking(q).score(rank))
                            .isEqualTo(whole.ranking(q).score(rank));
                }
            }
            assertThat(whole.ranking(0).size()).isEqualTo(2);
            // The fox's passage is found, the owl's is not and scores 0.
            assertThat(whole.ranking(0).score(0)).isPositive();
            assertThat(whole.ranking(1).score(2)).isZero();
        }
    }
}
