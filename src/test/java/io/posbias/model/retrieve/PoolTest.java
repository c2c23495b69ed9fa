package io.posbias.model.retrieve;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.encode.Engine;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.SearchReport;
import io.posbias.rank.Truncations;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
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
            Run whole = Pool.restricted(dataset, pool, counting).run();
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

    /** One passage is scored for one query at a time: what the two blocks took is what all took. */
    @Test
    void effortIsThatOfAllBlocks() {
        Dataset dataset = TinyBenchmark.in(temp.resolve("tiny")).open();
        int passages = dataset.passages().size();
        List<Integer> sizes = new ArrayList<>();
        AtomicInteger pairs = new AtomicInteger();
        PoolScorer counting = PoolScorer.of((texts, pool) -> {
            sizes.add(pool.queries().size());
            int sum = pairs.addAndGet((int) pool.hits());
            return new RetrievedRun(pool, new SearchReport(Truncations.NONE, null, Map.of(), Map.of("pairs", sum)));
        });
        RetrievedRun found = Pool.every(dataset, dataset.queries(), 2, counting, passages);
        assertThat(sizes).containsExactly(1, 1);
        assertThat(found.report().usage()).containsEntry("pairs", 2 * passages);
        assertThat(found.run().sizes()).containsExactly(2, 2);
    }

    /** The corpus is scored repeatedly, other texts are not. */
    @Test
    void theScorerOfTheCorpusIsOpenedOnceAndClosedLast() {
        Dataset corpus = TinyBenchmark.in(temp.resolve("corpus")).open();
        Dataset others = new Dataset(
                DatasetCard.named("others"),
                Map.of(),
                Passages.of(List.of(new Passage("a", "", "a"))),
                List.of(),
                corpus.qrels());
        Run none = Run.of(corpus, List.of(), List.of());
        List<String> seen = new ArrayList<>();
        try (PoolScorer scorer = PoolScorer.perTexts(
                corpus,
                texts -> {
                    seen.add("open " + texts.name());
                    return PoolScorer.of(
                            (same, pool) -> {
                                seen.add("score " + same.name());
                                return new RetrievedRun(pool);
                            },
                            () -> seen.add("close " + texts.name()));
                },
                () -> seen.add("close"))) {
            scorer.score(corpus, none);
            scorer.score(others, none);
            scorer.score(corpus, none);
        }
        String name = corpus.name();
        assertThat(seen)
                .containsExactly(
                        "open " + name,
                        "score " + name,
                        "open others",
                        "score others",
                        "close others",
                        "score " + name,
                        "close " + name,
                        "close");
    }
}
