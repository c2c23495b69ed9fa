package io.posbias.dataset.convert;

import io.posbias.dataset.DatasetCard;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A benchmark that posbias knows by name.
 *
 * @param description one line for lists
 * @param card what its dataset.yaml will say; its name is the benchmark's
 * @param origin where it comes from
 * @param published how many queries and passages it should have
 */
public record CatalogEntry(String description, DatasetCard card, Origin origin, Counts published) {

    /**
     * How many queries and passages a benchmark has, or should have as its paper prints it.
     *
     * @param queries 0 when nobody published that
     * @param passages 0 likewise
     * @param buckets queries by the name of their position bucket; empty when nobody published that
     * @param atMost whether there may be fewer queries, also in a bucket: the paper prints how many were drawn, and its code
     *     then drops those drawn twice
     */
    public record Counts(int queries, int passages, Map<String, Integer> buckets, boolean atMost) {
        /** Keeps the order of the buckets. */
        public Counts {
            buckets = Collections.unmodifiableMap(new LinkedHashMap<>(buckets));
        }

        /** Whether nothing was published. */
        public boolean isEmpty() {
            return queries == 0 && passages == 0 && buckets.isEmpty();
        }

        /**
         * What of these published numbers is otherwise in a benchmark: "0-100 has 21,219 queries, published are 21,220".
         *
         * @param found what the benchmark has
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
            return queries == 0
                    ? String.format(Locale.ROOT, "%,d passages", passages)
                    : String.format(Locale.ROOT, "%,d queries%s, %,d passages", queries, of, passages);
        }
    }

    /**
     * How big a benchmark is, as published; of a group whose members nobody counted, an equal share each.
     *
     * @param passageTokens mean length of a passage in tokens of the publisher's; 0 where nobody published that
     */
    public record Size(double queries, double passages, double passageTokens) {}

    /** What benchmarks of the same passages have in common, and no others. */
    public String corpus() {
        return origin instanceof HubFiles published
                ? published.files().stream()
                        .filter(file -> file.endsWith("/corpus.parquet"))
                        .findFirst()
                        .map(file -> published.repository() + "/" + file)
                        .orElse(name())
                : name();
    }

    /** Where a benchmark comes from. */
    public sealed interface Origin permits BuiltIn, PublishedFiles, Subset {}

    /**
     * It is inside the jar.
     *
     * @param path its folder there
     */
    public record BuiltIn(String path) implements Origin {}

    /** It is fetched and converted. */
    public sealed interface PublishedFiles extends Origin permits HubFiles, WebFiles {
        /** The format of its files together. */
        PublishedFormat format();

        /** Whether a commit or digests fix all files. */
        boolean isPinned();
    }

    /**
     * Files of a data set on the Hugging Face Hub.
     *
     * @param repository the data set's name on the Hub
     * @param revision branch, tag or commit
     * @param files paths in the repository, or patterns of which the first that matches any counts
     */
    public record HubFiles(String repository, String revision, List<String> files, PublishedFormat format)
            implements PublishedFiles {
        @Override
        public boolean isPinned() {
            return revision.matches("[0-9a-f]{40}");
        }
    }

    /** Files of other servers. */
    public record WebFiles(List<WebFile> files, PublishedFormat format) implements PublishedFiles {
        @Override
        public boolean isPinned() {
            return files.stream().noneMatch(file -> file.digest().isEmpty());
        }
    }

    /**
     * A file on a server that is not the Hub.
     *
     * @param address https
     * @param digest its MD5 (32 letters) or SHA-256 (64) as published, in lower case; empty when nobody published one
     * @param bytes its size; -1 when nobody published that
     */
    public record WebFile(URI address, String digest, long bytes) {
        /** The last part of its address. */
        public String name() {
            String path = address.getPath();
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    /**
     * It is drawn from another benchmark.
     *
     * @param of the other's name
     * @param recipe one of {@link Sampler#RECIPES}
     */
    public record Subset(String of, String recipe) implements Origin {}

    /** Whether what is fetched for it by itself, not for what it is drawn from, is fixed by a commit or by digests. */
    public boolean isPinned() {
        return !(origin instanceof PublishedFiles files) || files.isPinned();
    }

    /** What results call it. */
    public String name() {
        return card.name();
    }
}
