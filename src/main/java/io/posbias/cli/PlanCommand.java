package io.posbias.cli;

import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.score.gate.Condition;
import io.posbias.score.gate.GateTrial;
import io.posbias.score.gate.PairedGate;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.DifferenceTrial;
import io.posbias.score.measure.LossTrial;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Power;
import io.posbias.score.measure.ProfileTrial;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.Trial;
import io.posbias.score.plan.PlanReport;
import io.posbias.score.plan.Planner;
import io.posbias.score.position.StoredPositions;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "plan",
        description = "Find out how many queries a benchmark needs to find an effect.",
        footer = {
            "",
            "Queries of a pilot result are drawn again and again, by clusters, with the effect planted into their scores;"
                    + " the power is how often the test finds it. One pilot with --loss: the verdict of diagnose position,"
                    + " of eval --content-fixed or of eval, as the pilot was made. Two pilots: the paired test of compare."
                    + " Two with --fail-on: the gate; the first is the baseline.",
            "",
            "A loss within the pilot's --equivalence, like 0, is planned for the verdict even.",
            "",
            "Examples:",
            "  posbias plan --pilot results/demo/bm25 --loss 5% --power 0.8",
            "  posbias plan --pilot results/demo/bm25 --pilot results/demo/mine \\",
            "      --difference 2%",
            "  posbias plan --pilot main/demo/mine --pilot results/demo/mine \\",
            "      --difference -2% --fail-on 'nDCG@10<-0.005'",
        })
final class PlanCommand extends BaseCommand {
    private static final Pattern SHARE = Pattern.compile("([+-]?[0-9]*\\.?[0-9]+)(%?)");
    private static final double PERCENT = 100;

    @Option(
            names = "--pilot",
            required = true,
            paramLabel = "FOLDER",
            description = "Folder of a finished cell or of a model of diagnose position, or its result.json; two for a"
                    + " difference or the gate.")
    private List<Path> pilots = List.of();

    @Option(
            names = "--loss",
            paramLabel = "LOSS",
            description =
                    "Loss at the back to find, as a fraction or percentage; of two pilots, the second's minus the first's.")
    private @Nullable String loss;

    @Option(
            names = "--difference",
            paramLabel = "DIFFERENCE",
            description =
                    "Difference of the means of two pilots to find, second minus first, as a fraction or percentage.")
    private @Nullable String difference;

    @Option(
            names = "--fail-on",
            paramLabel = "CONDITION,..",
            description = "Plan for the gate: the conditions that it will have.")
    private @Nullable String failOn;

    @Option(
            names = "--power",
            paramLabel = "P",
            description = "Probability of finding the effect (default: ${DEFAULT-VALUE}).")
    private double power = Power.POWER;

    @Option(
            names = "--measure",
            paramLabel = "MEASURE",
            description = "Measure of the means (default: the pilot's first).")
    private @Nullable String measure;

    @Heading("Statistics:")
    @Least(100)
    @Option(
            names = "--simulations",
            paramLabel = "N",
            description = "Simulated benchmarks of each size (default: ${DEFAULT-VALUE}).")
    private int simulations = 1000;

    @Heading("Statistics:")
    @Option(
            names = "--confidence",
            paramLabel = "P",
            description = "Confidence of the test; of the gate, as a whole (default: the pilot's).")
    private @Nullable Double confidence;

    @Heading("Statistics:")
    @Option(
            names = "--cluster",
            paramLabel = "UNIT",
            description = "Count queries as one that share a passage, an article, or none: ${COMPLETION-CANDIDATES} "
                    + "(default: as the pilot was evaluated).")
    private Clustering.@Nullable By cluster;

    @Heading("Statistics:")
    @Option(names = "--seed", paramLabel = "S", description = "Seed of the simulation (default: ${DEFAULT-VALUE}).")
    private long seed = Settings.USUAL.seed();

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    protected void work() {
        refuse((loss == null) == (difference == null), "give --loss or --difference: the effect to find");
        refuse(pilots.size() > 2, "--pilot: give one or two, not " + pilots.size());
        refuse(
                pilots.size() < 2 && (difference != null || failOn != null),
                (difference != null ? "--difference" : "--fail-on")
                        + " needs two results on the same queries: give a second --pilot");
        refuse(!(power >= 0.5 && power < 1), "--power must be from 0.5 to below 1, not " + power);
        confidence(confidence);
        List<StoredPositions> diagnosed = pilots.stream()
                .flatMap(pilot -> StoredPositions.read(pilot).stream())
                .toList();
        if (!diagnosed.isEmpty()) {
            planDiagnosed(diagnosed);
            return;
        }
        List<CellQueries> cells = pilots.stream()
                .map(pilot -> StoredCell.read(pilot).queries(cluster))
                .toList();
        CellQueries first = cells.getFirst();
        CellQueries second = cells.size() < 2 ? null : cells.getLast().inOrderOf(first);
        if (second != null) {
            String unpaired = first.unpaired(second);
            refuse(
                    unpaired != null,
                    "--pilot " + pilots.getFirst() + " and " + pilots.getLast() + " cannot be compared: " + unpaired);
        }
        String models = first.result().model()
                + (second == null ? "" : " / " + second.result().model());
        plan(
                trial(first, second, settings(first)),
                first.result().dataset() + ", " + name(first) + ", " + models,
                settings(first).confidence());
    }

