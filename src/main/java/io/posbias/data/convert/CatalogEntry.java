package io.posbias.data.convert;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.fetch.hub.WebFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A benchmark known by name.
 *
 * @param card its future dataset.yaml
 * @param published counts in its paper
 */
public record CatalogEntry(String description, DatasetCard card, Origin origin, Counts published) {

    /**
     * Counts of a benchmark.
     *
     * @param queries 0 if unpublished
     * @param passages 0 if unpublished
     * @param buckets queries by position bucket; may be empty
     * @param atMost true if fewer queries are valid, also per bucket: the paper prints the drawn queries and its
     *     code then drops duplicates
     */
    public record Counts(
            @Setting(usual = "0") int queries,
            @Setting(usual = "0") int passages,
            @Setting(usual = "{}") Map<String, Integer> buckets,

            @Setting(usual = "false") @JsonProperty("at_most")
            boolean atMost) {
        public Counts {
            buckets = Collections.unmodifiableMap(new LinkedHashMap<>(buckets));
        }

        public boolean isEmpty() {
            return queries == 0 && passages == 0 && buckets.isEmpty();
        }

        /**
         * Returns differences from the published counts, for example "0-100 has 21,219 queries, published are
         * 21,220".
         */
        public List<String> differences(Counts found) {
            List<String> differences = new ArrayList<>();
            compare(differences, "it", "queries", queries, found.queries, atMost);
            compare(differences, "it", "passages", passages, found.passages, false);
            buckets.forEach((bucket, count) ->
                    compare(differences, bucket, "queries", count, found.buckets.getOrDefault(bucket, 0), atMost));
            return differences;
        }

        private static void compare(
                List<String> differences, String what, String unit, int published, int found, boolean fewer) {
            if (published != 0 && (fewer ? found > published : found != published)) {
                differences.add(
                        String.format(Locale.ROOT, "%s has %,d %s, published are %,d", what, found, unit, published));
            }
        }

        @Override
        public String toString() {
            String of = buckets.isEmpty() ? "" : String.format(Locale.ROOT, " in %d buckets", buckets.size());
            String held = Plural.grouped(passages, "passage");
            return queries == 0 ? held : Plural.grouped(queries, "query") + of + ", " + held;
        }
    }

    /**
     * Published size; members of a group get equal shares.
     *
     * @param passageTokens mean tokens per passage; 0 if unpublished
     */
    public record Size(double queries, double passages, double passageTokens) {}

    /** Identifier shared by benchmarks with the same corpus. */
    public String corpus() {
        return origin instanceof HubFiles published
                ? published.files().stream()
                        .filter(file -> file.endsWith("/corpus.parquet"))
                        .findFirst()
                        .map(file -> published.repository() + "/" + file)
                        .orElse(name())
                : name();
    }

    public sealed interface Origin permits BuiltIn, PublishedFiles, Subset {}

    /** A folder in the jar. */
    public record BuiltIn(String path) implements Origin {}

    /** Files that are fetched and converted. */
    public sealed interface PublishedFiles extends Origin permits HubFiles, WebFiles {
        PublishedFormat format();

        /** True if a commit or digests fix all files. */
        boolean isPinned();
    }

    /**
     * Files of a data set on the Hugging Face Hub.
     *
     * @param revision branch, tag or commit
     * @param files paths or patterns; the first match of each counts
     */
    public record HubFiles(String repository, String revision, List<String> files, PublishedFormat format)
            implements PublishedFiles {
        @Override
        public boolean isPinned() {
            return revision.matches("[0-9a-f]{40}");
        }
    }

    public record WebFiles(List<WebFile> files, PublishedFormat format) implements PublishedFiles {
        @Override
        public boolean isPinned() {
            return files.stream().noneMatch(file -> file.digest().isEmpty());
        }
    }

    /**
     * A subset of another benchmark.
     *
     * @param recipe one of {@link Sampler#RECIPES}
     */
    public record Subset(String of, String recipe) implements Origin {}

    /** True if a commit or digests fix the downloads, without those of its source benchmark. */
    public boolean isPinned() {
        return !(origin instanceof PublishedFiles files) || files.isPinned();
    }

    public String name() {
        return card.name();
    }
}
