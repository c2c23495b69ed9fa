package io.posbias.report;

import io.posbias.Json;
import io.posbias.measure.Comparison;
import io.posbias.position.Strata;
import io.posbias.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Comparisons of systems as a table and as JSON. */
public final class Comparisons {
    /** The schema of the JSON. */
    public static final String SCHEMA = "posbias/comparison/1";

    private Comparisons() {}

    /** One row for each pair: means, their difference, both p-values, wins, and PSI likewise. */
    public static Table table(String measure, List<Compared> compared, int draws, double confidence) {
        List<Table.Group> groups = List.of(
                new Table.Group("", 2),
                new Table.Group("mean in points (x100)", 7),
                new Table.Group("queries", 3),
                new Table.Group("PSI", 4));
        List<String> header = List.of(
                "comparison",
                "dataset",
                "first",
                "second",
                "difference",
                "interval",
                "t p",
                "rand p",
                "Holm p",
                "wins",
                "ties",
                "losses",
                "difference",
                "interval",
                "p",
                "Holm p");
        List<Table.Row> rows = compared.stream().map(Comparisons::row).toList();
        String percent = Numbers.percent(confidence);
        List<String> notes = new ArrayList<>();
        notes.add("differences are second less first, wins those of the second; interval of the mean: " + percent
                + ", paired t");
        if (draws > 0) {
            notes.add("rand p: paired randomisation test, " + draws + " draws; interval of PSI: " + percent
                    + ", paired bootstrap within buckets");
        }
        notes.add("Holm p: adjusted for the " + compared.size() + " comparisons of this table");
        return new Table(measure + ": systems on the same queries", groups, header, rows, notes);
    }

    private static Table.Row row(Compared compared) {
        Comparison of = compared.comparison();
        Estimate difference = of.difference();
        Comparison.PsiDifference psi = of.psi();
        Estimate psiDifference = psi == null ? null : psi.difference();
        String stratum = of.stratum().equals(Strata.ALL) ? "" : " " + of.stratum();
        return new Table.Row(List.of(
                compared.first() + " / " + compared.second(),
                compared.dataset() + stratum,
                Numbers.points(of.firstMean()),
                Numbers.points(of.secondMean()),
                Numbers.signedPoints(difference.value()),
                Numbers.signedPoints(difference.interval()),
                Numbers.pValue(difference.pValue()),
                Numbers.pValue(of.randomisation()),
                Numbers.pValue(compared.holm()),
                String.valueOf(of.wins()),
                String.valueOf(of.ties()),
                String.valueOf(of.losses()),
                psi == null ? Numbers.NONE : Numbers.signedFraction(psi.value()),
                psiDifference == null ? Numbers.NONE : Numbers.signedFraction(psiDifference.interval()),
                psiDifference == null ? Numbers.NONE : Numbers.pValue(psiDifference.pValue()),
                Numbers.pValue(compared.holmPsi())));
    }

    /** All numbers as a JSON document in UTF-8. */
    public static byte[] toBytes(List<Compared> compared, int draws, long seed, double confidence) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        document.put("draws", draws);
        document.put("seed", seed);
        document.put("confidence", confidence);
        document.put("comparisons", compared.stream().map(Comparisons::toMap).toList());
        return Json.toBytes(document);
    }

    private static Map<String, @Nullable Object> toMap(Compared compared) {
        Comparison of = compared.comparison();
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("dataset", compared.dataset());
        map.put("first", compared.first());
        map.put("second", compared.second());
        map.put("measure", of.measure());
        map.put("stratum", of.stratum());
        map.put("queries", of.queries());
        map.put("first_mean", of.firstMean());
        map.put("second_mean", of.secondMean());
        map.put("difference", ProfileFields.estimate(of.difference()));
        map.put("randomisation_p_value", of.randomisation());
        map.put("holm_p_value", compared.holm());
        map.put("wins", of.wins());
        map.put("ties", of.ties());
        map.put("losses", of.losses());
        Comparison.PsiDifference psi = of.psi();
        map.put("psi", psi == null ? null : psi(psi, compared.holmPsi()));
        map.put("buckets", of.buckets().stream().map(Comparisons::bucket).toList());
        return map;
    }

    private static Map<String, @Nullable Object> psi(Comparison.PsiDifference psi, @Nullable Double holm) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("first", psi.first());
        map.put("second", psi.second());
        if (psi.difference() != null) {
            map.put("difference", ProfileFields.estimate(psi.difference()));
            map.put("holm_p_value", holm);
        }
        return map;
    }

    private static Map<String, @Nullable Object> bucket(Comparison.Bucket bucket) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("bucket", bucket.bucket());
        map.put("queries", bucket.queries());
        map.put("first_mean", bucket.firstMean());
        map.put("second_mean", bucket.secondMean());
        Estimate difference = bucket.difference();
        map.put("difference", difference == null ? null : ProfileFields.estimate(difference));
        return map;
    }
}
