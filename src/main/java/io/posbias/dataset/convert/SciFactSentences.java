package io.posbias.dataset.convert;

import io.posbias.Fields;
import io.posbias.dataset.RowFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * SciFact's release ({@code data.tar.gz}: corpus.jsonl with abstracts as lists of sentences, claims_*.jsonl with the numbers of
 * the sentences of each rationale). Wadden et al. 2020, arXiv:2004.14974. BEIR's test queries are its development claims.
 */
final class SciFactSentences implements GoldSentences {
    @Override
    public Map<String, List<Gold>> read(List<Path> files) {
        Map<String, List<String>> abstracts = new HashMap<>();
        Path corpus =
                GoldSentences.named(files, "corpus\\.jsonl", "corpus.jsonl").getFirst();
        RowFile.open(corpus).forEach(row -> abstracts.put(row.id("doc_id"), row.texts("abstract")));
        Map<String, List<Gold>> gold = new HashMap<>();
        for (Path claims : GoldSentences.named(files, "claims_.*\\.jsonl", "claims_*.jsonl")) {
            RowFile.open(claims).forEach(row -> gold.put(row.id("id"), of(row.record("evidence"), abstracts)));
        }
        return gold;
    }

    private static List<Gold> of(Fields evidence, Map<String, List<String>> abstracts) {
        List<Gold> gold = new ArrayList<>();
        for (String document : evidence.names()) {
            List<String> sentences = abstracts.getOrDefault(document, List.of());
            for (Fields rationale : evidence.records(document)) {
                for (int number : rationale.integers("sentences")) {
                    if (number < 0 || number >= sentences.size()) {
                        throw rationale.bad(
                                "sentences",
                                "names sentence " + number + " of abstract " + document + ", which has "
                                        + sentences.size(),
                                "claims and corpus must be of the same release");
                    }
                    gold.add(new Gold(document, sentences.get(number)));
                }
            }
        }
        return gold;
    }
}
