package io.posbias.run;

import io.posbias.base.process.PosbiasException;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.data.named.Datasets;
import io.posbias.model.retrieve.Recipe;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFolder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Cells of one command, in their order. A failed cell is reported and the others continue; the failure of a single cell is
 * thrown. While another process evaluates a cell, later ones come first.
 */
public final class Cells {
    private final Deque<Job> coming;
    private final BiFunction<String, String, Path> folder;
    private final int count;
    private final boolean isPart;
    private final Map<Job, Optional<Result>> early = new HashMap<>();
    private final List<Result> results = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private Optional<LazyDataset> benchmark = Optional.empty();
    private Optional<LazyDataset> complete = Optional.empty();
    private @Nullable Job last;
    private int before;

    /** One model on one benchmark, and what evaluates it. */
    public record Job(Recipe recipe, Datasets.Source source, CellRunner runner) {
        /** Returns the name in errors and progress. */
        public String name() {
            return recipe.name() + " on " + source.name();
        }

        private boolean isBeside(@Nullable Job other) {
            return other != null && runner == other.runner && source.equals(other.source);
        }
    }

    /**
     * @param folder of a cell, by benchmark and model
     * @param isPart true if more follows the cells: they are numbered, and no failure is thrown
     */
    public Cells(List<Job> jobs, BiFunction<String, String, Path> folder, boolean isPart) {
        this.coming = new ArrayDeque<>(jobs);
        this.folder = folder;
        this.count = jobs.size();
        this.isPart = isPart;
    }

    /** Returns all models on all benchmarks. */
    public static List<Job> jobs(List<Recipe> recipes, List<Datasets.Source> sources, CellRunner runner) {
        return sources.stream()
                .flatMap(source -> recipes.stream().map(recipe -> new Job(recipe, source, runner)))
                .toList();
    }

    public boolean hasNext() {
        return !coming.isEmpty();
    }

    public void next() {
        Job job = coming.removeFirst();
        if (!job.isBeside(last)) {
            before = results.size();
            benchmark = attempt(
                    job,
                    job.source.name(),
                    () -> job.source.lazy(job.runner.engine().progress()));
        }
        last = job;
        if (isPart && benchmark.isPresent()) {
            job.runner.engine().say("cell " + (count - coming.size()) + " of " + count + ": " + job.name());
        }
        benchmark
                .flatMap(lazy -> attempt(job, job.name(), () -> result(job, lazy)))
                .ifPresent(results::add);
        boolean isEnd = !job.isBeside(coming.peekFirst());
        complete = isEnd && results.size() > before ? benchmark : Optional.empty();
    }

    public Cells finish() {
        while (hasNext()) {
            next();
        }
        return this;
    }

    /** Returns the benchmark whose last cell was evaluated now, if one of its cells has a result. */
    public Optional<LazyDataset> complete() {
        return complete;
    }

    public List<Result> results() {
        return results;
    }

    /** Returns a line per cell, or per benchmark that could not be opened. */
    public List<String> failures() {
        return failures;
    }

    private <T> Optional<T> attempt(Job job, String what, Supplier<T> work) {
        try {
            return Optional.of(work.get());
        } catch (PosbiasException failure) {
            if (count == 1 && !isPart) {
                throw failure;
            }
            String line = what + ": " + failure.line();
            job.runner.engine().say("posbias: " + line);
            failures.add(line);
            return Optional.empty();
        }
    }

    private ResultFolder files(Job job) {
        return new ResultFolder(folder.apply(job.source.name(), job.recipe.name()));
    }

    private Result result(Job job, LazyDataset lazy) {
        while (!early.containsKey(job) && files(job).isBeingWritten()) {
            Optional<Job> free = coming.stream()
                    .filter(later -> !early.containsKey(later) && !files(later).isBeingWritten())
                    .findFirst();
            if (free.isEmpty()) {
                break;
            }
            early.put(free.get(), early(free.get(), job, lazy));
        }
        return early.getOrDefault(job, Optional.empty())
                .orElseGet(() -> job.runner.result(job.recipe, lazy, files(job)));
    }

    /** Evaluates a later cell; empty for a failure, which is reported in its turn. */
    private Optional<Result> early(Job free, Job busy, LazyDataset lazy) {
        busy.runner
                .engine()
                .say(busy.name() + ": another posbias is writing " + files(busy).path() + "; " + free.name()
                        + " first");
        try {
            LazyDataset own = free.source.equals(busy.source)
                    ? lazy
                    : free.source.lazy(free.runner.engine().progress());
            return Optional.of(free.runner.result(free.recipe, own, files(free)));
        } catch (PosbiasException later) {
            return Optional.empty();
        }
    }
}
