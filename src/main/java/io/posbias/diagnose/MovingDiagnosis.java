package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.Session;
import io.posbias.UsageException;
import io.posbias.dataset.DatasetPool;
import io.posbias.dataset.Query;
import io.posbias.evaluate.Origin;
import io.posbias.plot.Figure;
import io.posbias.probe.ItemDiagnosis;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ProbeRun;
import io.posbias.probe.ScoredItem;
import io.posbias.result.EvaluatedModel;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import io.posbias.table.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code diagnose moving}: the evidence at several places of its own document. Differences of scores print times 1000, as in
 * Table 4 of the paper on training distributions.
 */
public final class MovingDiagnosis extends ItemDiagnosis<MovingCurve> {
    private static final Sheet<Map.Entry<String, MovingCurve>> PEAKS = new Sheet<Map.Entry<String, MovingCurve>>()
            .plain("model", Map.Entry::getKey)
            .plain("n", row -> row.getValue().queries())
            .plain("places", row -> row.getValue().places().size())
            .plain("peak", row -> row.getValue().peak())
            .plain("lowest", row -> row.getValue().lowest())
            .number("difference x 1000", Unit.THOUSANDTHS, row -> row.getValue().peakMinusLowest())
            .interval("interval", Unit.THOUSANDTHS, row -> row.getValue().interval());

    private record Row(
            String model,
            int queries,
            MovingCurve.Place place,
            @Nullable PairTest test) {
        <T> @Nullable T of(Function<PairTest, @Nullable T> number) {
            return test == null ? null : number.apply(test);
        }
    }

    private static final Sheet<Row> PLACES = new Sheet<Row>()
            .plain("model", Row::model)
            .only(Sheet.In.CSV)
            .plain("place", row -> row.place().place())
            .plain("n", Row::queries)
            .only(Sheet.In.CSV)
            .number("mean", Unit.SCORE, row -> row.place().mean())
            .interval("interval", Unit.SCORE, row -> row.place().interval())
            .number("less_place_1", Unit.THOUSANDTHS, row -> row.of(PairTest::meanDifference))
            .headed("minus place 1, x 1000")
            .interval("less_place_1", Unit.THOUSANDTHS, row -> row.of(PairTest::interval))
            .headed("its interval")
            .number("p_value", Unit.P, row -> row.of(PairTest::pValue))
            .headed("p");

    private final Documents documents;

    /**
     * @param places how many, at least 2
     * @param confidence of all intervals, between 0 and 1
     * @param session is told how many documents fit
     * @throws UsageException if no query has an evidence span in its one relevant passage
     */
    public MovingDiagnosis(Documents documents, int places, double confidence, Session session) {
        super(documents.dataset(), items(documents, places, session), confidence);
        this.documents = documents;
    }

    private static List<ProbeItem> items(Documents documents, int places, Session session) {
        String name = documents.dataset().name();
        List<Query> evident = documents.evident();
        if (evident.isEmpty()) {
            throw new UsageException("dataset " + name
                    + " has no query with an evidence span in its one relevant passage; there is nothing to move");
        }
        return documents
                .fitting(
                        documents.read(evident),
                        document -> EvidenceMover.of(document.sentences(), Objects.requireNonNull(document.evidence()))
                                .map(mover -> mover.items(
                                        document.query().id(), document.query().text(), places)),
                        "documents",
                        "fewer than " + EvidenceMover.LEAST_SENTENCES + " sentences or nothing but evidence",
                        "there is nothing to move",
                        "; " + (documents.dataset().judgedQueries().size() - evident.size())
                                + " queries without a span in one relevant passage",
                        session)
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public MovingCurve find(List<ScoredItem> scores, Map<String, MovingCurve> earlier) {
        return MovingCurve.of(scores, confidence);
    }

    /** What result.json holds; numbers are as they are, not times 1000. */
    public record Document(@JsonUnwrapped Origin origin, MovingCurve moving) {}

    @Override
    public Document document(EvaluatedModel model, MovingCurve found) {
        return new Document(Origin.of(model, digest(), documents.dataset(), pooled(documents.dataset()), confidence), found);
    }

    @Override
    public List<Table> tables(Map<String, MovingCurve> found) {
        List<Table> tables = new ArrayList<>();
        List<String> notes = new ArrayList<>(List.of(
                "interval: " + Unit.percent(confidence)
                        + ", paired t, of these two places; they are chosen by their means, so the difference is "
                        + "never below 0 and is not tested",
                "place 1: evidence first; last place: evidence last"));
        notes.addAll(DatasetPool.note(pooled(documents.dataset())));
        tables.add(PEAKS.table("Moving evidence: peak and lowest place", List.copyOf(found.entrySet()), notes));
        found.forEach((model, curve) -> tables.add(PLACES.table(
                model + ": mean score by the place of the evidence",
                rows(model, curve),
                List.of("intervals: " + Unit.percent(confidence)
                        + ", t; minus place 1: paired by query, p not corrected for the number of places"))));
        return tables;
    }

    private static List<Row> rows(String model, MovingCurve curve) {
        return curve.places().stream()
                .map(place -> new Row(
                        model,
                        curve.queries(),
                        place,
                        place.place() == 1 ? null : curve.tests().get(place.place() - 2)))
                .toList();
    }

    @Override
    public Table raw(Map<String, MovingCurve> found) {
        return PLACES.raw(found.entrySet().stream()
                .flatMap(model -> rows(model.getKey(), model.getValue()).stream())
                .toList());
    }

    @Override
    public List<Figure> figures(Map<String, MovingCurve> found) {
        Map<String, List<PairTest>> againstFirst = new LinkedHashMap<>();
        found.forEach((model, curve) -> againstFirst.put(model, curve.tests()));
        return List.of(ProbeRun.places(documents.dataset().name(), againstFirst));
    }
}
