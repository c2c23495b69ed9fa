package io.posbias.data.convert;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Suggestions;
import io.posbias.data.dataset.DatasetCard;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A published format; {@code data build NAME} and the catalogue follow from it.
 *
 * @param details further lines of help and examples
 * @param converter of the input files and a card; adds the format's buckets to a card without any
 */
public record PublishedFormat(
        String name,
        String description,
        List<String> details,
        String source,
        String citation,
        BiFunction<List<Path>, DatasetCard, Converter> converter) {
    /** Returns all formats in the order of help. */
    public static List<PublishedFormat> all() {
        // Not a constant: these classes use this one in their initializers.
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

    /** @throws PosbiasException if unknown, suggesting the nearest */
    public static PublishedFormat of(String name) {
        return all().stream()
                .filter(format -> format.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new PosbiasException(Suggestions.unknown(
                        "format",
                        name,
                        all().stream().map(PublishedFormat::name).toList())));
    }

    static Path only(List<Path> inputs) {
        if (inputs.size() > 1) {
            throw new UsageException("give --input once, not " + inputs.size() + " times");
        }
        return inputs.getFirst();
    }
}
