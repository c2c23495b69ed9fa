package io.posbias.study.probe.rag;

import io.posbias.base.files.Checksums;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.study.probe.NumpyPermutation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Queries with both foil and poison, so that all documents are read for the same queries; all queries with a foil if the folder
 * has no poison.
 *
 * @param items in the order of {@code foil.jsonl}, or of the draw
 * @param withoutPoison queries left out
 * @param candidates queries with both
 * @param poisonBy sources of the wrong answers
 */
public record RagSample(
        List<RagItem> items,
        int withoutPoison,
        int candidates,
        List<String> poisonBy,
        SequencedMap<String, String> sha256) {
    /**
     * Reads the probes of a folder.
     *
     * @param n number of queries to draw; null for all
     * @param seed of the draw, as in {@code numpy.random.RandomState}
     * @throws UsageException if a file is missing
     * @throws PosbiasException if the files do not match or share no query
     */
    public static RagSample read(Path folder, @Nullable Integer n, int seed) {
        SequencedMap<String, String> digests = new LinkedHashMap<>();
        Path foilFile = folder.resolve("foil.jsonl");
        Path poisonFile = folder.resolve("poison.jsonl");
        if (!Files.isRegularFile(foilFile)) {
            throw new UsageException(
                    folder + " holds no foil.jsonl: 'posbias probe build redocred --probe foil,poison' makes it");
        }
        digests.put("foil.jsonl", Checksums.sha256(foilFile));
        Map<String, RagItem.RagLine> foils = RagItem.RagLine.read(foilFile);
        boolean poisoned = Files.isRegularFile(poisonFile);
        if (poisoned) {
            digests.put("poison.jsonl", Checksums.sha256(poisonFile));
        }
        Map<String, RagItem.RagLine> poisons = poisoned ? RagItem.RagLine.read(poisonFile) : Map.of();
        List<RagItem> both = new ArrayList<>();
        TreeSet<String> poisonBy = new TreeSet<>();
        foils.forEach((id, foil) -> {
            RagItem.RagLine poison = poisons.get(id);
            if (poison != null || !poisoned) {
                both.add(RagItem.of(foil, poison));
            }
            if (poison != null) {
                poisonBy.add(poison.tags().poisonBy());
            }
        });
        if (both.isEmpty()) {
            throw new PosbiasException("no query of " + folder + " has a foil and a poison");
        }
        acceptAll(both);
        List<RagItem> drawn = n == null ? both : NumpyPermutation.draw(both, n, seed);
        return new RagSample(drawn, foils.size() - both.size(), both.size(), List.copyOf(poisonBy), digests);
    }

    /** Different articles may answer a question differently: each of its answers is right. */
    private static void acceptAll(List<RagItem> items) {
        Map<String, SequencedSet<String>> golds = new HashMap<>();
        items.forEach(item -> golds.computeIfAbsent(item.query(), none -> new LinkedHashSet<>())
                .add(item.gold()));
        items.replaceAll(item -> item.withGold(String.join(" or ", Objects.requireNonNull(golds.get(item.query())))));
    }
}
