package io.posbias.report.leaderboard;

import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.dataset.convert.PosirNames;
import io.posbias.position.Strata;
import io.posbias.result.Result;
import io.posbias.table.Table;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How many results become one table: the one list of layouts, from which help and errors come. */
public enum Layout {
    /** Own. */
    POSITION("position", "a column for each position bucket", Paper.POSQ, PositionTable::withVerdicts),
    /** Own. */
    LENGTH("length", "a column for each band of length, a row for each dataset", Paper.POSIR, LengthTable::byDataset),
    /** Own. */
    LENGTH_MEAN("length-mean", "the same, the plain mean over datasets", Paper.POSIR, LengthTable::averaged),
    /** The SQuAD-PosQ paper's. */
    TABLE1("table1", "Table 1 of the SQuAD-PosQ paper: * where PSI is notable", Paper.POSQ, PositionTable::starred),
    /** PosIR's. */
    POSIR_TABLE2("posir-table2", "PosIR's Table 2: means beside MMTEB's", Paper.POSIR, LengthTable::besideMmteb),
    /** PosIR's. */
    POSIR_TABLE3("posir-table3", "PosIR's Table 3: PSI, within and across languages", Paper.POSIR, LengthTable::psi),
    /** PosIR's. */
    POSIR_TABLE10(
            "posir-table10",
            "PosIR's Table 10: by language; all lengths and Q1 to Q3",
            Paper.POSIR,
            board -> LanguageTable.of(board, List.of(Strata.ALL, "Q1", "Q2", "Q3"))),
    /** PosIR's. */
    POSIR_TABLE11(
            "posir-table11",
            "PosIR's Table 11: by language; Q4",
            Paper.POSIR,
            board -> LanguageTable.of(board, List.of("Q4"))),
    /** Own. */
    DIRECTION(
            "direction", "slope, correlations, contrasts of position by length band", Paper.POSIR, DirectionTable::of),
    /** The training-distribution paper's. */
    TRAINING_TABLE1(
            "training-table1",
            "the training-distribution paper's Table 1: means and PSI",
            Paper.TRAINING,
            TrainingTables::positions),
    /** The training-distribution paper's. */
    TRAINING_TABLE2(
            "training-table2", "its Table 2: means over queries, for BEIR", Paper.TRAINING, TrainingTables::queryMeans),
    /** The training-distribution paper's. */
    TRAINING_TABLE3("training-table3", "its Table 3: means and PSI on PosIR", Paper.TRAINING, TrainingTables::posir),
    /** ColDeR's. */
    COLDER_RETRIEVAL(
            "colder-retrieval",
            "Tables 2 and A.3 of the ColDeR paper: nDCG@10 and R@10",
            Paper.COLDER,
            PositionTable::retrieval);

    private final String word;
    private final String description;
    private final Paper paper;

    @SuppressWarnings("ImmutableEnumChecker") // references to static methods hold nothing
    private final Function<Leaderboard, Table> table;

    Layout(String word, String description, Paper paper, Function<Leaderboard, Table> table) {
        this.word = word;
        this.description = description;
        this.paper = paper;
        this.table = table;
    }

    /**
     * The layout of a word.
     *
     * @throws UsageException if there is none, suggesting the nearest
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

    /** One line on what it shows. */
    public String description() {
        return description;
    }

    /** The word on the command line and in experiments. */
    @Override
    public String toString() {
        return word;
    }

    /** The table of some results. */
    public Table table(Leaderboard board) {
        return table.apply(board);
    }

    /** The measure of what the layout's paper printed. */
    public String publishedMeasure() {
        return paper.measure();
    }

    /**
     * What the layout's paper printed on the benchmarks of some results; all of it for no results. A tiny subset and its
     * whole are two benchmarks.
     */
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

    /**
     * Why a table of a measure shows no published rows beside some results: the paper printed none on these benchmarks, or
     * scored with another measure; empty where it shows some.
     */
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

    /** The mean over languages is one of retrieval within a language. */
    private static List<Result> monolingual(List<Result> results) {
        return results.stream()
                .filter(result -> !PosirNames.isCrossLingual(result.dataset()))
                .toList();
    }
}
