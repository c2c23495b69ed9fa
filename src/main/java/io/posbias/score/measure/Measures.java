package io.posbias.score.measure;

import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.data.dataset.Judgments;
import io.posbias.rank.Ranking;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Registry of measures: names, help and errors derive from it. */
public final class Measures {
    /** Default measure of the position bias papers. */
    public static final String DEFAULT = "nDCG@10";

    /** A stem and its cutoff in our notation, trec_eval's (ndcg_cut_10) or MTEB's (ndcg_at_10). */
    private static final Pattern NAME = Pattern.compile("([A-Za-z_]+?)(?:(?:@|_at_|_)([1-9][0-9]{0,5}))?");

    /**
     * A measure without its cutoff.
     *
     * @param aliases lower-case stems of trec_eval, BEIR and MTEB
     * @param needsCutoff true if a cutoff is mandatory
     * @param mteb null if MTEB lacks the measure
     */
    public record Kind(
            String stem,
            List<String> aliases,
            String example,
            boolean needsCutoff,
            @Nullable String mteb,
            String help,
            Measure.Formula formula) {}

    /** All kinds, in listing order. */
    public static final List<Kind> KINDS = List.of(
            new Kind(
                    "nDCG",
                    List.of("ndcg_cut"),
                    "nDCG@10",
                    false,
                    "ndcg",
                    "trec_eval's nDCG: gain = grade, discount log2",
                    Measures::ndcg),
            new Kind(
                    "nDCG_tieavg",
                    List.of(),
                    "nDCG_tieavg@10",
                    false,
                    null,
                    "nDCG in which tied passages share their discounts, as scikit-learn computes it",
                    Measures::tieAveragedNdcg),
            new Kind(
                    "R",
                    List.of("recall"),
                    "R@100",
                    true,
                    "recall",
                    "share of the relevant passages found",
                    Measures::recall),
            new Kind(
                    "RR",
                    List.of("mrr", "recip_rank"),
                    "RR@10",
                    false,
                    "mrr",
                    "one over the first relevant rank",
                    Measures::reciprocalRank),
            new Kind(
                    "AP",
                    List.of("map", "map_cut"),
                    "AP@10",
                    false,
                    "map",
                    "average precision, trec_eval's map",
                    Measures::averagePrecision),
            new Kind(
                    "P",
                    List.of("precision"),
                    "P@10",
                    true,
                    "precision",
                    "share of relevant hits among the first k",
                    Measures::precision),
            new Kind(
                    "Success",
                    List.of("hit_rate"),
                    "Success@10",
                    true,
                    "hit_rate",
                    "1 if a relevant passage is found, trec_eval's success",
                    Measures::success));

    private Measures() {}

    /**
     * Parses a measure in our notation or that of trec_eval, BEIR or MTEB, ignoring case.
     *
     * @throws UsageException for an unknown measure
     */
    public static Measure parse(String name) {
        Matcher matcher = NAME.matcher(name);
        Optional<Kind> found = matcher.matches() ? kind(matcher.group(1)) : Optional.empty();
        Kind kind = found.orElseThrow(() -> new UsageException(Suggestions.unknown(
                "measure", name, KINDS.stream().map(Kind::example).toList())));
        String cutoff = matcher.group(2);
        if (cutoff == null && kind.needsCutoff()) {
            throw new UsageException("measure " + Printable.quoted(name) + " needs a cutoff, as in " + kind.example());
        }
        return new Measure(kind, cutoff == null ? Measure.NO_CUTOFF : Integer.parseInt(cutoff));
    }

