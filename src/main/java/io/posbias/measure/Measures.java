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

/** The one list of measures: names, help and errors come from it. */
public final class Measures {
    /** The measure of the position bias papers. */
    public static final String DEFAULT = "nDCG@10";

    /** A stem and its cutoff as this toolkit, trec_eval (ndcg_cut_10) and MTEB (ndcg_at_10) write it. */
    private static final Pattern NAME = Pattern.compile("([A-Za-z_]+?)(?:(?:@|_at_|_)([1-9][0-9]{0,5}))?");

    /**
     * A measure without its cutoff.
     *
     * @param stem its name before the @
     * @param aliases the stem in small letters as trec_eval, BEIR and MTEB write it
     * @param example its name with the usual cutoff
     * @param needsCutoff whether it means nothing without one
     * @param mteb what MTEB calls it; null where MTEB has no such measure
     * @param help one line on what it is
     */
    public record Kind(
            String stem,
            List<String> aliases,
            String example,
            boolean needsCutoff,
            @Nullable String mteb,
            String help,
            Measure.Formula formula) {}

    /** All kinds, in the order in which they are listed. */
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
     * Reads a measure's name, in upper or lower case, as this toolkit or trec_eval, BEIR or MTEB write it.
     *
     * @throws UsageException if there is no such measure
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

    /** What MTEB calls a measure, by its name before the @; empty where MTEB has no such measure. */
    public static Optional<String> mteb(String stem) {
        return kind(stem).map(Kind::mteb);
    }

    /** Reads names separated by commas, each once. */
    public static List<Measure> parseAll(String names) {
        return Arrays.stream(names.split(",", -1))
                .map(name -> parse(name.strip()))
                .distinct()
                .toList();
    }
}
