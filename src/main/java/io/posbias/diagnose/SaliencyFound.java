package io.posbias.diagnose;

import java.util.List;
import java.util.Map;

/**
 * Saliency of all pairs with one model and method.
 *
 * @param profiles by text of a probe's item; one empty name for benchmarks
 */
public record SaliencyFound(SaliencySettings settings, List<SaliencyMap> maps, Map<String, SaliencyProfile> profiles) {
    /** Number of pairs with a truncated document. */
    int cut() {
        return (int) maps.stream().filter(SaliencyMap::cut).count();
    }

    /** As reference of contrasts. */
    SaliencyProfile.SaliencyBaseline base(String model) {
        return new SaliencyProfile.SaliencyBaseline(model, settings.method(), maps);
    }

    /** The maps of one text of each item. */
    static List<SaliencyMap> of(String text, List<SaliencyMap> maps) {
        return maps.stream().filter(map -> map.pair().text().equals(text)).toList();
    }
}
