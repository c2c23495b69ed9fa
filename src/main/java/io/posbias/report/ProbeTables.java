package io.posbias.report;

import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeResult;
import io.posbias.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What probes found, as tables. */
public final class ProbeTables {
    private ProbeTables() {}

    /** Probes whose first text is the right one, so that the share of pairs it wins is an accuracy. */
    private static final Set<String> ACCURACY = Set.of("answer", "answer-single", "foil", "poison");

    /** The comparison of a probe that has several and that Figure 1 of the paper shows; the others are left out of it. */
    private static final Map<String, String> HEADLINES = Map.of("literal", "SS - SL", "moving", "");

    /** What the first score less the second is, and what it means where it is above 0; docs/probes.md has more. */
    private static final Map<String, String> MEANINGS = Map.of(
            "answer", "with the answer - without; positive: the answer counts",
            "answer-single", "the answer's sentence - one without, alone; positive: the answer counts",
            "position", "evidence first - evidence last; positive: prefers the beginning",
            "moving", "evidence at a later place - at place 1; negative: prefers the beginning",
            "literal", "long or short name in question and text; positive: prefers the same words",
            "brevity", "evidence alone - in its document; positive: prefers short texts",
            "repetition", "more mentions of the head - fewer; positive: likes repetition",
            "foil", "evidence in a long text - foil; negative: prefers the foil",
            "poison", "evidence in a long text - poisoned foil; negative: prefers the poison");

    /** What is preferred where the first score is higher. */
    private static final Map<String, String> FIRST = Map.of(
            "answer", "the answer",
            "answer-single", "the answer",
            "position", "the beginning",
            "literal", "the same words (SS - SL)",
            "brevity", "short texts",
            "repetition", "repetition",
            "foil", "the evidence to the foil",
            "poison", "the evidence to the poison");

    /**
     * The summary: t of each probe, as Figure 1 of the paper shows it, and the accuracy where one text is the right one, as its
     * Table 4 does; a row for each model. Empty where no probe has one comparison that stands for it.
     */
    public static Optional<Table> summary(Map<String, ProbeResult> results) {
        List<String> probes = results.values().stream()
                .flatMap(result -> result.tests().stream())
                .filter(ProbeTables::isHeadline)
                .map(PairTest::probe)
                .distinct()
                .toList();
        if (probes.isEmpty()) {
            return Optional.empty();
        }
        List<String> right = probes.stream().filter(ACCURACY::contains).toList();
        List<String> header = new ArrayList<>(List.of("model"));
        probes.forEach(probe -> header.add(probe + " t"));
        right.forEach(probe -> header.add(probe + " acc"));
        List<Table.Row> rows = new ArrayList<>();
        results.forEach((model, result) -> {
            List<String> cells = new ArrayList<>(List.of(model));
            probes.forEach(probe -> cells.add(cell(result, probe, test -> decimals(test.t()))));
            right.forEach(probe -> cells.add(cell(result, probe, test -> percent(test.share()))));
            rows.add(new Table.Row(cells));
        });
        List<String> notes = new ArrayList<>();
        notes.add("t: paired t test of first less second score; above 0 the first is preferred" + preferred(probes));
        if (!right.isEmpty()) {
            notes.add("acc: share of pairs where the right text, with the answer or the evidence, scores higher; ties"
                    + " count as wrong");
        }
        return Optional.of(new Table("Probes: what each model prefers", List.of(), header, rows, notes));
    }

    /** What the first text stands for in these probes. */
    private static String preferred(List<String> probes) {
        List<String> first = probes.stream()
                .map(FIRST::get)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        return first.isEmpty() ? "" : ", that is: " + String.join(", ", first);
    }

    private static boolean isHeadline(PairTest test) {
        return HEADLINES.getOrDefault(test.probe(), test.comparison()).equals(test.comparison());
    }

    private static String cell(ProbeResult result, String probe, Function<PairTest, String> text) {
        return result.tests().stream()
                .filter(test -> test.probe().equals(probe) && isHeadline(test))
                .findFirst()
                .map(text)
                .orElse(Numbers.NONE);
    }

    /**
     * A table for each probe, a row for each model and comparison.
     *
     * @param published whether what the paper printed of the same probes follows
     */
    public static List<Table> probes(Map<String, ProbeResult> results, double confidence, boolean published) {
        Map<String, List<Table.Row>> byProbe = new LinkedHashMap<>();
        results.forEach((model, result) -> result.tests()
                .forEach(test -> byProbe.computeIfAbsent(test.probe(), probe -> new ArrayList<>())
                        .add(row(model, test))));
        if (published) {
            PublishedProbes.of(byProbe.keySet())
                    .forEach(test ->
                            Objects.requireNonNull(byProbe.get(test.probe())).add(test.row()));
        }
        List<Table> tables = new ArrayList<>();
        byProbe.forEach((probe, rows) -> tables.add(table(probe, rows, confidence)));
        return tables;
    }

    private static Table table(String probe, List<Table.Row> rows, double confidence) {
        List<String> header = List.of(
                "model",
                "comparison",
                "n",
                "mean difference",
                "interval",
                "t",
                "p",
                ACCURACY.contains(probe) ? "accuracy" : "share higher",
                "d");
        List<String> notes = new ArrayList<>(List.of("interval: " + Numbers.percent(confidence)
                + ", paired t; d: mean difference in its standard deviations; ties count against the first"));
        if (rows.stream().anyMatch(row -> row.cells().getFirst().endsWith(PublishedProbes.MARK))) {
            notes.add(PublishedProbes.MARK + " as published, on other pairs of the same kind");
        }
        String meaning = MEANINGS.getOrDefault(probe, "text1 - text2; positive: prefers text1");
        Table table = new Table(probe + ": " + meaning, List.of(), header, rows, notes);
        boolean single = rows.stream().map(row -> row.cells().get(1)).distinct().count() == 1;
        return single ? table.without(1) : table;
    }

    private static Table.Row row(String model, PairTest test) {
        Estimate difference = test.difference();
        return new Table.Row(List.of(
                model,
                test.comparison(),
                String.valueOf(test.n()),
                significant(test.first() - test.second()),
                difference == null
                        ? Numbers.NONE
                        : "[" + significant(difference.interval().low()) + ", "
                                + significant(difference.interval().high()) + "]",
                decimals(test.t()),
                difference == null ? Numbers.NONE : Numbers.pValue(difference.pValue()),
                percent(test.share()),
                decimals(test.effect())));
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }

    /** Scores have no unit: cosines lie in hundredths, dot products in tens. */
    private static String significant(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 1 ? "%+.4f" : "%+.2f", value);
    }

    private static String decimals(@Nullable Double value) {
        return value == null ? Numbers.NONE : String.format(Locale.ROOT, "%+.2f", value);
    }
}
