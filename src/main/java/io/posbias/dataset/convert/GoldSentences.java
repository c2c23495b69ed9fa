package io.posbias.dataset.convert;

import io.posbias.PosbiasException;
import io.posbias.Suggestions;
import io.posbias.UsageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads which sentences are the evidence of a query from the files that the authors of a set in BEIR released: BEIR's own
 * files have passages and judgements only.
 */
@FunctionalInterface
public interface GoldSentences {
    /** The sets whose releases can be read, by what {@code --evidence} and the catalogue call them. */
    Map<String, GoldSentences> KINDS = new TreeMap<>(Map.of(
            "scifact", ReleasedSentences::sciFact,
            "hotpotqa", ReleasedSentences::hotpotQa,
            "fever", ReleasedSentences::fever,
            "climate-fever", ReleasedSentences::climateFever));

    /**
     * A sentence of evidence.
     *
     * @param passage identifier or title of the passage that has it
     * @param text the sentence as released
     */
    record Gold(String passage, String text) {}

    /**
     * The sentences of each query, by its identifier, in the order in which they are listed.
     *
     * @param files as released, archives unpacked
     */
    Map<String, List<Gold>> read(List<Path> files);

    /**
     * The reader of a set.
     *
     * @throws UsageException if there is none, suggesting the nearest
     */
    static GoldSentences of(String kind) {
        GoldSentences reader = KINDS.get(kind);
        if (reader == null) {
            throw new UsageException(Suggestions.unknown("evidence", kind, KINDS.keySet()));
        }
        return reader;
    }

    /** Those of the files whose name fits a pattern; at least one must. */
    static List<Path> named(List<Path> files, String pattern, String words) {
        List<Path> found = files.stream()
                .filter(file -> String.valueOf(file.getFileName()).matches(pattern))
                .toList();
        if (found.isEmpty()) {
            throw new PosbiasException("no " + words + " among the released files ("
                    + files.stream()
                            .map(file -> String.valueOf(file.getFileName()))
                            .collect(Collectors.joining(", "))
                    + "); give those of the original release");
        }
        return found;
    }
}
