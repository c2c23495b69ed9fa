package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.posbias.base.json.Setting;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Span;
import io.posbias.rank.TruncationReport;
import io.posbias.rank.Truncations;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Truncation of texts at a model's token limit.
 *
 * @param maxTokens 0 if the recipe has none
 * @param unit {@code passages} or {@code pairs}
 * @param known false for services that do not report truncation; counts are then 0
 * @param startsPast queries whose evidence begins past the cut, in a bucket or not
 * @param endsPast queries whose evidence ends past the cut; includes {@code startsPast}
 * @param buckets a query in two buckets counts in both; empty if no query has an evidence span
 */
@JsonPropertyOrder({"stage", "max_tokens", "known"})
public record Truncation(
        String stage,
        int maxTokens,
        String unit,
        long total,
        long cut,
        long queriesCut,
        @Setting(usual = "false") boolean known,
        @JsonProperty("evidence_starts_past_cut") int startsPast,
        @JsonProperty("evidence_ends_past_cut") int endsPast,
        List<Bucket> buckets) {

    public record Bucket(
            String bucket,
            @JsonProperty("starts_past_cut") int startsPast,
            @JsonProperty("ends_past_cut") int endsPast) {}

    public Truncation {
        buckets = List.copyOf(buckets);
    }

    /** Counts the truncated evidence of the judged queries. */
    public static Truncation of(TruncationReport truncation, EvidenceCuts cuts, QueryBuckets placement) {
        return new Truncation(
                        truncation.stage(),
                        truncation.maxTokens(),
                        truncation.unit() == TruncationReport.Unit.PASSAGES ? "passages" : "pairs",
                        truncation.total(),
                        truncation.cut(),
                        truncation.queriesCut(),
                        truncation.known(),
                        0,
                        0,
                        List.of())
                .in(cuts, placement);
    }

    /** Counts the truncated evidence by other buckets. */
    public Truncation in(EvidenceCuts cuts, QueryBuckets placement) {
        int[] starts = new int[placement.bucketNames().size()];
        int[] ends = new int[starts.length];
        cuts.endsPast().stream().forEach(query -> {
            for (int bucket : placement.bucketsOf(query)) {
                starts[bucket] += cuts.startsPast().get(query) ? 1 : 0;
                ends[bucket]++;
            }
        });
        return new Truncation(
                stage,
                maxTokens,
                unit,
                total,
                cut,
                queriesCut,
                known,
                cuts.startsPast().cardinality(),
                cuts.endsPast().cardinality(),
                IntStream.range(0, cuts.located().isEmpty() ? 0 : starts.length)
                        .mapToObj(b -> new Bucket(placement.bucketNames().get(b), starts[b], ends[b]))
                        .toList());
    }

    /** Returns true if texts were truncated, or if that is unknown. */
    public boolean isWorthTelling() {
        return !known || cut > 0 || queriesCut > 0;
    }

    /**
     * Queries whose evidence lies past the cut. With several relevant passages, the passage that the benchmark names counts,
     * otherwise the most truncated one. Queries are identified by index.
     *
     * @param known false if the model does not report truncation
     * @param located queries with an evidence span
     * @param startsPast queries whose evidence begins past the cut
     * @param endsPast queries whose evidence ends past the cut; includes {@code startsPast}
     */
    public record EvidenceCuts(boolean known, BitSet located, BitSet startsPast, BitSet endsPast) {
        /** Share of a query's evidence that the model reads. */
        public enum Read {
            WHOLE,
            PART,
            NONE,
            /** The model does not report truncation. */
            UNKNOWN;

            /** @param seen units that are read, negative if all are */
            public static Read of(Span evidence, int seen) {
                return seen < 0 || evidence.end() <= seen ? WHOLE : evidence.start() < seen ? PART : NONE;
            }

            @Override
            public String toString() {
                return name().toLowerCase(Locale.ROOT);
            }
        }

        public EvidenceCuts {
            located = (BitSet) located.clone();
            startsPast = (BitSet) startsPast.clone();
            endsPast = (BitSet) endsPast.clone();
        }

        /** Looks up the evidence; queries without judgements are in no set. */
        public static EvidenceCuts of(Truncations truncations, Dataset dataset, List<Query> queries) {
            BitSet located = new BitSet();
            BitSet startsPast = new BitSet();
            BitSet endsPast = new BitSet();
            for (int q = 0; q < queries.size(); q++) {
                Query query = queries.get(q);
                Evidence evidence = query.evidence();
                Judgments judgments = dataset.qrels().of(query.id());
                if (evidence == null || evidence.span() == null || judgments == null) {
                    continue;
                }
                int seen = leastSeen(
                        truncations, query, judgments, dataset.passages().ids());
                located.set(q);
                startsPast.set(q, seen >= 0 && evidence.span().start() >= seen);
                endsPast.set(q, seen >= 0 && evidence.span().end() > seen);
            }
            boolean known = truncations.all().stream().allMatch(TruncationReport::known);
            return new EvidenceCuts(known, located, startsPast, endsPast);
        }

        /** Restores the cuts of queries; null for a query without an evidence span. */
        public static EvidenceCuts of(List<@Nullable Read> queries) {
            BitSet located = new BitSet();
            BitSet startsPast = new BitSet();
            BitSet endsPast = new BitSet();
            for (int query = 0; query < queries.size(); query++) {
                Read read = queries.get(query);
                located.set(query, read != null);
                startsPast.set(query, read == Read.NONE);
                endsPast.set(query, read == Read.NONE || read == Read.PART);
            }
            return new EvidenceCuts(!queries.contains(Read.UNKNOWN), located, startsPast, endsPast);
        }

        static EvidenceCuts readByAll(List<EvidenceCuts> models) {
            BitSet located = new BitSet();
            BitSet startsPast = new BitSet();
            BitSet endsPast = new BitSet();
            for (EvidenceCuts model : models) {
                located.or(model.located);
                startsPast.or(model.startsPast);
                endsPast.or(model.endsPast);
            }
            return new EvidenceCuts(models.stream().allMatch(EvidenceCuts::known), located, startsPast, endsPast);
        }

        /** Returns how much of a query's evidence is read; null without an evidence span. */
        public @Nullable Read read(int query) {
            return !located.get(query)
                    ? null
                    : !known
                            ? Read.UNKNOWN
                            : startsPast.get(query) ? Read.NONE : endsPast.get(query) ? Read.PART : Read.WHOLE;
        }

        EvidenceCuts at(int[] queries) {
            return new EvidenceCuts(
                    known,
                    SearchFacts.at(located, queries),
                    SearchFacts.at(startsPast, queries),
                    SearchFacts.at(endsPast, queries));
        }

        private static int leastSeen(Truncations truncations, Query query, Judgments judgments, PassageIds ids) {
            String named = query.passage();
            int[] holders = named == null ? judgments.relevantPassages() : new int[] {ids.ordinal(named)};
            return Arrays.stream(holders)
                    .map(passage -> truncations.seen(query.id(), passage))
                    .filter(seen -> seen >= 0)
                    .min()
                    .orElse(TruncationReport.WHOLE);
        }
    }
}
