package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.SharedData;
import io.posbias.data.dataset.Judgments;
import io.posbias.rank.Ranking;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Every measure equals trec_eval's, query by query, to the four digits that trec_eval prints. */
class TrecEvalTest {
    private static final double PRINTED = 0.5e-4 + 1e-9;

    private static final List<Measure> MEASURES = Measures.parseAll(
            "nDCG,nDCG@5,nDCG@10,nDCG@20,nDCG@30,nDCG@100,AP,AP@5,AP@10,AP@100,RR,P@5,P@10,P@20,P@100,R@5,R@10,R@20,R@100");

    private static int compare(Path qrels, Path run, Path output) throws IOException {
        Trec trec = Trec.read(qrels, run);
        Map<String, Measure> byName = new HashMap<>();
        MEASURES.forEach(measure -> byName.put(Trec.name(measure), measure));
        int compared = 0;
        for (String[] line : Trec.lines(output)) {
            Measure measure = byName.get(line[0]);
            if (measure == null || line[1].equals("all")) {
                continue;
            }
            Ranking ranking = trec.rankings.getOrDefault(line[1], Ranking.EMPTY);
            Judgments judgments = Objects.requireNonNull(trec.judgments.get(line[1]));
            assertThat(measure.score(ranking, judgments))
                    .as(measure + " of query " + line[1])
                    .isCloseTo(Double.parseDouble(line[2]), within(PRINTED));
            compared++;
        }
        return compared;
    }

    /** Graded topics with many ties, one of them without a relevant passage: python3 scripts/tests/small_golden.py. */
    @Test
    void equalsTrecEvalsFormulasOnMadeUpTopics() throws IOException {
        Path folder = Path.of("src/test/resources/small/trec");
        int compared = compare(folder.resolve("qrels"), folder.resolve("run"), folder.resolve("out"));
        assertThat(compared).isEqualTo(8 * MEASURES.size());
    }

    @Test
    void equalsTrecEvalOnItsOwnTestSet() throws IOException {
        int compared = compare(
                SharedData.file("golden/trec_eval/qrels.test"),
                SharedData.file("golden/trec_eval/results.test"),
                SharedData.file("golden/trec_eval/out.all_trec.txt.gz"));
        // 3 topics; all 19 measures, of which trec_eval has every one.
        assertThat(compared).isEqualTo(3 * MEASURES.size());
    }

    @Test
    void equalsTrecEvalOnXquad() throws IOException {
        int compared = compare(
                SharedData.file("golden/xquad.en.qrels"),
                SharedData.file("golden/bm25s-xquad.en.run.gz"),
                SharedData.file("golden/trec_eval-xquad.en.txt.gz"));
        assertThat(compared).isGreaterThan(1190 * 8);
    }
}