    private static Optional<Kind> kind(String stem) {
        return KINDS.stream()
                .filter(kind ->
                        kind.stem().equalsIgnoreCase(stem) || kind.aliases().contains(stem.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** MTEB's name of a stem; empty if MTEB lacks the measure. */
    public static Optional<String> mteb(String stem) {
        return kind(stem).map(Kind::mteb);
    }

    /** Parses names separated by commas, without repetitions. */
    public static List<Measure> parseAll(String names) {
        return Arrays.stream(names.split(",", -1))
                .map(name -> parse(name.strip()))
                .distinct()
                .toList();
    }

    /**
     * Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002) as in trec_eval: gain = grade, discount = 1 / log2(rank
     * + 1); the ideal ranking has all relevant passages, retrieved or not.
     */
    private static double ndcg(Ranking ranking, Judgments judgments, int cutoff) {
        double ideal = ideal(judgments, cutoff);
        if (ideal == 0) {
            return 0;
        }
        double gain = 0;
        for (int rank : Measure.relevantRanks(ranking, judgments, cutoff).toArray()) {
            gain += judgments.grade(ranking.passage(rank)) * discount(rank);
        }
        return gain / ideal;
    }

    /** The discounted gain of the best possible ranking. */
    private static double ideal(Judgments judgments, int cutoff) {
        int[] grades = judgments.idealGrades();
        double gain = 0;
        for (int rank = 0; rank < Math.min(cutoff, grades.length); rank++) {
            gain += grades[rank] * discount(rank);
        }
        return gain;
    }

    private static double discount(int rank) {
        return Math.log(2) / Math.log(rank + 2.0);
    }

    /**
     * nDCG in which passages of equal score share the average of their discounts (McSherry and Najork 2008), cut off at k:
     * scikit-learn's {@code ndcg_score}, as used in the SQuAD-PosQ paper. The ideal ranking has all relevant passages;
     * scikit-learn's has the given ones only. With one relevant passage per query both are equal. Ties that extend beyond the
     * ranking are averaged over its hits.
     */
    private static double tieAveragedNdcg(Ranking ranking, Judgments judgments, int cutoff) {
        double ideal = ideal(judgments, cutoff);
        if (ideal == 0) {
            return 0;
        }
        double gain = 0;
        int next;
        for (int first = 0; first < Math.min(cutoff, ranking.size()); first = next) {
            double grades = 0;
            double discounts = 0;
            for (next = first; next < ranking.size() && ranking.score(next) == ranking.score(first); next++) {
                grades += Math.max(0, judgments.grade(ranking.passage(next)));
                discounts += next < cutoff ? discount(next) : 0;
            }
            gain += grades * discounts / (next - first);
        }
        return gain / ideal;
    }

    /** Share of the relevant passages among the first k hits; 0 if none is relevant. */
    private static double recall(Ranking ranking, Judgments judgments, int cutoff) {
        int relevant = judgments.relevant();
        return relevant == 0
                ? 0
                : (double) Measure.relevantRanks(ranking, judgments, cutoff).count() / relevant;
    }

    /** 1 if there is a relevant passage among the first k hits, else 0. */
    private static double success(Ranking ranking, Judgments judgments, int cutoff) {
        return Measure.relevantRanks(ranking, judgments, cutoff).findAny().isPresent() ? 1 : 0;
    }

    /** One over the rank of the first relevant hit; 0 if there is none among the first k. */
    private static double reciprocalRank(Ranking ranking, Judgments judgments, int cutoff) {
        return Measure.relevantRanks(ranking, judgments, cutoff)
                .mapToDouble(rank -> 1.0 / (rank + 1))
                .findFirst()
                .orElse(0);
    }

    /**
     * Sum of the precisions at the ranks of relevant hits among the first k, divided by the number of relevant passages:
     * trec_eval's map and map_cut.
     */
    private static double averagePrecision(Ranking ranking, Judgments judgments, int cutoff) {
        if (judgments.relevant() == 0) {
            return 0;
        }
        double sum = 0;
        int found = 0;
        for (int rank : Measure.relevantRanks(ranking, judgments, cutoff).toArray()) {
            sum += (double) ++found / (rank + 1);
        }
        return sum / judgments.relevant();
    }

    /** Number of relevant passages among the first k hits, divided by k even if fewer were retrieved. */
    private static double precision(Ranking ranking, Judgments judgments, int cutoff) {
        return (double) Measure.relevantRanks(ranking, judgments, cutoff).count() / cutoff;
    }
}