    /** Plans for a verdict of {@code diagnose position}, or for the difference of two losses. */
    private void planDiagnosed(List<StoredPositions> diagnosed) {
        StoredPositions first = diagnosed.getFirst();
        StoredPositions second = diagnosed.size() < 2 ? null : diagnosed.getLast();
        refuse(
                diagnosed.size() < pilots.size() || loss == null || failOn != null || measure != null,
                "--pilot " + pilots.getFirst()
                        + " is of diagnose position, a pilot for --loss alone or with another one"
                        + " of diagnose position; for the rest give folders of eval");
        refuse(
                second != null && !first.hasPlacesOf(second),
                "--pilot " + pilots.getFirst() + " and " + pilots.getLast()
                        + " have other queries, places or measures: diagnose both models with one command");
        Settings settings =
                settings(first.settings(), cluster == null ? first.settings().unit() : cluster);
        double planted = planted(second != null);
        String models = first.model() + (second == null ? "" : " / " + second.model());
        plan(
                new LossTrial(first.rows(), second == null ? null : second.rows(), settings, planted),
                first.dataset() + ", " + settings.measure() + ", " + models,
                settings.confidence());
    }

    private void plan(Trial trial, String what, double level) {
        refuse(
                trial.clusters().count() < 2,
                "--pilot " + pilots.getFirst() + ": all queries are of one cluster, whose spread is unknown");
        Planner planner = new Planner(power, simulations, seed, threads.threads());
        String subject = what + ": " + (loss != null ? "loss at the back of " + loss : "difference of " + difference);
        PlanReport report = session()
                .step("simulate", () -> new PlanReport(subject, trial.test(), level, planner, planner.plan(trial)));
        print(form.text(report::document, () -> List.of(report.table(form.detail())), report::raw, session()));
    }

    private Settings settings(CellQueries pilot) {
        return settings(
                pilot.result().settings(), pilot.placement().clustering().by());
    }

    private Settings settings(Settings pilot, Clustering.By by) {
        Settings own = pilot.withCluster(by);
        double usual = own.confidence() > 0 ? own.confidence() : Settings.USUAL.confidence();
        return own.withConfidence(confidence == null ? usual : confidence);
    }

    private Trial trial(CellQueries first, @Nullable CellQueries second, Settings settings) {
        if (loss != null) {
            return lossTrial(first, second, settings, planted(second != null));
        }
        double effect = share("--difference", Objects.requireNonNull(difference));
        CellQueries other = Objects.requireNonNull(second);
        refuse(effect == 0, "--difference must not be 0");
        String name = name(first);
        double[] before = scores(first, name);
        double[] after = scores(other, name);
        if (failOn != null) {
            return GateTrial.ofMeans(
                    new PairedGate.Versions(first, other), name, Condition.parseAll(failOn), settings, effect);
        }
        return new DifferenceTrial(before, after, first.placement(), effect, settings.confidence());
    }

    private double planted(boolean ofTwo) {
        double planted = share("--loss", Objects.requireNonNull(loss));
        refuse(planted >= 1, "--loss must be below 100%, not " + loss);
        refuse(ofTwo && planted == 0, "--loss of two pilots must not be 0");
        return planted;
    }

    private Trial lossTrial(CellQueries first, @Nullable CellQueries second, Settings settings, double planted) {
        if (second == null && first.places().isEmpty()) {
            refuse(!(planted > 0), "--loss must be above 0 without the content held fixed, not " + loss);
            return new ProfileTrial(
                    first.scores().queries(),
                    scores(first, name(first)),
                    first.placement(),
                    planted,
                    settings.confidence());
        }
        String own = settings.measure().toString();
        refuse(!name(first).equals(own), "--measure: the content was held fixed for " + own + " only");
        if (second == null) {
            return new LossTrial(first.places(), null, settings, planted);
        }
        refuse(
                !first.isPlacedAs(second, own),
                "--loss of two pilots: make both with eval --content-fixed, in the same way");
        if (failOn != null) {
            return GateTrial.ofLoss(
                    new PairedGate.Versions(first, second), Condition.parseAll(failOn), settings, planted);
        }
        return new LossTrial(first.places(), second.places(), settings, planted);
    }

    private String name(CellQueries pilot) {
        return measure == null
                ? pilot.result().settings().measure().toString()
                : Measures.parse(measure).toString();
    }

    private static double[] scores(CellQueries cell, String name) {
        double[] scores = cell.of(name);
        if (scores == null) {
            throw new UsageException("--measure " + name + ": " + cell.result().model() + " on "
                    + cell.result().dataset() + " was scored on "
                    + String.join(", ", cell.result().settings().names()));
        }
        return scores;
    }

    private static double share(String option, String text) {
        Matcher parts = SHARE.matcher(text.strip());
        if (!parts.matches()) {
            throw new UsageException(option + " " + Printable.quoted(text) + ": expected a share like 5% or 0.05");
        }
        return Double.parseDouble(parts.group(1)) / (parts.group(2).isEmpty() ? 1 : PERCENT);
    }
}
