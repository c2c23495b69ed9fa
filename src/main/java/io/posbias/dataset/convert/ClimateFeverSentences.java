package io.posbias.dataset.convert;

import io.posbias.dataset.RowFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Climate-FEVER's release ({@code climate-fever-dataset-r1.jsonl}): claims with sentences of articles and what they say of the
 * claim. Diggelmann et al. 2020, arXiv:2012.00614. The sentences are from whole articles, BEIR's passages are their
 * introductions: many sentences are in no passage.
 */
final class ClimateFeverSentences implements GoldSentences {
    /** Sentences that decide nothing are no evidence. */
    private static final Set<String> DECIDING = Set.of("SUPPORTS", "REFUTES");

    @Override
    public Map<String, List<Gold>> read(List<Path> files) {
        Map<String, List<Gold>> gold = new HashMap<>();
        for (Path file : GoldSentences.named(files, ".*\\.jsonl(\\.gz)?", "climate-fever-dataset-r1.jsonl")) {
            RowFile.open(file)
                    .forEach(row -> gold.put(
                            row.id("claim_id"),
                            row.records("evidences").stream()
                                    .filter(evidence -> DECIDING.contains(evidence.text("evidence_label")))
                                    .map(evidence -> new Gold(evidence.text("article"), evidence.text("evidence")))
                                    .toList()));
        }
        return gold;
    }
}
