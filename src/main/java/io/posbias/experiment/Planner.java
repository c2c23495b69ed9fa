package io.posbias.experiment;

import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.Session;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.convert.Catalog;
import io.posbias.evaluate.EarlierCell;
import io.posbias.evaluate.LazyDataset;
import io.posbias.result.ResultFolder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Plans cells: what is finished, what the others take, and how long. Downloads nothing and writes no result. */
public final class Planner {
    private static final String MISSING = "missing";

    private final BiFunction<String, String, ResultFolder> folder;
    private final @Nullable Double flopsPerSecond;
    private final PlanWorkers workers;
    private final Session session;
    private final CountedTexts counted = new CountedTexts();
    private final Catalog catalog = Catalog.read();
    private final Map<String, LazyDataset> opened = new HashMap<>();
    private final Map<String, Double> loading = new HashMap<>();

    /**
     * @param folder where a cell's files are, by the names of benchmark and model
     * @param flopsPerSecond of a worker; null to measure models that are here
     * @param workers whom time is told for
     */
    public Planner(
            BiFunction<String, String, ResultFolder> folder,
            @Nullable Double flopsPerSecond,
            PlanWorkers workers,
            Session session) {
        this.folder = folder;
        this.flopsPerSecond = flopsPerSecond;
        this.workers = workers;
        this.session = session;
    }

    /** Plans cells, one model after another; they come back in their own order. */
    public List<PlannedCell> plan(List<Cell> cells) {
        Map<Cell, String> states = new LinkedHashMap<>();
        Map<String, List<Cell>> missing = new LinkedHashMap<>();
        for (Cell cell : cells) {
            String state = state(cell);
            states.put(cell, state);
            if (state.startsWith(MISSING)) {
                missing.computeIfAbsent(cell.recipe().name() + "\n" + cell.firstStage(), model -> new ArrayList<>())
                        .add(cell);
            }
        }
        Map<Cell, PlannedCell> planned = new HashMap<>();
        List<List<Cell>> models = List.copyOf(missing.values());
        for (int i = 0; i < models.size(); i++) {
            plan(models.get(i), states, planned);
            counted.keep(models.subList(i + 1, models.size()).stream()
                    .map(model -> model.getFirst().recipe()));
        }
        return cells.stream()
                .map(cell ->
                        planned.getOrDefault(cell, PlannedCell.nothing(cell, Objects.requireNonNull(states.get(cell)))))
                .toList();
    }

    /**
     * What a run would do with a cell; a benchmark that is not here is not pulled to find out.
     * What is wrong with one that would fail is said, whole.
     */
    private String state(Cell cell) {
        if (!cell.source().isHere().getAsBoolean()) {
            return MISSING + "; the dataset would be pulled";
        }
        try {
            return cell.runner()
                    .usable(
                            cell.recipe(),
                            lazy(cell),
                            folder.apply(cell.source().name(), cell.recipe().name()))
                    .map(Planner::state)
                    .orElse(MISSING);
        } catch (PosbiasException failure) {
            session.say(Printable.line(cell.name() + ": " + failure.line()));
            return "would fail";
        }
    }

    private static String state(EarlierCell earlier) {
        return earlier.use() == EarlierCell.Use.SHOW ? "finished" : earlier.serves() ? "run there" : MISSING;
    }

    private LazyDataset lazy(Cell cell) {
        LazyDataset known = opened.get(cell.source().name());
        if (known == null) {
            Session.Timed<LazyDataset> timed = session.time(() -> cell.source().lazy(session.progress()));
            known = timed.result();
            opened.put(cell.source().name(), known);
            loading.put(cell.source().name(), timed.seconds());
        }
        return known;
    }

    private Dataset dataset(Cell cell) {
        Session.Timed<Dataset> timed = session.time(() -> lazy(cell).open());
        loading.merge(cell.source().name(), timed.seconds(), Double::sum);
        return timed.result();
    }

    private static boolean isHere(Cell cell) {
        return cell.source().isHere().getAsBoolean();
    }

    /** Cells of one model. */
    private void plan(List<Cell> cells, Map<Cell, String> states, Map<Cell, PlannedCell> planned) {
        Cell first = cells.getFirst();
        try (ModelPlanner planner =
                new ModelPlanner(first.recipe(), first.runner().engine(), flopsPerSecond == null, counted, workers)) {
            Map<Cell, Work> works = new LinkedHashMap<>();
            for (Cell cell : cells) {
                work(planner, cell).ifPresent(work -> works.put(cell, work));
            }
            Speed speed = speed(planner, works).orElse(null);
            boolean isFirst = true;
            for (Cell cell : cells) {
                Work work = works.get(cell);
                String state = Objects.requireNonNull(states.get(cell));
                PlannedCell.Basis basis = isHere(cell) ? PlannedCell.Basis.TEXTS : PlannedCell.Basis.PUBLISHED;
                planned.put(
                        cell,
                        work == null
                                ? PlannedCell.unknown(cell, state)
                                : planner.cell(cell, state, basis, work, load(cell), speed, isFirst));
                isFirst = false;
            }
        } catch (PosbiasException failure) {
            session.say(Printable.line(first.recipe().name() + ": not planned: " + failure.line()));
            cells.forEach(
                    cell -> planned.put(cell, PlannedCell.unknown(cell, Objects.requireNonNull(states.get(cell)))));
        }
    }

    /** A benchmark is read once for all its cells; the first one pays. */
    private double load(Cell cell) {
        Double seconds = flopsPerSecond == null ? loading.remove(cell.source().name()) : null;
        return seconds == null ? 0 : seconds;
    }

    private Optional<Work> work(ModelPlanner planner, Cell cell) {
        if (isHere(cell)) {
            return Optional.of(planner.count(dataset(cell)));
        }
        return Optional.ofNullable(cell.source().entry())
                .flatMap(catalog::size)
                .flatMap(size -> planner.count(BenchmarkSize.of(cell.source(), catalog)));
    }

    /** The given speed, or one that is measured on the benchmark that takes most of those that are here. */
    private Optional<Speed> speed(ModelPlanner planner, Map<Cell, Work> works) {
        if (flopsPerSecond != null && works.values().stream().anyMatch(work -> work.flops() != null)) {
            return Optional.of(Speed.of(flopsPerSecond));
        }
        return works.entrySet().stream()
                .filter(work -> isHere(work.getKey()))
                .reduce((a, b) -> b.getValue().index() > a.getValue().index() ? b : a)
                .flatMap(work -> planner.calibrate(work.getKey(), dataset(work.getKey())));
    }
}
