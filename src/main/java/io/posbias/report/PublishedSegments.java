package io.posbias.report;

import io.posbias.Configs;
import io.posbias.Fields;
import java.nio.file.Path;
import java.util.List;

/**
 * A row of Table 4 of the SQuAD-PosQ paper (arXiv:2505.13950). Its numbers of passages and its intervals are not printed.
 *
 * @param dataset where the passages are from
 * @param model as the paper calls it
 * @param segments mean cosines of the whole with its beginning, middle and end
 */
public record PublishedSegments(String dataset, String model, List<Double> segments) {
    /** Where it was printed. */
    public static final String SOURCE = "Table 4 of arXiv:2505.13950";

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
                row.text("model"),
                List.of(cosine(row, "full_begin"), cosine(row, "full_middle"), cosine(row, "full_end")));
    }

    private static double cosine(Fields row, String column) {
        return Double.parseDouble(row.text(column));
    }
}
