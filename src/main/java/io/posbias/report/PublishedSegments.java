package io.posbias.report;

import io.posbias.Configs;
import io.posbias.Fields;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A row of Table 4 of the SQuAD-PosQ paper (arXiv:2505.13950). It prints no intervals.
 *
 * @param dataset where the passages are from
 * @param words how many words they have, as its appendix A.4 says
 * @param model as the paper calls it
 * @param segments mean cosines of the whole with its beginning, middle and end
 */
public record PublishedSegments(String dataset, String words, String model, List<Double> segments) {
    /** Where it was printed. */
    public static final String SOURCE = "Table 4 of arXiv:2505.13950";

    /** Passages of each benchmark, by the same appendix. */
    static final int PASSAGES = 10_000;

    private static final Map<String, String> WORDS = Map.of("SQuAD v2", "100-512", "FineWeb-Edu", "200-500");

    private static final String FILE = "data/published/posq-table4-segment-cosine.csv";

    /** Copies the list. */
    public PublishedSegments {
        segments = List.copyOf(segments);
    }

    /** All rows, in the paper's order. */
    public static List<PublishedSegments> rows() {
        return CsvRows.read(Path.of(FILE), Configs.read(FILE)).stream()
                .map(PublishedSegments::row)
                .toList();
    }

    private static PublishedSegments row(Fields row) {
        return new PublishedSegments(
                row.text("dataset"),
                Objects.requireNonNull(WORDS.get(row.text("dataset")), "appendix A.4 names two"),
                row.text("model"),
                List.of(cosine(row, "full_begin"), cosine(row, "full_middle"), cosine(row, "full_end")));
    }

    private static double cosine(Fields row, String column) {
        return row.parsedNumber(column);
    }
}
