package io.posbias.score.gate;

import io.posbias.score.gate.Check.Change;
import io.posbias.score.gate.Check.Outcome;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Profile;
import io.posbias.score.result.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares all numbers of a cell exactly: the same model, texts and settings give the same bits. */
final class ExactCheck {
    private ExactCheck() {}

    static void add(PairedGate.Versions cell, List<Check> checks) {
        Map<String, @Nullable Double> today = numbers(cell.after().result());
        numbers(cell.before().result()).forEach((number, before) -> {
            Double after = today.get(number);
            Outcome outcome = !today.containsKey(number)
                    ? Outcome.MISSING
                    : Objects.equals(before, after) ? Outcome.SAME : Outcome.CHANGED;
            String line = outcome + ": " + cell.cell() + ": " + number + ": " + text(before)
                    + (outcome == Outcome.MISSING ? "" : " -> " + text(after));
            checks.add(new Check(cell.cell(), number, outcome, line, new Change(before, after, null)));
        });
        for (String measure : cell.before().result().measures()) {
            double[] before = cell.before().of(measure);
            double[] after = cell.after().of(measure);
            int different = 0;
            for (int query = 0; before != null && after != null && query < before.length; query++) {
                different += Double.compare(before[query], after[query]) == 0 ? 0 : 1;
            }
            if (different > 0) {
                String line = "changed: " + cell.cell() + ": " + measure + ": " + different + " of "
                        + Objects.requireNonNull(before).length + " queries score differently";
                checks.add(new Check(cell.cell(), measure + ", queries", Outcome.CHANGED, line, null));
            }
        }
    }

    private static Map<String, @Nullable Double> numbers(Result result) {
        Map<String, @Nullable Double> numbers = new LinkedHashMap<>();
        for (Profile profile : result.profiles()) {
            String place = profile.measure() + ", " + profile.stratum() + ", ";
            numbers.put(place + "query_mean", profile.queryMean());
            numbers.put(place + "bucket_mean", profile.bucketMean());
            numbers.put(place + "psi", profile.psi().value());
            if (profile.contentFixed() != null) {
                numbers.put(place + "cpsi", profile.contentFixed().cpsi().value());
            }
            for (BucketMean bucket : profile.buckets()) {
                numbers.put(place + "bucket " + bucket.bucket(), bucket.mean());
            }
        }
        return numbers;
    }

    private static String text(@Nullable Double value) {
        return value == null ? "undefined" : value.toString();
    }
}
