package io.posbias.data.convert;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.data.dataset.RowFile;
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
    private record AbstractRow(
            @Setting(identifier = true) String docId,
            @Setting(usual = "''") String title,

            @Setting(usual = "[]") @JsonProperty("abstract") List<String> sentences) {}

    private record ClaimRow(
            @Setting(identifier = true) String id,
            String claim,
            @Setting(usual = "{}") Map<String, List<Rationale>> evidence) {}

    private record Rationale(@Setting(usual = "[]") List<Integer> sentences, Fields fields) {}

    record Abstract(String title, List<String> sentences) {}

    /** @param rationales sentences of all rationales, in listed order */
    record Claim(String id, String text, List<Place> rationales) {}

    /**
     * @param document identifier of an abstract
     * @param number from 0
     */
    record Place(String document, int number) {}

    /** @throws io.posbias.base.json.BadInputException if a claim names an absent sentence */
    static SciFactRelease read(List<Path> files) {
        Map<String, Abstract> abstracts = new LinkedHashMap<>();
        Path corpus =
                GoldSentences.named(files, "corpus\\.jsonl", "corpus.jsonl").getFirst();
        RowFile.open(corpus).forEach(fields -> {
            AbstractRow row = Json.row(fields, AbstractRow.class);
            abstracts.put(row.docId, new Abstract(row.title.strip(), row.sentences));
        });
        List<Claim> claims = new ArrayList<>();
        for (Path split : GoldSentences.named(files, "claims_.*\\.jsonl", "claims_*.jsonl")) {
            RowFile.open(split).forEach(fields -> {
                ClaimRow row = Json.row(fields, ClaimRow.class);
                claims.add(new Claim(row.id, row.claim, places(row.evidence, abstracts)));
            });
        }
        return new SciFactRelease(abstracts, claims);
    }

    private static List<Place> places(Map<String, List<Rationale>> evidence, Map<String, Abstract> abstracts) {
        List<Place> places = new ArrayList<>();
        evidence.forEach((document, rationales) -> {
            Abstract own = abstracts.getOrDefault(document, new Abstract("", List.of()));
            for (Rationale rationale : rationales) {
                for (int number : rationale.sentences) {
                    if (number < 0 || number >= own.sentences().size()) {
                        throw rationale.fields.bad(
                                "sentences",
                                "names sentence " + number + " of abstract " + document + ", which has "
                                        + own.sentences().size(),
                                "claims and corpus must be of the same release");
                    }
                    places.add(new Place(document, number));
                }
            }
        });
        return places;
    }
}
