package io.posbias.data.convert;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Suggestions;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reader of a release's evidence sentences; BEIR's files contain only passages and judgements. */
@FunctionalInterface
public interface GoldSentences {
    /** Readers by the name in {@code --evidence} and the catalogue. */
    Map<String, GoldSentences> KINDS = Collections.unmodifiableMap(new TreeMap<>(Map.of(
            "scifact", ReleasedSentences::sciFact,
            "hotpotqa", ReleasedSentences::hotpotQa,
            "fever", ReleasedSentences::fever,
            "climate-fever", ReleasedSentences::climateFever)));

    /** @param passage identifier or title */
    record Gold(String passage, String text) {}

    /**
     * Returns the sentences by query identifier, in listed order.
     *
     * @param files unpacked
     */
    Map<String, List<Gold>> read(List<Path> files);

    static GoldSentences of(String kind) {
        GoldSentences reader = KINDS.get(kind);
        if (reader == null) {
            throw new UsageException(Suggestions.unknown("evidence", kind, KINDS.keySet()));
        }
        return reader;
    }

    /** Returns the files whose name matches a pattern, at least one. */
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
