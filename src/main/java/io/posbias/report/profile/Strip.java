package io.posbias.report.profile;

import io.posbias.base.table.NumberFormat;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Truncation;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A passage from its beginning to its end as a row of cells, each with the mean of the queries whose evidence is in it: the
 * places of the content-fixed result if the profile has one, else the position buckets.
 *
 * @param isFixed true for the same evidence at all places, false for the evidence of other queries in each bucket
 * @param cells empty without evidence positions
 */
public record Strip(boolean isFixed, List<Cell> cells) {
    private static final String HEIGHTS = "▁▂▃▄▅▆▇█";
    private static final char UNREAD = '/';
    private static final char EMPTY = ' ';
    private static final char EDGE = '|';

    /** Characters of a cell in {@link #line}. */
    private static final int WIDTH = 2;

    /**
     * A place of the evidence.
     *
     * @param label number of the place, from 1, or name of the bucket
     * @param mean a fraction; at places adjusted for controls, so that it can be a little beyond 0 and 1; null for an empty bucket
     * @param unread share of the queries whose evidence begins past what the model reads, in [0, 1]; null if unknown
     */
    public record Cell(
            String label, @Nullable Double mean, @Nullable Double unread) {
        /** The share that pictures hatch: 0 if it is unknown. */
        public double hatched() {
            return mean == null || unread == null ? 0 : unread;
        }

        private String text() {
            return label + ": " + NumberFormat.POINTS.print(mean)
                    + (hatched() > 0 ? " (" + NumberFormat.PERCENT.print(hatched(), 0) + " not read)" : "");
        }

        private String characters() {
            if (mean == null) {
                return String.valueOf(EMPTY).repeat(WIDTH);
            }
            int level = Math.clamp((int) (mean * HEIGHTS.length()), 0, HEIGHTS.length() - 1);
            int slashes = (int) Math.round(WIDTH * hatched());
            return HEIGHTS.substring(level, level + 1).repeat(WIDTH - slashes)
                    + String.valueOf(UNREAD).repeat(slashes);
        }
    }

    public Strip {
        cells = List.copyOf(cells);
    }

    /** Makes the strip of a profile of a result. Truncation by bucket is known for all queries, not for bands of length. */
    public static Strip of(Result result, Profile profile) {
        ContentFixed fixed = profile.contentFixed();
        return fixed == null
                ? ofBuckets(result, profile)
                : new Strip(
                        true,
                        fixed.places().stream()
                                .map(place -> new Cell(String.valueOf(place.place()), place.mean(), place.unread()))
                                .toList());
    }

    /** Makes the strip of a profile's position buckets. */
    public static Strip ofBuckets(Result result, Profile profile) {
        List<Cell> cells = new ArrayList<>();
        for (int bucket = 0; bucket < profile.buckets().size(); bucket++) {
            BucketMean own = profile.buckets().get(bucket);
            cells.add(new Cell(own.bucket(), own.mean(), unread(result, profile, bucket)));
        }
        return new Strip(false, cells);
    }

    /** The unread share of a bucket, of the model that reads the least if there are several. */
    private static @Nullable Double unread(Result result, Profile profile, int bucket) {
        List<Truncation> all = result.retrieval().truncations();
        BucketMean own = profile.buckets().get(bucket);
        boolean isKnown = all.isEmpty()
                ? result.isOfRecipe()
                : profile.stratum().equals(Strata.ALL)
                        && all.stream()
                                .allMatch(truncation -> truncation.known()
                                        && truncation.buckets().size()
                                                == profile.buckets().size()
                                        && truncation
                                                .buckets()
                                                .get(bucket)
                                                .bucket()
                                                .equals(own.bucket()));
        if (!isKnown || own.queries() == 0) {
            return null;
        }
        int unread = all.stream()
                .mapToInt(truncation -> truncation.buckets().get(bucket).startsPast())
                .max()
                .orElse(0);
        return Math.min(1, (double) unread / own.queries());
    }

    /** Returns true if some evidence is not read. */
    public boolean isHatched() {
        return cells.stream().anyMatch(cell -> cell.hatched() > 0);
    }

    /**
     * Prints the strip for a terminal: two characters a cell between two bars, their height the mean from 0 to 1. A slash stands
     * for each half of the evidence that is not read, spaces for an empty bucket; {@code |▇▇▅▅▄▄▄///|}. Empty without cells.
     */
    public String line() {
        return cells.isEmpty()
                ? ""
                : cells.stream().map(Cell::characters).collect(Collectors.joining("", EDGE + "", EDGE + ""));
    }

    /** Prints the numbers in points for readers who do not see a picture: {@code 0-20%: 91.0, 20-40%: 29.0 (78% not read)}. */
    public String text() {
        return cells.stream().map(Cell::text).collect(Collectors.joining(", "));
    }
}
