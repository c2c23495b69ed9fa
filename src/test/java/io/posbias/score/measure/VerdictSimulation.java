package io.posbias.score.measure;

import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.data.position.Bucketing;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import io.posbias.score.measure.Truncation.EvidenceCuts.Read;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Questions whose evidence stands at ten places of passages of different lengths: nDCG@10 of geometric ranks with a Gaussian
 * copula, correlated by .7 within a question and by .2 within a cluster. At the last three places 11, 41 and 72 % of the
 * passages are not read; half of the passages that end to be read at a place are read there in part.
 *
 * @param questions about so many, in clusters of 5, of 2 for fewer than 100, or of log-normal sizes up to an eighth of the questions
 * @param cost share of the score that evidence loses where it is not read; in part, half of it
 * @param position share of the score that falls from the first three places to the last, on a line
 * @param harder share of the score that questions lose whose own evidence is in the last third
 * @param stops true to take 100 of them in random order, and 25 more until front - back is known, as {@code check} does
 */
record VerdictSimulation(int questions, boolean isUnequal, double cost, double position, double harder, boolean stops) {
    VerdictSimulation(int questions, boolean isUnequal, double cost, double position, double harder) {
        this(questions, isUnequal, cost, position, harder, false);
    }

    private List<ScoresByPlace> asked(List<ScoresByPlace> rows, ContentFixedFit fit, SplittableRandom random) {
        if (!stops) {
            return rows;
        }
        List<ScoresByPlace> shuffled = new ArrayList<>(rows);
        Collections.shuffle(shuffled, new Random(random.nextLong()));
        int asked = 100;
        while (asked < rows.size() && !fit.isKnown(shuffled.subList(0, asked))) {
            asked += 25;
        }
        return shuffled.subList(0, Math.min(asked, rows.size()));
    }

    private static final int PLACES = 10;
    private static final int ENDS = 3;
    private static final double LEVEL = 0.6;
    private static final double LATE = 1 / 3.;

    /** Shares of passages that are not read whole at the last three places. */
    private static final double[] UNREAD = {0.11, 0.41, 0.72};

    /** Score at a place, as a share of that at the first if all is read: the front's mean less the back's is the position effect. */
    private double falling(int place) {
        // Means of the first and the last three places are those of places 1 and 8, 7 steps apart.
        double step = position / (1 + position / (PLACES - ENDS)) / (PLACES - ENDS);
        return 1 - step * place;
    }

    private double mean(int place, Read read) {
        double lost = read == Read.NONE ? cost : read == Read.PART ? cost / 2 : 0;
        return falling(place) * (1 - lost);
    }

    private static Read read(int place, double length, boolean inPart) {
        int past = place - (PLACES - ENDS);
        return past < 0 || length >= UNREAD[past]
                ? Read.WHOLE
                : inPart && (past == 0 || length >= UNREAD[past - 1]) ? Read.PART : Read.NONE;
    }

