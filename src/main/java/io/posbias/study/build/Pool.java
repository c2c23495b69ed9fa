package io.posbias.study.build;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import io.posbias.model.retrieve.PoolScorer;
import io.posbias.model.retrieve.Searcher;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A question with other passages than its own that a search found, best first. Models score them all and vote on the others.
 *
 * @param own ordinal of the question's passage in the corpus, as those of the others
 */
record Pool(Candidate question, int own, List<Integer> others) {
    /**
     * Searches the corpus for each question.
     *
     * @param searcher without excluded passages
     * @param excluded identifiers of passages that are never taken, the question's own among them
     */
    static List<Pool> search(
            List<Candidate> questions,
            int top,
            Searcher searcher,
            PassageIds ids,
            Function<Candidate, List<String>> excluded) {
        List<Query> queries = questions.stream()
                .map(question -> query(question, excluded.apply(question)))
                .toList();
        Run run = searcher.search(queries, top).run();
        return IntStream.range(0, questions.size())
                .mapToObj(i -> new Pool(
                        questions.get(i),
                        ids.ordinal(questions.get(i).document()),
                        IntStream.of(run.ranking(i).passages()).boxed().toList()))
                .toList();
    }

    private static Query query(Candidate question, List<String> excluded) {
        return new Query(question.id(), question.text(Candidate.QUESTION), null, null, excluded, null);
    }

    static List<Ranking> scores(List<Pool> pools, PoolScorer scorer, Dataset corpus) {
        List<Query> queries =
                pools.stream().map(pool -> query(pool.question, List.of())).toList();
        List<Ranking> passages = pools.stream()
                .map(pool -> IntStream.concat(
                                IntStream.of(pool.own), pool.others.stream().mapToInt(Integer::intValue))
                        .toArray())
                .map(pool -> Ranking.of(pool, new float[pool.length]))
                .toList();
        Dataset asked = new Dataset(corpus.card(), Map.of(), corpus.passages(), queries, new Qrels(Map.of()));
        Run scored = scorer.score(asked, Run.of(asked, queries, passages)).run();
        return IntStream.range(0, pools.size()).mapToObj(scored::ranking).toList();
    }

    double ownScore(Ranking scores) {
        return IntStream.range(0, scores.size())
                .filter(rank -> scores.passage(rank) == own)
                .mapToDouble(scores::score)
                .findFirst()
                .orElseThrow();
    }

    /** Returns the others that a model votes for. */
    Set<Integer> vote(Ranking scores, DoublePredicate isVote) {
        return IntStream.range(0, scores.size())
                .filter(rank -> scores.passage(rank) != own && isVote.test(scores.score(rank)))
                .mapToObj(scores::passage)
                .collect(Collectors.toSet());
    }

    Pool only(Predicate<Integer> wanted) {
        return new Pool(question, own, others.stream().filter(wanted).toList());
    }

    static long count(List<Pool> pools) {
        return pools.stream().mapToLong(pool -> pool.others.size()).sum();
    }
}
