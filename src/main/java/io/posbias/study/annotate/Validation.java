package io.posbias.study.annotate;

import io.posbias.base.json.Fields;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Proportion;
import io.posbias.base.stats.RaterAgreement;
import io.posbias.base.stats.RaterAgreement.Agreement;
import io.posbias.base.table.Columns;
import io.posbias.base.table.CsvRows;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Printable;
import io.posbias.study.build.Candidate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Answers of annotators to {@link Sheets}, against each other and against the labels.
 *
 * @param questions drawn
 * @param unanswered by annotator, missing rows included
 * @param compared questions that at least two annotators answered
 * @param equal share of equal answers, mean over pairs of annotators; null without pairs
 * @param kappa Cohen's, of the five answers
 */
public record Validation(
        int questions,
        double confidence,
        Map<String, Integer> unanswered,
        int compared,
        Agreement equal,
        Agreement kappa,
        List<Wrong> labels) {
    private static final List<String> ANSWERS = List.of("1", "2", "3", "several", "none");
    private static final int DRAWS = 1000;
    private static final int SEED = 42;
    private static final String ALL = "all";

    /** Labels of a group that answers contradict; {@code several} and {@code none} contradict each label. */
    public record Wrong(
            @Meaning("`all`, `position` or `length`") String by,

            @Meaning("label, or length bucket of the document")
            String group,

            @Meaning("an annotator, or `all`: questions to which all annotators gave the same answer")
            String against,

            @Meaning("questions with that answer") int questions,

            @Meaning("questions whose label is not the answer")
            int wrong,

            @Meaning(value = "`wrong` of `questions`", unit = "fraction") @Nullable
            Double share,

            @Meaning("Wilson's interval of the share") @Nullable
            Interval shareInterval) {}

    private static final RecordCsv<Wrong> LINES = new RecordCsv<>(Wrong.class);

    public static Validation of(Path folder, double confidence) {
        Path file = folder.resolve(Sheets.KEY);
        if (!Files.exists(file)) {
            throw new UsageException(
                    folder + " contains no " + Sheets.KEY + "; give the --out of 'posbias construct sheets'");
        }
        List<Fields> key = CsvRows.read(file);
        List<String> names = key.getFirst().names().stream()
                .filter(name -> name.startsWith(Sheets.ANNOTATOR))
                .toList();
        Map<String, double[]> answers = new LinkedHashMap<>();
        double[] same = new double[key.size()];
        answers.put(ALL, same);
        Map<String, Integer> unanswered = new LinkedHashMap<>();
        for (String name : names) {
            double[] own = answers(folder, name, key);
            answers.put(name, own);
            unanswered.put(name, key.size() - known(own));
        }
        double[][] rows = IntStream.range(0, key.size())
                .mapToObj(i -> names.stream()
                        .mapToDouble(name -> answers.getOrDefault(name, same)[i])
                        .toArray())
                .toArray(double[][]::new);
        Arrays.setAll(
                same, i -> Arrays.stream(rows[i]).allMatch(answer -> answer == rows[i][0]) ? rows[i][0] : Double.NaN);
        double[][] compared = Arrays.stream(rows).filter(row -> known(row) > 1).toArray(double[][]::new);
        return new Validation(
                key.size(),
                confidence,
                unanswered,
                compared.length,
                RaterAgreement.estimate(compared, all -> RaterAgreement.within(all, 0), DRAWS, SEED, confidence),
                RaterAgreement.estimate(compared, RaterAgreement::kappa, DRAWS, SEED, confidence),
                labels(key, answers, confidence));
    }

    private static int known(double[] answers) {
        return (int)
                Arrays.stream(answers).filter(answer -> !Double.isNaN(answer)).count();
    }

    /** Reads a sheet: for each row of the key the index into {@link #ANSWERS}, or NaN. */
    private static double[] answers(Path folder, String name, List<Fields> key) {
        Map<String, Integer> items = new HashMap<>();
        IntStream.range(0, key.size()).forEach(i -> items.put(key.get(i).text(name), i));
        double[] answers = new double[key.size()];
        Arrays.fill(answers, Double.NaN);
        Map<String, Fields> seen = new HashMap<>();
        for (Fields row : CsvRows.read(folder.resolve(name + ".csv"))) {
            String item = row.text(Sheets.ITEM);
            Integer place = items.get(item);
            String found = "is " + Printable.quoted(item);
            if (place == null) {
                throw row.bad(
                        Sheets.ITEM, found, "column " + name + " of " + Sheets.KEY + " has the items of this sheet");
            }
            Fields before = seen.put(item, row);
            if (before != null) {
                throw row.bad(Sheets.ITEM, found, "it stands twice, first at " + before.where());
            }
            if (!row.text(Sheets.ANSWER, "").isBlank()) {
                answers[place] = ANSWERS.indexOf(row.oneOf(Sheets.ANSWER, "", ANSWERS));
            }
        }
        return answers;
    }

    /** Compares the answers of each annotator with the labels, by group: all, by position, by length. */
    private static List<Wrong> labels(List<Fields> key, Map<String, double[]> answers, double confidence) {
        Map<List<String>, List<Integer>> groups = new LinkedHashMap<>();
        for (String by : List.of(ALL, Candidate.POSITION, Sheets.LENGTH)) {
            for (int i = 0; i < key.size(); i++) {
                String group = by.equals(ALL) ? ALL : key.get(i).text(by);
                groups.computeIfAbsent(List.of(by, group), none -> new ArrayList<>())
                        .add(i);
            }
        }
        double[] right = key.stream()
                .mapToDouble(row -> Candidate.POSITIONS.indexOf(row.oneOf(Candidate.POSITION, "", Candidate.POSITIONS)))
                .toArray();
        List<Wrong> labels = new ArrayList<>();
        groups.forEach((group, rows) -> answers.forEach((against, own) -> {
            List<Integer> known =
                    rows.stream().filter(i -> !Double.isNaN(own[i])).toList();
            int wrong = (int) known.stream().filter(i -> own[i] != right[i]).count();
            Proportion share = known.isEmpty() ? null : Proportion.of(wrong, known.size(), confidence);
            labels.add(new Wrong(
                    group.get(0),
                    group.get(1),
                    against,
                    known.size(),
                    wrong,
                    share == null ? null : share.share(),
                    share == null ? null : share.interval()));
        }));
        return labels;
    }

    public Table raw() {
        return LINES.table(labels);
    }

    public static List<RecordCsv.Described> columns() {
        return LINES.described(new Wrong("", "", "", 0, 0, null, null));
    }

    public List<Table> tables() {
        String level = NumberFormat.percent(confidence);
        Columns<Validation> agreement = new Columns<Validation>()
                .text("questions", Validation::questions)
                .text("compared", Validation::compared)
                .number("equal", NumberFormat.PERCENT, own -> own.equal.value())
                .interval(NumberFormat.PERCENT, own -> own.equal.interval())
                .number("kappa", NumberFormat.STRENGTH, own -> own.kappa.value())
                .interval(NumberFormat.STRENGTH, own -> own.kappa.interval());
        Columns<Wrong> wrong = new Columns<Wrong>()
                .label("by", Wrong::by)
                .label("group", Wrong::group)
                .label("against", Wrong::against)
                .text("questions", Wrong::questions)
                .text("wrong", Wrong::wrong)
                .number("share", NumberFormat.PERCENT, Wrong::share)
                .interval(NumberFormat.PERCENT, Wrong::shareInterval);
        return List.of(
                agreement.table(
                        "Agreement of the annotators",
                        List.of(this),
                        List.of(
                                "unanswered: "
                                        + unanswered.entrySet().stream()
                                                .map(own -> own.getKey() + " " + own.getValue())
                                                .collect(Collectors.joining(", ")),
                                "kappa: Cohen's, of the five answers; intervals: " + level
                                        + ", bootstrap of the questions")),
                wrong.table(
                        "Labels that the answers contradict",
                        labels,
                        List.of("against all: questions to which all annotators gave the same answer; interval: "
                                + level + ", Wilson")));
    }
}
