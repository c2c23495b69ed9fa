package io.posbias.table;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A profile in a line of text, one character a bucket. Bars begin at 0 and end at the highest mean of the row, so the
 * lowest bar shows PSI at its true size, and a profile that is flat but for noise looks flat: between the row's least and
 * greatest mean any profile would look steep.
 */
final class Sparkline {
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";
    private static final String DIGITS = "12345678";

    private Sparkline() {}

    /**
     * The line of some means.
     *
     * @param means null for a bucket without queries, which stays blank
     * @param blocks whether to draw blocks; digits from 1 to 8 otherwise
     */
    static String of(List<@Nullable Double> means, boolean blocks) {
        double highest = means.stream()
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        String levels = blocks ? BLOCKS : DIGITS;
        StringBuilder line = new StringBuilder();
        for (Double mean : means) {
            line.append(mean == null ? ' ' : levels.charAt(level(mean, highest)));
        }
        return line.toString();
    }

    private static int level(double mean, double highest) {
        return highest > 0 ? (int) Math.round(mean / highest * (BLOCKS.length() - 1)) : 0;
    }

    /** What a table that has such lines says of them. */
    static String note(boolean blocks) {
        return "curve: means by bucket, each row from 0 to its highest" + (blocks ? "" : " (1 to 8)");
    }
}
