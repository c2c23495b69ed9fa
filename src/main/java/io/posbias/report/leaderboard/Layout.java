package io.posbias.report.leaderboard;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.UsageException;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.score.measure.Measures;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFiles;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Layout of a leaderboard: a file of {@code configs/layouts}, or a user's. */
public final class Layout {
    public static final String USUAL = "position";

    private static final String FOLDER = "configs/layouts";

    private final String name;
    private final LayoutFile file;

    /**
     * A layout's file. It has a component for each field, so more than other records.
     *
     * @param title with {@code {measure}} for the measure
     * @param notes below the table
     * @param digits decimals of points; PSI has two more
     * @param leaveOut names or patterns of benchmarks whose results the table leaves out
     * @param families headings with names or patterns of their models; empty for the families of recipes
     */
    record LayoutFile(
            String description,
            String title,
            @Setting(usual = "[]") List<String> notes,
            @Setting(usual = "1", least = 0, most = 6) int digits,
            @Nullable Published published,
            @Setting(usual = "[]") List<String> leaveOut,
            @Setting(usual = "{}") Map<String, List<String>> families,
            @Nullable PsiReduction psiReduction,
            @JsonUnwrapped Pivot pivot) {
        LayoutFile {
            if (families.values().stream().anyMatch(List::isEmpty)) {
                throw new Setting.Wrong("families", "has a heading without models", "give names or patterns of models");
            }
        }
    }

    /**
     * Models of one base that were trained in several ways, named "BASE WAY".
     *
     * @param by the way whose PSI is compared
     * @param against all others
     */
    record PsiReduction(@Setting(identifier = true) String by, List<String> against) {
        List<String> notes(List<Result> results) {
            Map<String, Map<String, Double>> bySet = new LinkedHashMap<>();
            for (Result result : results) {
                String model = result.model();
                Double psi = result.profiles().getFirst().psi().value();
                if (psi == null) {
                    continue;
                }
                Stream.concat(against.stream(), Stream.of(by))
                        .filter(way -> model.endsWith(" " + way))
                        .forEach(way -> bySet.computeIfAbsent(
                                        result.dataset() + ": " + model.substring(0, model.lastIndexOf(" " + way)),
                                        base -> new LinkedHashMap<>())
                                .put(way, psi));
            }
            String reductions = bySet.entrySet().stream()
                    .filter(set -> set.getValue().size() > against.size())
                    .map(set -> set.getKey() + " " + NumberFormat.PERCENT.print(reduction(set.getValue())))
                    .collect(Collectors.joining("; "));
            String compared = "reduction of PSI by " + by + " against the worst of " + String.join(", ", against);
            return reductions.isEmpty() ? List.of() : List.of(compared + ": " + reductions);
        }

        private double reduction(Map<String, Double> psi) {
            return 1 - psi.getOrDefault(by, Double.NaN) / Collections.max(psi.values());
        }
    }

    private Layout(String name, LayoutFile file) {
        this.name = name;
        this.file = file;
    }

    public static List<String> names() {
        return Configs.names(FOLDER);
    }

    public static List<Layout> all() {
        return names().stream().map(Layout::find).toList();
    }

    /**
     * Finds a layout by its name or by the path of a YAML file.
     *
     * @throws UsageException if the name is unknown, suggesting the nearest, or the file is missing
     */
    public static Layout find(String nameOrFile) {
        Fields fields = Configs.find("layout", FOLDER, nameOrFile, "posbias report --help-all");
        String file = String.valueOf(fields.where().file().getFileName());
        return new Layout(file.substring(0, file.lastIndexOf('.')), Json.settings(fields, LayoutFile.class));
    }

    /** Reads the field of an experiment; a path is beside the experiment's file. */
    @Setting.Reader
    static Layout read(Fields fields, String field) {
        String given = fields.text(field);
        try {
            return find(Configs.isFile(given) ? fields.beside(given).toString() : given);
        } catch (UsageException wrong) {
            throw fields.bad(field, "is wrong: " + wrong.line(), "");
        }
    }

    public String description() {
        return file.description();
    }

    @Override
    public String toString() {
        return name;
    }

    /** A table without tests. */
    public Table table(Leaderboard board) {
        return table(board, new PairwiseTests(List.of(), PairwiseTests.Shown.NOTHING, 1));
    }

    /** A table whose best numbers are marked by tests, where results have their queries. */
    public Table table(Leaderboard board, PairwiseTests tests) {
        Leaderboard shown = new Leaderboard(
                board.results().stream().filter(this::shows).toList(),
                board.measure(),
                board.intervals(),
                board.digits(),
                board.baseline());
        Families families = Families.of(file.families());
        String title = file.title().replace("{measure}", board.measure());
        Table table = switch (file.pivot().rows()) {
            case PROFILES, BINS ->
                new DirectionTable(file.pivot().rows() == Pivot.Rows.BINS).of(shown, families, title, file.notes());
            case LOSSES -> new LossTable(shown, tests).table(title, file.notes());
            case MODELS, DATASETS ->
                new PivotTable(file.pivot(), file.published(), shown, families, tests).table(title, file.notes());
        };
        PsiReduction reduction = file.psiReduction();
        return reduction == null ? table : table.noted(reduction.notes(shown.results()));
    }

    boolean shows(Result result) {
        Published published = file.published();
        return (published == null || published.shows(result))
                && (file.leaveOut().isEmpty() || !ResultFiles.matches(result.dataset(), file.leaveOut()));
    }

    /** True if the rows are in tiers by tests between models, in every format. */
    public boolean hasTiers() {
        return file.pivot().rows() == Pivot.Rows.LOSSES;
    }

    public int digits() {
        return file.digits();
    }

    /** The measure of the published rows; the usual one without published rows. */
    public String publishedMeasure() {
        Published published = file.published();
        return published == null ? Measures.DEFAULT : published.measure();
    }

    /** The published rows on the benchmarks of results; all rows without results. Tiny subsets are separate benchmarks. */
    public List<Result> published(List<Result> own) {
        Published published = file.published();
        return published == null ? List.of() : published.beside(own);
    }

    /** Reason for a table without published rows: other benchmarks or another measure; empty if it has some. */
    public Optional<String> whyNone(List<Result> own, String measure) {
        if (file.published() == null) {
            return Optional.of("layout " + name + " has no published results");
        }
        List<String> datasets =
                published(own).stream().map(Result::dataset).distinct().toList();
        if (datasets.isEmpty()) {
            return Optional.of("no published results on "
                    + own.stream().map(Result::dataset).distinct().collect(Collectors.joining(", ")));
        }
        return measure.equals(publishedMeasure())
                ? Optional.empty()
                : Optional.of("the published results on " + String.join(", ", datasets) + " are " + publishedMeasure()
                        + ", not " + measure + ": evaluate with that measure to compare");
    }
}
