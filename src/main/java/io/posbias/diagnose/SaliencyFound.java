package io.posbias.diagnose;

import java.util.List;
import java.util.Map;

/**
 * Saliency of all pairs with one model and method.
 *
 * @param profiles by text of a probe's item; of the one empty name elsewhere
 */
public record SaliencyFound(SaliencySettings settings, List<SaliencyMap> maps, Map<String, SaliencyProfile> profiles) {
    /** How many pairs have a document of which the model reads a part. */
    int cut() {
        return (int) maps.stream().filter(SaliencyMap::cut).count();
    }

    /** As what others are contrasted with. */
    SaliencyProfile.SaliencyBaseline base(String model) {
        return new SaliencyProfile.SaliencyBaseline(model, settings.method(), maps);
    }

    /** The maps of one text of each item. */
    static List<SaliencyMap> of(String text, List<SaliencyMap> maps) {
        return maps.stream().filter(map -> map.pair().text().equals(text)).toList();
    }
}
