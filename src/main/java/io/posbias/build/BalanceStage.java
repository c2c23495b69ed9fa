package io.posbias.build;

import io.posbias.Fields;
import io.posbias.Plural;
import io.posbias.build.text.BoundedDraw;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Draws the same number of candidates of each class. Settings:
 *
 * <ul>
 *   <li>{@code by}: [position] (default), or [bucket, position]: what makes a class
 *   <li>{@code n} of each class; absent: as many as the smallest class has, as FineWeb-PosQ does (arXiv:2505.13950, section 3.2)
 *   <li>{@code seed} of the draw, which the paper does not say
 * </ul>
 */
final class BalanceStage implements Stage {
    private final Fields settings;
    private final List<String> by;
    private final Optional<Integer> n;

    BalanceStage(Fields settings) {
        settings.refuseOthers(List.of("by", "n", "seed"));
        this.settings = settings;
        this.by = settings.has("by") ? settings.texts("by") : List.of(Candidate.POSITION);
        if (by.isEmpty() || !Set.of(Candidate.BUCKET, Candidate.POSITION).containsAll(by)) {
            throw settings.bad("by", "is " + by, "it is [position] or [bucket, position]");
        }
        this.n = settings.has("n") ? Optional.of(settings.positive("n")) : Optional.empty();
    }

    @Override
    public Set<String> needs() {
        return Set.copyOf(by);
    }

    @Override
    public Forecast forecast(Forecast before, Workshop workshop) {
        return Forecast.of(before.candidates());
    }

    @Override
    public void run(Candidates candidates, StageSink out, Workshop workshop) {
        Map<String, Long> classes = new TreeMap<>();
        candidates.forEach(candidate -> classes.merge(classOf(candidate), 1L, Long::sum));
        out.note("classes", classes);
        long share = n.map(Integer::longValue)
                .orElseGet(() -> classes.values().stream()
                        .mapToLong(Long::longValue)
                        .min()
                        .orElse(0));
        out.note("share", share);
        say(classes, share, workshop);
        BitSet drawn = draw(candidates, classes.keySet(), share, workshop.seed(settings));
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

    private void say(Map<String, Long> classes, long share, Workshop workshop) {
        classes.forEach((name, count) -> {
            if (count < share) {
                workshop.session()
                        .say("balance: class " + name + " has " + Plural.of(count, "candidate") + " of " + share);
            }
        });
        if (by.equals(List.of(Candidate.POSITION)) && classes.size() < Candidate.POSITIONS.size()) {
            workshop.session()
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
