package io.posbias.study.build;

import io.posbias.base.json.Setting;
import io.posbias.base.text.Plural;
import io.posbias.study.build.text.BoundedDraw;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Draws the same number of candidates from each class.
 *
 * @param by fields that make the classes: [position] or [bucket, position]
 * @param n per class; null: the size of the smallest class, as in FineWeb-PosQ (arXiv:2505.13950, section 3.2)
 * @param seed of the draw
 */
record BalanceStage(
        @Setting(usual = "[position]") List<String> by,
        @Setting(least = 1) @Nullable Integer n,
        @Nullable Integer seed) implements Stage {
    BalanceStage {
        if (by.isEmpty() || !Set.of(Candidate.BUCKET, Candidate.POSITION).containsAll(by)) {
            throw new Setting.Wrong("by", "is " + by, "it is [position] or [bucket, position]");
        }
    }

    @Override
    public Set<String> requiredFields() {
        return Set.copyOf(by);
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        Map<String, Long> classes = new TreeMap<>();
        candidates.forEach(candidate -> classes.merge(classOf(candidate), 1L, Long::sum));
        out.note("classes", classes);
        long share = n != null
                ? n
                : classes.values().stream().mapToLong(Long::longValue).min().orElse(0);
        out.note("share", share);
        say(classes, share, context);
        BitSet drawn = draw(candidates, classes.keySet(), share, context.seed(seed));
        int[] ordinal = {0};
        candidates.forEach(candidate -> {
            if (drawn.get(ordinal[0]++)) {
                out.keep(candidate);
            } else {
                out.drop(candidate, "over the class's share");
            }
        });
    }

    private BitSet draw(Candidates candidates, Set<String> classes, long share, long seed) {
        Map<String, BoundedDraw<Integer>> draws =
                classes.stream().collect(Collectors.toMap(name -> name, name -> new BoundedDraw<>(seed, share)));
        int[] ordinal = {0};
        candidates.forEach(candidate ->
                Objects.requireNonNull(draws.get(classOf(candidate))).add(candidate.id(), ordinal[0]++));
        BitSet drawn = new BitSet();
        draws.values().forEach(draw -> draw.drawn().forEach(drawn::set));
        return drawn;
    }

    private void say(Map<String, Long> classes, long share, StageContext context) {
        classes.forEach((name, count) -> {
            if (count < share) {
                context.session()
                        .say("balance: class " + name + " has " + Plural.of(count, "candidate") + " of " + share);
            }
        });
        if (by.equals(List.of(Candidate.POSITION)) && classes.size() < Candidate.POSITIONS.size()) {
            context.session()
                    .say("balance: no candidate is at the "
                            + Candidate.POSITIONS.stream()
                                    .filter(position -> !classes.containsKey(position))
                                    .collect(Collectors.joining(" or the ")));
        }
    }

    private String classOf(Candidate candidate) {
        return by.stream().map(candidate::text).collect(Collectors.joining("/"));
    }
}
