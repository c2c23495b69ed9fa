package io.posbias.rank;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Truncation by the models of a search, with one report per model. A text is read as far as by the model that reads the
 * least of it.
 *
 * @param models whose scores rank the passages
 * @param firstStage models that find the candidates, without those among {@code models}
 */
public record Truncations(List<TruncationReport> models, List<TruncationReport> firstStage) {
    public static final Truncations NONE = new Truncations(List.of(), List.of());

    public Truncations {
        models = byModel(models.stream(), Truncations::moreTruncated);
        List<String> named = models.stream().map(TruncationReport::stage).toList();
        firstStage = byModel(
                firstStage.stream().filter(report -> !named.contains(report.stage())), Truncations::moreTruncated);
    }

    public static Truncations of(TruncationReport model) {
        return new Truncations(List.of(model), List.of());
    }

    private static TruncationReport moreTruncated(TruncationReport one, TruncationReport two) {
        return two.cut() > one.cut() ? two : one;
    }

    private static List<TruncationReport> byModel(
            Stream<TruncationReport> reports, BinaryOperator<TruncationReport> merge) {
        Map<String, TruncationReport> byModel = new LinkedHashMap<>();
        reports.forEach(report -> byModel.merge(report.stage(), report, merge));
        return List.copyOf(byModel.values());
    }

    /** Returns the reports of all models, those of a first stage last. */
    public List<TruncationReport> all() {
        return Stream.concat(models.stream(), firstStage.stream()).toList();
    }

    /** Adds the models of another part of a fusion. */
    public Truncations and(Truncations part) {
        return new Truncations(
                Stream.concat(models.stream(), part.models.stream()).toList(),
                Stream.concat(firstStage.stream(), part.firstStage.stream()).toList());
    }

    /** Replaces the first stage by the models of another search. */
    public Truncations after(Truncations search) {
        return new Truncations(models, search.all());
    }

    public Truncations withoutFirstStage() {
        return after(NONE);
    }

    public Truncations map(UnaryOperator<TruncationReport> change) {
        return new Truncations(
                models.stream().map(change).toList(),
                firstStage.stream().map(change).toList());
    }

    /**
     * Returns the report of the only model that ranks.
     *
     * @throws IllegalStateException for none or several
     */
    public TruncationReport only() {
        if (models.size() != 1) {
            throw new IllegalStateException("truncation of " + models.size() + " models");
        }
        return models.getFirst();
    }

    /** Names a single model after the recipe around it; several keep their names. */
    public Truncations named(String recipe) {
        return models.size() == 1 ? new Truncations(List.of(only().named(recipe)), firstStage) : this;
    }

    /** Adds a search for other queries by the same models. */
    public Truncations plus(Truncations search) {
        return new Truncations(
                byModel(Stream.concat(models.stream(), search.models.stream()), TruncationReport::plus),
                byModel(Stream.concat(firstStage.stream(), search.firstStage.stream()), TruncationReport::plus));
    }

    /**
     * Returns the UTF-16 units of a passage's text that all models read for a query, {@link TruncationReport#WHOLE}, or
     * {@link TruncationReport#UNKNOWN} if this is unknown of a model.
     */
    public int seen(String query, int passage) {
        int least = TruncationReport.WHOLE;
        for (TruncationReport report : all()) {
            int seen = report.seen(query, passage);
            if (seen == TruncationReport.UNKNOWN) {
                return seen;
            }
            if (seen >= 0) {
                least = least == TruncationReport.WHOLE ? seen : Math.min(least, seen);
            }
        }
        return least;
    }
}
