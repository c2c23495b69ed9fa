package io.posbias.evaluate;

import io.posbias.Checksums;
import io.posbias.PosbiasException;
import io.posbias.measure.ContentFixed;
import io.posbias.measure.PoolRecall;
import io.posbias.measure.QueryBuckets;
import io.posbias.result.EvaluatedModel;
import io.posbias.result.FinishedCell;
import io.posbias.result.PlacesFile;
import io.posbias.result.Result;
import io.posbias.result.ResultFolder;
import io.posbias.result.Retrieval;
import io.posbias.result.Settings;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.SearchReport;
import io.posbias.retrieve.trec.RunReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What an earlier run left of a cell, and what of it serves the settings that are wanted now. Rankings depend on neither
 * measures nor buckets nor statistics, and the first k hits of a deeper search are those of a search for k, so all of these
 * are computed from the run that is there. Files are only replaced where no number of theirs is lost.
 *
 * @param folder of the cell
 * @param cell what is in it
 * @param run its run, there or elsewhere
 * @param wanted the settings that are wanted now
 * @param use of it
 * @param replaces true where no number is lost when the files are replaced
 * @param why in words
 */
public record EarlierCell(
        ResultFolder folder, FinishedCell cell, Path run, Settings wanted, Use use, boolean replaces, String why) {
    /** Use of an earlier result. */
    public enum Use {
        /** Shown unchanged. */
        SHOW,
        /** Measured from its run. */
        MEASURE,
        /** Retrieved and measured again. */
        RETRIEVE,
        /** Left unchanged: it cannot serve. */
        REFUSE
    }

    /**
     * What an earlier run left in a folder; empty when there is no result.
     *
     * @param model the model that is wanted
     * @param lazy the benchmark that is wanted
     * @param elsewhere its run where that is in no cell's folder; null where it is in this one
     * @throws PosbiasException if a file of the cell has changed since it was written
     */
    public static Optional<EarlierCell> in(
            ResultFolder folder, EvaluatedModel model, LazyDataset lazy, Settings wanted, @Nullable Path elsewhere) {
        FinishedCell cell = folder.earlier().orElse(null);
        if (cell == null) {
            return Optional.empty();
        }
        Path run = elsewhere == null ? folder.path().resolve(ResultFolder.RUN) : elsewhere;
        String other =
                ResultFolder.otherMaking(cell.result(), model, lazy.card().name(), lazy.checksums());
        if (other != null) {
            return Optional.of(new EarlierCell(folder, cell, run, wanted, Use.REFUSE, false, other));
        }
        Set<String> missing = new TreeSet<>(cell.missing());
        if (!Files.isRegularFile(run)) {
            missing.add(ResultFolder.RUN);
        }
        Settings found = cell.result().settings();
        boolean replaces = wanted.isLike(found);
        Use use = replaces ? useOfLike(found, wanted, missing) : useOfUnlike(cell.result(), wanted, missing);
        String why = why(cell.result(), wanted, missing);
        return Optional.of(new EarlierCell(
                folder, cell, run, wanted, use, replaces, use == Use.REFUSE ? "has other settings: " + why : why));
    }

    /** All but measures and what is held fixed agrees, so what is added loses nothing. */
    private static Use useOfLike(Settings found, Settings wanted, Set<String> missing) {
        boolean fixing = wanted.contentFixed() != null;
        if (fixing && found.contentFixed() != null && !isSameFixed(wanted, found)) {
            return Use.REFUSE;
        }
        if (missing.contains(ResultFolder.RUN)
                || (fixing && (found.contentFixed() == null || missing.contains(PlacesFile.NAME)))) {
            return Use.RETRIEVE;
        }
        return missing.isEmpty() && found.measures().containsAll(wanted.measures()) ? Use.SHOW : Use.MEASURE;
    }

    private static Use useOfUnlike(Result result, Settings wanted, Set<String> missing) {
        boolean fixed = wanted.contentFixed() == null
                || (isSameFixed(wanted, result.settings()) && !missing.contains(PlacesFile.NAME));
        if (!fixed || wanted.k() > result.settings().k() || isShallower(result, wanted)) {
            return Use.REFUSE;
        }
        return missing.contains(ResultFolder.RUN) || isRecounted(result, wanted) ? Use.RETRIEVE : Use.MEASURE;
    }

    /** What of a result is only known by its own depth and buckets. */
    private static List<String> limits(Result result, Settings wanted) {
        List<String> limits = new ArrayList<>();
        if (isShallower(result, wanted)) {
            limits.add("an approximate search for fewer passages finds others");
        }
        if (isRecounted(result, wanted)) {
            limits.add("what was truncated or missed is known by the result's buckets");
        }
        return limits;
    }

    private static boolean isShallower(Result result, Settings wanted) {
        Set<String> figures = new LinkedHashSet<>(result.retrieval().figures().keySet());
        figures.removeAll(Set.of(SearchReport.VECTORS, SearchReport.BYTES));
        return wanted.k() < result.settings().k() && !figures.isEmpty();
    }

    /** Whether what was truncated or missed has to be counted by other buckets. */
    private static boolean isRecounted(Result result, Settings wanted) {
        return !wanted.buckets().equals(result.settings().buckets()) && !isWhole(result.retrieval());
    }

    private static String why(Result result, Settings wanted, Set<String> missing) {
        List<String> reasons = new ArrayList<>();
        wanted.differences(result.settings()).forEach(difference -> reasons.add(difference.toString()));
        if (!missing.isEmpty()) {
            reasons.add(String.join(", ", missing) + (missing.size() == 1 ? " is" : " are") + " missing");
        }
        reasons.addAll(limits(result, wanted));
        return String.join("; ", reasons);
    }

    /** Whether numbers with the content held fixed are of the same queries, texts and rankings. */
    private static boolean isSameFixed(Settings wanted, Settings found) {
        return Objects.equals(wanted.contentFixed(), found.contentFixed())
                && wanted.measures().getFirst().equals(found.measures().getFirst())
                && wanted.k() == found.k()
                && wanted.seed() == found.seed();
    }

    /** Whether no evidence was cut off or missed: how much would be in other buckets is not known. */
    private static boolean isWhole(Retrieval retrieval) {
        PoolRecall stage = retrieval.firstStage();
        return retrieval.truncations().stream().allMatch(cut -> cut.startsPast() + cut.endsPast() == 0)
                && (stage == null || stage.recall() == 1);
    }

    /**
     * The same, unless it cannot serve.
     *
     * @throws PosbiasException says why not, and what to do
     */
    public EarlierCell checked() {
        if (use == Use.REFUSE) {
            throw folder.otherwise(why);
        }
        return this;
    }

    /** Whether it serves without retrieving anything. */
    public boolean serves() {
        return use == Use.SHOW || use == Use.MEASURE;
    }

    /** What is said of it before anything is computed. */
    public String line() {
        if (use == Use.SHOW) {
            return folder.finishedBefore(cell);
        }
        return cell.name() + ": " + why + (use == Use.MEASURE ? "; measured from " + run : "; computed again")
                + (replaces
                        ? ""
                        : " and not written (--overwrite replaces the files there, another --results keeps both)");
    }

    /** The measures to compute: where the files are replaced, those that are there too. */
    public List<String> measures() {
        if (!replaces) {
            return wanted.measures();
        }
        List<String> found = cell.result().settings().measures();
        // What is held fixed is of the first.
        Set<String> all = new LinkedHashSet<>(wanted.contentFixed() == null ? found : wanted.measures());
        all.addAll(found);
        all.addAll(wanted.measures());
        return List.copyOf(all);
    }

    /** The same, whose files stay. */
    EarlierCell unwritten() {
        return new EarlierCell(folder, cell, run, wanted, use, false, why);
    }

    /**
     * The result that is wanted, of what is there; call it only where that {@link #serves}.
     *
     * @param scoring as is wanted
     * @param fixing how the content is held fixed; null where it is not
     * @param home the posbias folder
     */
    public Result result(
            EvaluatedModel model, LazyDataset lazy, Scoring scoring, @Nullable ContentFixing fixing, Path home) {
        if (use == Use.SHOW) {
            return cell.result().only(wanted.measures());
        }
        Evaluation evaluation = new Evaluation(lazy.open(), scoring.measuring(measures()), lazy.stopwatch());
        Evaluation.EvaluatedCell outcome = measured(model, evaluation);
        if (replaces) {
            return written(kept(outcome, evaluation.stopwatch()).readFrom(lazy.folder(), home, folder.path()))
                    .only(wanted.measures());
        }
        if (!lazy.card().contentFixed().isEmpty()) {
            // Of rows that tell what the model did not read, which a run does not.
            outcome = evaluation.variants(outcome, cell.places());
        } else if (fixing != null) {
            outcome = evaluation.fixed(outcome, fixing, cell.places());
        }
        return outcome.result().only(wanted.measures());
    }

    private Evaluation.EvaluatedCell measured(EvaluatedModel model, Evaluation evaluation) {
        Run whole = evaluation
                .stopwatch()
                .time(
                        "read run",
                        () -> RunReader.read(run, evaluation.dataset()).run());
        Run used = wanted.k() < cell.result().settings().k() ? whole.top(wanted.k()) : whole;
        return evaluation.measure(
                model, used, wanted.k(), SearchReport.NONE, (queries, placement) -> retrieval(placement));
    }

    /** With the numbers of the earlier result with the content held fixed, where its files are replaced. */
    Evaluation.EvaluatedCell kept(Evaluation.EvaluatedCell outcome, Stopwatch stopwatch) {
        ContentFixed fixed = cell.result().profiles().getFirst().contentFixed();
        String name = cell.result().settings().contentFixed();
        return fixed == null || name == null ? outcome : outcome.with(fixed, name, cell.places(), stopwatch);
    }

    private Result written(Evaluation.EvaluatedCell outcome) {
        Map<String, String> files = new TreeMap<>();
        for (String name : List.of(ResultFolder.RUN, PlacesFile.NAME)) {
            cell.file(name).ifPresent(file -> files.put(name, Checksums.sha256(file)));
        }
        Result made = outcome.result();
        Map<String, Double> seconds =
                new LinkedHashMap<>(cell.result().provenance().seconds());
        seconds.putAll(made.provenance().seconds());
        return folder.write(
                made.with(made.profiles(), made.settings(), seconds), outcome.scores(), outcome.placement(), files);
    }

    /** What is told of the retrieval, by other buckets where there are others: nothing was cut off or missed then. */
    private Retrieval retrieval(QueryBuckets placement) {
        Retrieval found = cell.result().retrieval();
        if (wanted.buckets().equals(cell.result().settings().buckets())) {
            return found;
        }
        PoolRecall stage = found.firstStage();
        return new Retrieval(
                found.truncations().stream()
                        .map(cut -> cut.withNone(placement.bucketNames()))
                        .toList(),
                stage == null ? null : stage.withNone(placement.bucketNames()),
                found.figures(),
                found.effort());
    }
}
