package io.posbias.evaluate;

import io.posbias.Checksums;
import io.posbias.PosbiasException;
import io.posbias.measure.Bias;
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
import io.posbias.table.NumberFormat;
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
 * Earlier result of a cell, and its use for the wanted settings. Rankings do not depend on measures, buckets or
 * statistics, and the first k hits of a deeper search equal a search for k, so all of these are computed from the
 * existing run. Files are replaced only if none of their numbers is lost.
 *
 * @param run of the cell, in this or another folder
 * @param replaces true if no number is lost when the files are replaced
 * @param why reason for the use, in words
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
        /** Left unchanged: unusable. */
        REFUSE
    }

    /**
     * Examines a folder; empty without a result.
     *
     * @param elsewhere run outside of a cell's folder; null for the run in this folder
     * @throws PosbiasException if a file of the cell was changed
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

    /**
     * Returns the use for a bound of the loss: content-fixed numbers for another one are measured, and not written.
     *
     * @param equivalence as in {@link Scoring#equivalence}
     */
    public EarlierCell within(double equivalence) {
        ContentFixed fixed = cell.result().profiles().getFirst().contentFixed();
        boolean asked = wanted.contentFixed() != null || equivalence != Bias.EQUIVALENCE;
        if (!asked || fixed == null || fixed.equivalence() == equivalence) {
            return this;
        }
        String bounds = "equivalence " + NumberFormat.percent(equivalence) + ", the finished result has "
                + NumberFormat.percent(fixed.equivalence());
        Use other = use == Use.SHOW ? Use.MEASURE : use;
        return new EarlierCell(folder, cell, run, wanted, other, false, why.isEmpty() ? bounds : why + "; " + bounds);
    }

    /** All settings except measures and content fixing agree, so additions lose nothing. */
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

    /** Reasons why a result only serves its own depth and buckets. */
    private static List<String> limits(Result result, Settings wanted) {
        List<String> limits = new ArrayList<>();
        if (isShallower(result, wanted)) {
            limits.add("an approximate search for fewer passages finds others");
        }
        if (isRecounted(result, wanted)) {
            limits.add("truncation and recall were counted by the result's buckets");
        }
        return limits;
    }

    private static boolean isShallower(Result result, Settings wanted) {
        Set<String> searchStats =
                new LinkedHashSet<>(result.retrieval().searchStats().keySet());
        searchStats.removeAll(SearchReport.OF_VECTORS);
        return wanted.k() < result.settings().k() && !searchStats.isEmpty();
    }

    /** Returns true if truncation and recall must be counted for other buckets. */
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

    /** Returns true if content-fixed numbers are of equal queries, texts and rankings. */
    private static boolean isSameFixed(Settings wanted, Settings found) {
        return Objects.equals(wanted.contentFixed(), found.contentFixed())
                && wanted.measures().getFirst().equals(found.measures().getFirst())
                && wanted.k() == found.k()
                && wanted.seed() == found.seed();
    }

    /** Returns true if no evidence was truncated or missed; counts for other buckets are unknown otherwise. */
    private static boolean isWhole(Retrieval retrieval) {
        PoolRecall stage = retrieval.firstStage();
        return retrieval.truncations().stream().allMatch(cut -> cut.startsPast() + cut.endsPast() == 0)
                && (stage == null || stage.recall() == 1);
    }

    /**
     * Returns this, if usable.
     *
     * @throws PosbiasException with the reason and the remedy
     */
    public EarlierCell checked() {
        if (use == Use.REFUSE) {
            throw folder.otherwise(why);
        }
        return this;
    }

    /** Returns true if nothing must be retrieved. */
    public boolean serves() {
        return use == Use.SHOW || use == Use.MEASURE;
    }

    /** Returns the message before anything is computed. */
    public String line() {
        if (use == Use.SHOW) {
            return folder.finishedBefore(cell);
        }
        return cell.name() + ": " + why + (use == Use.MEASURE ? "; measured from " + run : "; computed again")
                + (replaces
                        ? ""
                        : " and not written (--overwrite replaces the files there, another --results keeps both)");
    }

    /** Returns the measures to compute: those of replaced files included. */
    public List<String> measures() {
        if (!replaces) {
            return wanted.measures();
        }
        List<String> found = cell.result().settings().measures();
        // Content-fixed numbers are of the first measure.
        Set<String> all = new LinkedHashSet<>(wanted.contentFixed() == null ? found : wanted.measures());
        all.addAll(found);
        all.addAll(wanted.measures());
        return List.copyOf(all);
    }

    /** Returns this without replacing files. */
    EarlierCell unwritten() {
        return new EarlierCell(folder, cell, run, wanted, use, false, why);
    }

    /**
     * Returns the wanted result, if it {@link #serves}.
     *
     * @param fixing null without {@code --content-fixed}
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
            // The rows record truncation, which a run does not.
            outcome = evaluation.variants(outcome, cell.places());
        } else if (fixing != null) {
            outcome = evaluation.fixed(outcome, fixing, cell.places());
        }
        return outcome.result().only(wanted.measures());
    }

    private Evaluation.EvaluatedCell measured(EvaluatedModel model, Evaluation evaluation) {
        Run whole = evaluation.stopwatch().time("read run", () -> cell.run(run, evaluation.dataset()));
        Run used = wanted.k() < cell.result().settings().k() ? whole.top(wanted.k()) : whole;
        return evaluation.measure(
                model.orOf(cell.result()),
                used,
                wanted.k(),
                SearchReport.NONE,
                (queries, placement) -> retrieval(placement));
    }

    /** Adds the content-fixed numbers of the replaced files. */
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

    /** Returns the retrieval report for the wanted buckets; for other buckets nothing was truncated or missed. */
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
                found.searchStats(),
                found.usage());
    }
}
