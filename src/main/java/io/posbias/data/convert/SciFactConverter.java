package io.posbias.data.convert;

import io.posbias.base.files.Staging;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * SciFact's release: every abstract is a passage of sentences joined by spaces; every claim with a rationale is a
 * query, and the abstracts of its rationales are relevant. Its evidence is the first listed sentence, located by its
 * index.
 *
 * @param inputs folder, archive or files
 */
record SciFactConverter(List<Path> inputs, DatasetCard card) implements Converter {
    static final PublishedFormat FORMAT = new PublishedFormat(
            "scifact",
            "Convert SciFact's own release: claims on abstracts of papers.",
            List.of(
                    "The release has corpus.jsonl and claims_*.jsonl: --input is its folder, data.tar.gz, or each file. Every claim with evidence is a query; positions are those of the first listed sentence of its first rationale.",
                    "",
                    "Example:",
                    "  posbias data build scifact --input data.tar.gz --out scifact"),
            "allenai/scifact",
            "Wadden et al. 2020, Fact or Fiction: Verifying Scientific Claims, arXiv:2004.14974",
            (files, card) -> new SciFactConverter(files, card.bucketed()));

    private record Layout(String text, List<Integer> ends) {
        static Layout of(List<String> sentences) {
            List<Integer> ends = new ArrayList<>();
            int end = -1;
            for (String sentence : sentences) {
                end += 1 + CodePoints.count(sentence.strip());
                ends.add(end);
            }
            return new Layout(
                    String.join(" ", sentences.stream().map(String::strip).toList()), ends);
        }

        Evidence evidence(int sentence) {
            int start = sentence == 0 ? 0 : ends.get(sentence - 1) + 1;
            return Evidence.of(start, ends.get(sentence), ends.getLast());
        }
    }

    @Override
    public DatasetCard convert(DatasetWriter out) {
        Path scratch = out.folder().resolve("unpacked");
        try {
            SciFactRelease release = SciFactRelease.read(Archives.files(inputs, scratch));
            Map<String, Layout> layouts = new HashMap<>();
            release.abstracts().forEach((id, document) -> {
                Layout layout = Layout.of(document.sentences());
                layouts.put(id, layout);
                out.passage(new Passage(id, document.title(), layout.text()));
            });
            List<SciFactRelease.Claim> claims = release.claims().stream()
                    .filter(claim -> !claim.rationales().isEmpty())
                    .toList();
            claims.forEach(claim -> write(claim, layouts, out));
            note(release, claims, out);
            return card;
        } finally {
            Staging.delete(scratch);
        }
    }

    private static void write(SciFactRelease.Claim claim, Map<String, Layout> layouts, DatasetWriter out) {
        List<String> documents = claim.rationales().stream()
                .map(SciFactRelease.Place::document)
                .distinct()
                .toList();
        SciFactRelease.Place first = claim.rationales().getFirst();
        Evidence evidence =
                Objects.requireNonNull(layouts.get(first.document())).evidence(first.number());
        out.query(new Query(claim.id(), claim.text(), evidence, documents.size() > 1 ? first.document() : null));
        documents.forEach(document -> out.judgment(claim.id(), document, 1));
    }

    private static void note(SciFactRelease release, List<SciFactRelease.Claim> claims, DatasetWriter out) {
        if (claims.isEmpty()) {
            throw new PosbiasException("no claim of the release has evidence; that of claims_test.jsonl is not public");
        }
        int without = release.claims().size() - claims.size();
        long several =
                claims.stream().filter(claim -> claim.rationales().size() > 1).count();
        if (without > 0) {
            out.note(Plural.of(without, "claim") + " without evidence left out");
        }
        if (several > 0) {
            out.note("of " + Plural.of(several, "query") + " with several sentences the first listed counts");
        }
    }
}
