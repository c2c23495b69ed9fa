package io.posbias.dataset.convert;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark that posbias knows by name.
 *
 * @param description one line for lists
 * @param card what its dataset.yaml will say; its name is the benchmark's
 * @param origin where it comes from
 * @param queries how many queries it should have; 0 when nobody published that
 * @param passages how many passages it should have; 0 likewise
 */
public record CatalogEntry(String description, DatasetCard card, Origin origin, int queries, int passages) {

    /** Where a benchmark comes from. */
    public sealed interface Origin permits Archive, BuiltIn, Download, Subset {}

    /**
     * It is inside the jar.
     *
     * @param path its folder there
     */
    public record BuiltIn(String path) implements Origin {}

    /**
     * It is fetched from the Hugging Face Hub and converted.
     *
     * @param repository the data set's name on the Hub
     * @param revision branch, tag or commit
     * @param files paths in the repository, or patterns of which the first that matches any counts
     * @param format which converter reads the files
     */
    public record Download(String repository, String revision, List<String> files, String format) implements Origin {
        /** Whether the files are patterns. */
        public boolean hasPatterns() {
            return files.stream().anyMatch(file -> file.contains("*"));
        }
    }

    /**
     * It is fetched from an address of its own and converted by {@link BeirConverter}.
     *
     * @param file BEIR's zip file
     * @param evidence one of {@link GoldSentences#KINDS}; empty for a set without released evidence
     * @param annotations the files that say where evidence is
     */
    public record Archive(WebFile file, String evidence, List<WebFile> annotations) implements Origin {
        /** All files. */
        public List<WebFile> files() {
            return Stream.concat(Stream.of(file), annotations.stream()).toList();
        }
    }

    /**
     * A file on a server that is not the Hub.
     *
     * @param address https
     * @param md5 its digest as published, in lower case; empty when nobody published one
     */
    public record WebFile(URI address, String md5) {
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

    /** What results call it. */
    public String name() {
        return card.name();
    }

    /**
     * How the numbers of an opened benchmark differ from those published; null when they do not.
     *
     * @param dataset the benchmark as it was built
     */
    public @Nullable String difference(Dataset dataset) {
        boolean sameQueries = queries == 0 || queries == dataset.queries().size();
        boolean samePassages = passages == 0 || passages == dataset.passages().size();
        return sameQueries && samePassages
                ? null
                : name() + " has " + dataset.queries().size() + " queries and "
                        + dataset.passages().size() + " passages, published are " + queries + " and " + passages;
    }
}
