package io.posbias.measure;

import io.posbias.Printable;
import io.posbias.Suggestions;
import io.posbias.UsageException;
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
                    new Ndcg()),
            new Kind(
                    "nDCG_tieavg",
                    List.of(),
                    "nDCG_tieavg@10",
                    false,
                    null,
                    "nDCG in which tied passages share their discounts, as scikit-learn computes it",
                    new TieAveragedNdcg()),
            new Kind(
                    "R",
                    List.of("recall"),
                    "R@100",
                    true,
                    "recall",
                    "share of the relevant passages found",
                    new Recall()),
            new Kind(
                    "RR",
                    List.of("mrr", "recip_rank"),
                    "RR@10",
                    false,
                    "mrr",
                    "one over the first relevant rank",
                    new ReciprocalRank()),
            new Kind(
                    "AP",
                    List.of("map", "map_cut"),
                    "AP@10",
                    false,
                    "map",
                    "average precision, trec_eval's map",
                    new AveragePrecision()),
            new Kind(
                    "P",
                    List.of("precision"),
                    "P@10",
                    true,
                    "precision",
                    "share of relevant hits among the first k",
                    new Precision()));

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
}