    /** A model's scores by place, and those of it and of a blind model on the questions as they are. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Drawn(
            List<ScoresByPlace> rows, double[] model, double[] blind, EvidenceCuts cuts, Clusters clusters) {}

    private Drawn draw(SplittableRandom random) {
        Map<Double, double[]> limits = new HashMap<>();
        List<ScoresByPlace> rows = new ArrayList<>();
        List<@Nullable Read> reads = new ArrayList<>();
        List<Integer> clusters = new ArrayList<>();
        List<double[]> asked = new ArrayList<>();
        for (int cluster = 0; rows.size() < questions; cluster++) {
            int size = isUnequal
                    ? Math.clamp(Math.round(Math.exp(1.2 + 0.8 * random.nextGaussian())), 2, questions / 8)
                    : questions < 100 ? 2 : 5;
            double shared = random.nextGaussian();
            for (int i = 0; i < size; i++) {
                double length = random.nextDouble();
                boolean inPart = random.nextBoolean();
                int own = random.nextInt(PLACES);
                double level = LEVEL * (own >= (1 - LATE) * PLACES ? 1 - harder : 1);
                double question = Math.sqrt(0.2) * shared + Math.sqrt(0.5) * random.nextGaussian();
                double[] scores = new double[PLACES];
                Read[] read = new Read[PLACES];
                for (int place = 0; place < PLACES; place++) {
                    read[place] = read(place, length, inPart);
                    scores[place] = score(question, level * mean(place, read[place]), limits, random);
                }
                asked.add(new double[] {scores[own], score(question, level * 0.8, limits, random)});
                reads.add(read[own]);
                clusters.add(cluster);
                rows.add(new ScoresByPlace(
                        "q" + rows.size(),
                        "p" + cluster,
                        "",
                        scores[own],
                        scores,
                        new boolean[0],
                        new boolean[PLACES],
                        new int[PLACES],
                        read));
            }
        }
        return new Drawn(
                rows,
                asked.stream().mapToDouble(both -> both[0]).toArray(),
                asked.stream().mapToDouble(both -> both[1]).toArray(),
                EvidenceCuts.of(reads),
                Clusters.named(clusters.stream().map(String::valueOf).toList()));
    }

    private static double score(double question, double mean, Map<Double, double[]> limits, SplittableRandom random) {
        return ClusterSimulation.score(
                question + Math.sqrt(0.3) * random.nextGaussian(),
                limits.computeIfAbsent(mean, ClusterSimulation::limits));
    }

    /** Mean of the last three places if all is read, and as they are read. */
    private double[] back() {
        double all = 0;
        double as = 0;
        for (int place = PLACES - ENDS; place < PLACES; place++) {
            int past = place - (PLACES - ENDS);
            double ends = UNREAD[past] - (past == 0 ? 0 : UNREAD[past - 1]);
            all += mean(place, Read.WHOLE) / ENDS;
            as += ((1 - UNREAD[past]) * mean(place, Read.WHOLE)
                            + ends / 2 * mean(place, Read.PART)
                            + (UNREAD[past] - ends / 2) * mean(place, Read.NONE))
                    / ENDS;
        }
        return new double[] {all, as};
    }

    /** Counts how often the parts' intervals hold the truth, and each word is said. */
    ClusterSimulation.Tally tally(int benchmarks, long seed) {
        ClusterSimulation.Tally tally = new ClusterSimulation.Tally();
        SplittableRandom root = new SplittableRandom(seed);
        double front =
                IntStream.range(0, ENDS).mapToDouble(this::falling).average().orElseThrow();
        double[] back = back();
        double level = LEVEL * (1 - LATE * harder);
        for (int i = 0; i < benchmarks; i++) {
            SplittableRandom random = root.split();
            Drawn drawn = draw(random);
            ContentFixedFit fit =
                    new ContentFixedFit(ClusterSimulation.fixedSettings(1, random.nextLong()), "rotation", 1);
            ContentFixed moved = fit.of(asked(drawn.rows, fit, random), QueryBuckets.of(List.of(), Bucketing.NONE));
            tally.add("stopped", moved.queries() < drawn.rows.size());
            tally.add("loss held", holds(moved.frontMinusBack(), level * (front - back[1])));
            LossParts parts = Objects.requireNonNull(moved.parts());
            LossParts.Part own = parts.position();
            LossParts.Part notReading = parts.notReading();
            if (own != null && notReading != null) {
                tally.add("position held", holds(own.points(), level * (front - back[0])));
                tally.add("not reading held", holds(notReading.points(), level * (back[0] - back[1])));
            }
            List<Verdict> words = moved.verdicts();
            for (Verdict word : List.of(Verdict.POSITION, Verdict.UNREAD, Verdict.EVEN, Verdict.OPEN)) {
                tally.add(word.toString(), words.contains(word));
            }
            UnreadContrast contrast = UnreadContrast.of(drawn.model, drawn.blind, drawn.cuts, drawn.clusters, 0.95);
            tally.add("beside", contrast != null && contrast.isLoss());
        }
        return tally;
    }

    private static boolean holds(Estimate estimate, double truth) {
        return estimate.interval().holds(truth);
    }

    @Override
    public String toString() {
        return "| " + questions + (stops ? " at most" : "") + (isUnequal ? " unequal" : "") + " | "
                + Math.round(100 * harder) + " | " + Math.round(100 * cost) + " | " + Math.round(100 * position) + " |";
    }
}
