package io.posbias.run.experiment;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.data.convert.Catalog;
import io.posbias.run.Cells;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A share of an experiment's cells. Shares depend on the experiment alone, so that processes take different cells without
 * talking to each other and a restarted share takes the same cells.
 *
 * @param number from 1
 */
public record Shard(int number, int of) {
    private static final Pattern WORDS = Pattern.compile("([0-9]{1,6})/([0-9]{1,6})");

    /**
     * Parses a value like {@code 3/16}.
     *
     * @throws UsageException if it is not a share
     */
    public static Shard parse(String words) {
        Matcher matcher = WORDS.matcher(words);
        if (matcher.matches()) {
            Shard shard = new Shard(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
            if (shard.number >= 1 && shard.number <= shard.of) {
                return shard;
            }
        }
        throw new UsageException(
                "--shard must be a share and the number of shares, 1/16 to 16/16, not " + Printable.quoted(words));
    }

    @Override
    public String toString() {
        return number + "/" + of;
    }

    /** Returns the cells of this share, in their order. */
    public ExperimentCells share(ExperimentCells cells, Path home) {
        return all(cells, of, home).get(number - 1);
    }

    /**
     * Divides cells into shares, each in the order of the cells. Cells of a model that encodes the same corpus stay together, since
     * apart each would encode it. Groups of them go, the most expensive first, to the share with the lowest cost so far (longest
     * processing time first, Graham 1969); ties go to the share of the lowest number.
     */
    static List<ExperimentCells> all(ExperimentCells cells, int of, Path home) {
        double[] loads = new double[of];
        IdentityHashMap<Cells.Job, Integer> shares = new IdentityHashMap<>();
        for (CellGroup group : groups(cells.list(), home)) {
            int least = 0;
            for (int share = 1; share < of; share++) {
                least = loads[share] < loads[least] ? share : least;
            }
            loads[least] += group.cost();
            for (Cells.Job cell : group.cells) {
                shares.put(cell, least);
            }
        }
        Map<Integer, List<Cells.Job>> divided =
                cells.list().stream().collect(Collectors.groupingBy(cell -> Objects.requireNonNull(shares.get(cell))));
        return IntStream.range(0, of)
                .mapToObj(share -> new ExperimentCells(divided.getOrDefault(share, List.of())))
                .toList();
    }

    private static final class CellGroup {
        private final String name;
        private final List<Cells.Job> cells = new ArrayList<>();
        private double shared;
        private double own;

        CellGroup(String name) {
            this.name = name;
        }

        double cost() {
            return shared + own;
        }

        String name() {
            return name;
        }
    }

    private static List<CellGroup> groups(List<Cells.Job> cells, Path home) {
        CellCosts costs = new CellCosts(home);
        Catalog catalog = Catalog.read();
        Map<String, BenchmarkSize> sizes = new HashMap<>();
        Map<String, CellGroup> groups = new LinkedHashMap<>();
        for (Cells.Job cell : cells) {
            CellCost cost = cost(cell, costs, catalog, sizes);
            CellGroup group = groups.computeIfAbsent(cell.recipe().name() + " on " + cost.corpus(), CellGroup::new);
            group.cells.add(cell);
            group.shared = Math.max(group.shared, cost.shared());
            group.own += cost.own();
        }
        return groups.values().stream()
                .sorted(Comparator.comparingDouble(CellGroup::cost).reversed().thenComparing(CellGroup::name))
                .toList();
    }

    private static CellCost cost(Cells.Job cell, CellCosts costs, Catalog catalog, Map<String, BenchmarkSize> sizes) {
        String benchmark = cell.source().name();
        try {
            CellCost cost = costs.of(
                    cell.recipe(), sizes.computeIfAbsent(benchmark, name -> BenchmarkSize.of(cell.source(), catalog)));
            return cost.shared() > 0 ? cost : cost.alone(benchmark);
        } catch (PosbiasException wouldFail) {
            return new CellCost(benchmark, 0, 0, 0, 0, 0);
        }
    }
}
