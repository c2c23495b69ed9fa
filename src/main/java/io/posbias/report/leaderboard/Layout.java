package io.posbias.report.leaderboard;

import static io.posbias.report.leaderboard.Pivot.Stat.AVERAGE;
import static io.posbias.report.leaderboard.Pivot.Stat.BUCKETS;
import static io.posbias.report.leaderboard.Pivot.Stat.BUCKET_MEAN;
import static io.posbias.report.leaderboard.Pivot.Stat.DROP_TO_LAST;
import static io.posbias.report.leaderboard.Pivot.Stat.DROP_TO_WORST;
import static io.posbias.report.leaderboard.Pivot.Stat.MEAN;
import static io.posbias.report.leaderboard.Pivot.Stat.MEAN_OF_ALL;
import static io.posbias.report.leaderboard.Pivot.Stat.ON_MMTEB;
import static io.posbias.report.leaderboard.Pivot.Stat.PSI;
import static io.posbias.report.leaderboard.Pivot.Stat.QUERY_MEAN;
import static io.posbias.report.leaderboard.Pivot.Stat.VERDICT;

import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.dataset.convert.PosirNames;
import io.posbias.report.leaderboard.Pivot.By;
import io.posbias.report.leaderboard.Pivot.PivotRows;
import io.posbias.report.profile.BucketDrop;
import io.posbias.result.Result;
import io.posbias.table.NumberFormat;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Layouts of leaderboards; help and errors list them. */
public enum Layout {
    POSITION(
            "position",
            "a column for each position bucket",
            Paper.POSQ,
            new Pivot(PivotRows.MODELS, By.BENCHMARK, By.VALUE, List.of(BUCKETS, MEAN, PSI, VERDICT), false),
            Usual.BY_POSITION),
    DROP(
            "drop",
            "drop from the first bucket to the worst and to the last",
            Paper.POSQ,
            new Pivot(
                    PivotRows.MODELS,
                    By.BENCHMARK,
                    By.VALUE,
                    List.of(MEAN, DROP_TO_WORST, DROP_TO_LAST, PSI, VERDICT),
                    false),
            "%s in points, drop from the first bucket and PSI",
            BucketDrop.MEANING),
    LENGTH(
            "length",
            "a column for each band of length, a row for each dataset",
            Paper.POSIR,
            new Pivot(PivotRows.BENCHMARKS, By.VALUE, By.STRATUM, List.of(AVERAGE, PSI, VERDICT), false),
            Usual.BY_LENGTH,
            Usual.AVERAGES),
    LENGTH_MEAN(
            "length-mean",
            "the same, the plain mean over datasets",
            Paper.POSIR,
            new Pivot(PivotRows.BENCHMARKS, By.VALUE, By.STRATUM, List.of(AVERAGE, PSI), true),
            Usual.BY_LENGTH,
            Usual.AVERAGES),
    TABLE1(
            "table1",
            "Table 1 of the SQuAD-PosQ paper: * where PSI is notable",
            Paper.POSQ,
            new Pivot(PivotRows.STARRED_MODELS, By.BENCHMARK, By.VALUE, List.of(BUCKETS, PSI), false),
            Usual.BY_POSITION,
            "* PSI of " + Pivot.NOTABLE + " or more on every benchmark that the model was run on"),
    POSIR_TABLE2(
            "posir-table2",
            "PosIR's Table 2: means beside MMTEB's",
            Paper.POSIR,
            new Pivot(PivotRows.MODELS, By.NOTHING, By.STRATUM, List.of(ON_MMTEB, AVERAGE), true),
            Usual.BY_LENGTH + ", mean over languages",
            Usual.AVERAGES) {
        @Override
        boolean shows(Result result) {
            return !PosirNames.isCrossLingual(result.dataset());
        }
    },
    POSIR_TABLE3(
            "posir-table3",
            "PosIR's Table 3: PSI, within and across languages",
            Paper.POSIR,
            new Pivot(PivotRows.MODELS, By.WAY, By.STRATUM, List.of(PSI), true),
            "PSI of %s",
            "PSI of each language over its position buckets, then the mean over languages"),
    POSIR_TABLE10(
            "posir-table10",
            "PosIR's Table 10: by language; all lengths and Q1 to Q3",
            Paper.POSIR,
            new Pivot(PivotRows.ALL_TO_Q3, By.LANGUAGE, By.VALUE, List.of(AVERAGE, PSI), false),
            Usual.BY_LANGUAGE,
            Usual.AVERAGES),
    POSIR_TABLE11(
            "posir-table11",
            "PosIR's Table 11: by language; Q4",
            Paper.POSIR,
            new Pivot(PivotRows.Q4, By.LANGUAGE, By.VALUE, List.of(AVERAGE, PSI), false),
            Usual.BY_LANGUAGE,
            Usual.AVERAGES),
    DIRECTION("direction", "drop, slope, correlations, contrasts of position by length band", Paper.POSQ, null, "") {
        @Override
        public Table table(Leaderboard board) {
            return DirectionTable.of(board);
        }
    },
    TRAINING_TABLE1(
            "training-table1",
            "the training-distribution paper's Table 1: means and PSI",
            Paper.TRAINING,
            Usual.MEANS,
            "%s in points and PSI",
            "mean: mean of the means of position buckets, each once") {
        @Override
        boolean shows(Result result) {
            return !result.isPublished() || result.dataset().contains("-posq");
        }
    },
    TRAINING_TABLE2(
            "training-table2",
            "its Table 2: means over queries, for BEIR",
            Paper.TRAINING,
            new Pivot(PivotRows.MODELS, By.NOTHING, By.BENCHMARK, List.of(QUERY_MEAN, MEAN_OF_ALL), false),
            "%s in points, mean over queries",
            "average: each dataset once; none where a model lacks one") {
        @Override
        boolean shows(Result result) {
            return !result.isPublished() || result.profiles().getFirst().queryMean() != null;
        }
    },
    TRAINING_TABLE3(
            "training-table3",
            "its Table 3: means and PSI on PosIR",
            Paper.TRAINING,
            Usual.MEANS,
            "%s in points and PSI",
            "mean: mean of the means of position buckets, each once") {
        @Override
        boolean shows(Result result) {
            return !result.isPublished() || result.dataset().equals("posir");
        }
    },
    COLDER_RETRIEVAL(
            "colder-retrieval",
            "Tables 2 and A.3 of the ColDeR paper: nDCG@10 and R@10",
            Paper.COLDER,
            new Pivot(PivotRows.MODELS, By.BENCHMARK, By.COLDER_MEASURE, List.of(AVERAGE), false),
            "Retrieval in points",
            "means over queries; needs results of --measures nDCG@10,R@10");

