package io.posbias.dataset.convert;

import io.posbias.Fields;
import io.posbias.dataset.RowFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * SciFact's release ({@code data.tar.gz}; Wadden et al. 2020, arXiv:2004.14974): corpus.jsonl with abstracts as
 * sentences, claims_*.jsonl with rationales as sentence indices.
 *
 * @param abstracts by identifier, in file order
 * @param claims in file order, including claims without evidence
 */
record SciFactRelease(Map<String, Abstract> abstracts, List<Claim> claims) {
    record Abstract(String title, List<String> sentences) {}

    /** @param rationales sentences of all rationales, in listed order */
    record Claim(String id, String text, List<Place> rationales) {}

    /**
     * @param document identifier of an abstract
     * @param number from 0
     */
    record Place(String document, int number) {}

    /** @throws io.posbias.BadInputException if a claim names an absent sentence */
    static SciFactRelease read(List<Path> files) {
        Map<String, Abstract> abstracts = new LinkedHashMap<>();
        Path corpus =
                GoldSentences.named(files, "corpus\\.jsonl", "corpus.jsonl").getFirst();
        RowFile.open(corpus)
                .forEach(row -> abstracts.put(
                        row.id("doc_id"), new Abstract(row.text("title", "").strip(), row.texts("abstract"))));
        List<Claim> claims = new ArrayList<>();
        for (Path split : GoldSentences.named(files, "claims_.*\\.jsonl", "claims_*.jsonl")) {
            RowFile.open(split)
                    .forEach(row -> claims.add(
                            new Claim(row.id("id"), row.text("claim"), places(row.record("evidence"), abstracts))));
        }
        return new SciFactRelease(abstracts, claims);
    }

    private static List<Place> places(Fields evidence, Map<String, Abstract> abstracts) {
        List<Place> places = new ArrayList<>();
        for (String document : evidence.names()) {
            Abstract own = abstracts.getOrDefault(document, new Abstract("", List.of()));
            for (Fields rationale : evidence.records(document)) {
                for (int number : rationale.integers("sentences")) {
                    if (number < 0 || number >= own.sentences().size()) {
                        throw rationale.bad(
                                "sentences",
                                "names sentence " + number + " of abstract " + document + ", which has "
                                        + own.sentences().size(),
                                "claims and corpus must be of the same release");
                    }
                    places.add(new Place(document, number));
                }
            }
        }
        return places;
    }
}
