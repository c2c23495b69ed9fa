package io.posbias.dataset.convert;

import io.posbias.PosbiasException;
import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.dataset.DatasetCard;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A published format: {@code data build NAME} and the catalogue follow from it.
 *
 * @param description one sentence
 * @param details further lines of help: what is read, and examples
 * @param source where it was published
 * @param citation of its paper
 * @param converter of its files in their order, and a card; one without buckets gets those of the format
 */
public record PublishedFormat(
        String name,
        String description,
        List<String> details,
        String source,
        String citation,
        BiFunction<List<Path>, DatasetCard, Converter> converter) {
    /** All of them, in the order of help. */
    public static List<PublishedFormat> all() {
        // No constant: each of these classes makes its format by this one.
        return List.of(
                SquadConverter.FORMAT,
                FineWebPosqConverter.FORMAT,
                QedConverter.FORMAT,
                PosirConverter.FORMAT,
                EvidenceInferenceConverter.FORMAT,
                SciFactConverter.FORMAT);
    }

    static final String POSQ_CITATION =
            "Zeng et al. 2025, An Empirical Study of Position Bias in Modern Information Retrieval, arXiv:2505.13950";

    /** @throws PosbiasException if there is none of that name, suggesting the nearest */
    public static PublishedFormat of(String name) {
        return all().stream()
                .filter(format -> format.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new PosbiasException(Suggestions.unknown(
                        "format",
                        name,
                        all().stream().map(PublishedFormat::name).toList())));
    }

    /** @throws UsageException if there are several inputs of a format that takes one */
    static Path only(List<Path> inputs) {
        if (inputs.size() > 1) {
            throw new UsageException("give --input once, not " + inputs.size() + " times");
        }
        return inputs.getFirst();
    }
}
