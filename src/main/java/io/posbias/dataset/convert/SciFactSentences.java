package io.posbias.dataset.convert;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The sentences of {@link SciFactRelease}. BEIR's test queries are its development claims. */
final class SciFactSentences implements GoldSentences {
    @Override
    public Map<String, List<Gold>> read(List<Path> files) {
        SciFactRelease release = SciFactRelease.read(files);
        return release.claims().stream()
                .collect(Collectors.toMap(
                        SciFactRelease.Claim::id,
                        claim -> claim.rationales().stream()
                                .map(place -> new Gold(place.document(), sentence(release, place)))
                                .toList(),
                        (one, other) -> other));
    }

    private static String sentence(SciFactRelease release, SciFactRelease.Place place) {
        SciFactRelease.Abstract document = release.abstracts().get(place.document());
        return document == null ? "" : document.sentences().get(place.number());
    }
}
