package io.posbias.score.measure;

import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.data.dataset.Query;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import org.jspecify.annotations.Nullable;

/**
 * Front minus back of two groups of queries, with the thirds of {@link Direction}: whether a model loses more at the back with
 * the one than with the other.
 *
 * @param change second minus first, a contrast of the four means
 */
public record DirectionChange(Estimate first, Estimate second, Estimate change) {
    /**
     * @param values a score per query
     * @param groups two lists of indexes without a common one; queries in no bucket are left out
     * @return null if one of the four thirds has fewer than two clusters or no variance
     */
    public static @Nullable DirectionChange of(
            List<Query> queries, QueryBuckets placement, double[] values, int[][] groups, double confidence) {
        Map<Integer, Double> positions = new HashMap<>();
        int[] placed = Arrays.stream(groups)
                .flatMapToInt(Arrays::stream)
                .filter(query -> placement.bucketsOf(query).length > 0)
                .toArray();
        double[] all = Direction.positions(queries, placement, placed);
        for (int i = 0; i < placed.length; i++) {
            positions.put(placed[i], all[i]);
        }
        int[][] parts = {
            part(groups[0], positions, Direction::isFront), part(groups[0], positions, Direction::isBack),
            part(groups[1], positions, Direction::isFront), part(groups[1], positions, Direction::isBack)
        };
        Clusters clusters = placement.clustering().clusters();
        Estimate first = frontMinusBack(values, parts[0], parts[1], clusters, confidence);
        Estimate second = frontMinusBack(values, parts[2], parts[3], clusters, confidence);
        return first == null || second == null || !Estimate.canContrast(values, parts, clusters)
                ? null
                : new DirectionChange(
                        first,
                        second,
                        Estimate.ofContrast(values, parts, new double[] {-1, 1, 1, -1}, clusters, confidence));
    }

    private static int[] part(int[] group, Map<Integer, Double> positions, DoublePredicate third) {
        return Arrays.stream(group)
                .filter(query -> {
                    Double position = positions.get(query);
                    return position != null && third.test(position);
                })
                .toArray();
    }

    private static @Nullable Estimate frontMinusBack(
            double[] values, int[] front, int[] back, Clusters clusters, double confidence) {
        return Direction.contrast(values, new int[][] {front, back}, new double[] {1, -1}, clusters, confidence);
    }
}
