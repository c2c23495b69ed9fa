package io.posbias.data.position;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Positions.CharacterEdges;
import io.posbias.data.position.Positions.RelativeBins;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Position buckets, crossed with length strata when there are any. One grammar for {@code --buckets}, dataset.yaml and
 * result.json:
 *
 * <pre>
 * characters-closed:0,100,200,300,400,500,3120     SQuAD-PosQ: both edges belong to a bucket
 * characters:0,100,200,300,400,500                 half-open, the last bucket without end
 * labels:beginning,middle,end                      FineWeb-PosQ
 * thirds                                           beginning, middle, end by the span
 * relative:20                                      PosIR's bins of the relative position
 * relative:20 by tokens:512,1024,1536              the same, within Q1 to Q4 as well
 * none                                             of a benchmark that does not say where evidence is
 * </pre>
 *
 * @param positions how positions are grouped
 * @param strata within which bands of length as well
 */
public record Bucketing(Positions positions, Strata strata) {
    public static final Bucketing NONE = new Bucketing(new Positions.None(), Strata.NONE);

    private static final String BY = " by ";
    private static final List<String> KINDS = List.of(
            CharacterEdges.HALF_OPEN,
            CharacterEdges.CLOSED,
            Positions.LabelBuckets.WORD,
            Positions.Thirds.WORD,
            RelativeBins.WORD);

    /**
     * Parses a specification.
     *
     * @throws UsageException if it is invalid
     */
    public static Bucketing parse(String specification) {
        String text = specification.strip().replaceAll("\\s+", " ");
        int by = text.indexOf(BY);
        try {
            Positions positions = parsePositions(by < 0 ? text : text.substring(0, by));
            Strata strata = by < 0 ? Strata.NONE : parseStrata(text.substring(by + BY.length()));
            return new Bucketing(positions, strata);
        } catch (IllegalArgumentException wrong) {
            throw new UsageException("buckets " + Printable.quoted(specification) + ": " + wrong.getMessage());
        }
    }

    /** Parses a specification of result.json; published results may have an empty one. */
    @JsonCreator
    static Bucketing parseOrNone(String specification) {
        return specification.isBlank() ? NONE : parse(specification);
    }

    private static Positions parsePositions(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        String argument = colon < 0 ? "" : text.substring(colon + 1);
        return switch (kind) {
            case CharacterEdges.HALF_OPEN -> new CharacterEdges(numbers(argument), false);
            case CharacterEdges.CLOSED -> new CharacterEdges(numbers(argument), true);
            case Positions.LabelBuckets.WORD -> new Positions.LabelBuckets(Arrays.asList(argument.split(",", -1)));
            case RelativeBins.WORD -> new RelativeBins(number(argument));
            case Positions.Thirds.WORD -> {
                if (colon >= 0) {
                    throw new IllegalArgumentException("thirds takes no argument");
                }
                yield new Positions.Thirds();
            }
            case Positions.None.WORD -> new Positions.None();
            default -> throw new IllegalArgumentException(Suggestions.unknown("kind", kind, KINDS));
        };
    }

    private static Strata parseStrata(String text) {
        String prefix = Strata.WORD + ":";
        if (!text.startsWith(prefix)) {
            throw new IllegalArgumentException("after \"by\" comes tokens:EDGE,EDGE,.., not " + Printable.quoted(text));
        }
        return new Strata(numbers(text.substring(prefix.length())));
    }

    private static List<Integer> numbers(String text) {
        return Arrays.stream(text.split(",", -1)).map(Bucketing::number).toList();
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException notWhole) {
            throw new IllegalArgumentException(Printable.quoted(text) + " is not a whole number", notWhole);
        }
    }

    public boolean hasBuckets() {
        return !positions.buckets().isEmpty();
    }

    /** The buckets of a query; empty without evidence. */
    public int[] bucketsOf(@Nullable Evidence evidence) {
        return evidence == null ? new int[0] : positions.of(evidence);
    }

    /** Number of queries by bucket; a query in two buckets counts in both. */
    public Map<String, Integer> counts(List<Query> queries) {
        int[] counts = new int[positions.buckets().size()];
        queries.forEach(query -> Arrays.stream(bucketsOf(query.evidence())).forEach(bucket -> counts[bucket]++));
        Map<String, Integer> byName = new LinkedHashMap<>();
        for (int bucket = 0; bucket < counts.length; bucket++) {
            byName.put(positions.buckets().get(bucket), counts[bucket]);
        }
        return byName;
    }

    @JsonValue
    @Override
    public String toString() {
        return strata.edges().isEmpty() ? positions.toString() : positions + BY + strata;
    }
}