    private final String word;
    private final String description;
    private final Paper paper;

    @SuppressWarnings("ImmutableEnumChecker") // holds lists of List.of
    private final @Nullable Pivot pivot;

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // of List.of
    private final List<String> notes;

    Layout(String word, String description, Paper paper, @Nullable Pivot pivot, String title, String... notes) {
        this.word = word;
        this.description = description;
        this.paper = paper;
        this.pivot = pivot;
        this.title = title;
        this.notes = List.of(notes);
    }

    private static final class Usual {
        static final String BY_POSITION = "%s in points by position of the evidence";
        static final String BY_LENGTH = "%s in points by length of the passage";
        static final String BY_LANGUAGE = "%s in points by language of the queries";
        static final String AVERAGES =
                "all: mean over queries; Q1 to Q4, bands of token length: mean of the means of position buckets";
        static final Pivot MEANS =
                new Pivot(PivotRows.MODELS, By.BENCHMARK, By.VALUE, List.of(BUCKET_MEAN, PSI), false);
    }

    /**
     * Parses a layout.
     *
     * @throws UsageException if it is unknown, suggesting the nearest
     */
    public static Layout parse(String word) {
        return Arrays.stream(values())
                .filter(layout -> layout.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new UsageException(Suggestions.unknown(
                        "layout",
                        word,
                        Arrays.stream(values()).map(Layout::toString).toList())));
    }

    public String description() {
        return description;
    }

    @Override
    public String toString() {
        return word;
    }

    public Table table(Leaderboard board) {
        Leaderboard shown =
                board.of(board.results().stream().filter(this::shows).toList());
        Table table = Objects.requireNonNull(pivot, "a layout with a pivot").table(shown, title, notes);
        return paper == Paper.TRAINING ? table.noted(psiReductions(shown.results())) : table;
    }

    private static List<String> psiReductions(List<Result> results) {
        Map<String, Map<String, Double>> bySet = new LinkedHashMap<>();
        for (Result result : results) {
            String model = result.model();
            Double psi = result.profiles().getFirst().psi().value();
            if (psi != null && model.matches(".+ M[BMEU]")) {
                bySet.computeIfAbsent(
                                result.dataset() + ": " + model.substring(0, model.length() - 3),
                                base -> new LinkedHashMap<>())
                        .put(model.substring(model.length() - 2), psi);
            }
        }
        List<String> reductions = new ArrayList<>();
        bySet.forEach((base, psi) -> {
            Double even = psi.get("MU");
            if (even != null && psi.size() == 4) {
                reductions.add(base + " " + NumberFormat.PERCENT.print(1 - even / Collections.max(psi.values())));
            }
        });
        return reductions.isEmpty()
                ? List.of()
                : List.of("reduction of PSI by MU against the worst of MB, MM, ME: " + String.join("; ", reductions));
    }

    boolean shows(Result result) {
        return true;
    }

    /** Returns true for tables of a paper, which are named after it. */
    public boolean isOfPaper() {
        return !List.of(POSITION, DROP, LENGTH, LENGTH_MEAN, DIRECTION).contains(this);
    }

    public String publishedMeasure() {
        return paper.measure();
    }

    /** The paper's rows on the benchmarks of results; all rows without results. Tiny subsets are separate benchmarks. */
    public List<Result> published(List<Result> own) {
        Set<String> datasets = own.stream().map(Result::dataset).collect(Collectors.toSet());
        if (datasets.isEmpty()) {
            return this == LENGTH_MEAN ? monolingual(paper.results()) : paper.results();
        }
        return paper.results().stream()
                .filter(result -> datasets.contains(result.dataset()))
                .sorted(Comparator.comparing(Result::dataset))
                .toList();
    }

    /** Reason for a table without published rows: other benchmarks or another measure; empty if it has some. */
    public Optional<String> whyNone(List<Result> own, String measure) {
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

    private static List<Result> monolingual(List<Result> results) {
        return results.stream()
                .filter(result -> !PosirNames.isCrossLingual(result.dataset()))
                .toList();
    }
}
