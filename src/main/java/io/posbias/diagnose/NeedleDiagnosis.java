package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.PosbiasException;
import io.posbias.Session;
import io.posbias.dataset.DatasetPool;
import io.posbias.dataset.Query;
import io.posbias.evaluate.Origin;
import io.posbias.plot.Effects;
import io.posbias.plot.Figure;
import io.posbias.probe.ItemDiagnosis;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ProbeResult;
import io.posbias.probe.ProbeTables;
import io.posbias.probe.ScoredItem;
import io.posbias.result.EvaluatedModel;
import io.posbias.table.NumberFormat;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code diagnose needle}: irrelevant text put into documents, thirds taken out of them. */
public final class NeedleDiagnosis extends ItemDiagnosis<ProbeResult> {
    private static final Sheet<ProbeTables.Row> CHANGES = new Sheet<ProbeTables.Row>()
            .label("model", ProbeTables.Row::model)
            .label("change", row -> row.test().probe())
            .plain("n", row -> row.test().n())
            .plain("units", row -> row.test().units())
            .number("changed", NumberFormat.SCORE, row -> row.test().firstMean())
            .number("unchanged", NumberFormat.SCORE, row -> row.test().secondMean())
            .number(
                    "difference x 1000",
                    NumberFormat.THOUSANDTHS,
                    row -> row.test().meanDifference())
            .interval("interval", NumberFormat.THOUSANDTHS, row -> row.test().interval())
            .number("p", NumberFormat.P, row -> row.test().pValue());

    private final Documents documents;

    /**
     * @param confidence of all intervals, between 0 and 1
     * @param session is told how many documents fit
     * @throws PosbiasException if no document does
     */
    public NeedleDiagnosis(Documents documents, Needle needle, double confidence, Session session) {
        super(documents.dataset(), items(documents, needle, session), confidence);
        this.documents = documents;
    }

    private static List<ProbeItem> items(Documents documents, Needle needle, Session session) {
        String name = documents.dataset().name();
        List<Query> answered = documents.answered();
        if (answered.isEmpty()) {
            throw new PosbiasException(name + " has no query with a relevant passage; there is nothing to change");
        }
        List<ProbeItem> items = new ArrayList<>();
        documents
                .fitting(
                        documents.read(answered),
                        document -> Optional.of(document)
                                .filter(own -> own.sentences().size() >= Needle.LEAST_SENTENCES),
                        "documents",
                        "fewer than " + Needle.LEAST_SENTENCES + " sentences",
                        "there are no thirds to take out",
                        "",
                        session)
                .forEach(document -> items.addAll(needle.items(
                        document.query().id(),
                        document.query().text(),
                        documents.unit(document),
                        document.sentences(),
                        document.evidence())));
        // Tables show changes in the order of their first items, which must not hang on where the evidence lies.
        items.sort(Comparator.comparingInt(
                item -> Needle.changes().indexOf(item.probe().name())));
        return items;
    }

    @Override
    public ProbeResult find(List<ScoredItem> scores, Map<String, ProbeResult> earlier) {
        return ProbeResult.of(scores, confidence);
    }

    /** What result.json holds. */
    public record Document(@JsonUnwrapped Origin origin, List<PairTest> needle) {}

    @Override
    public Document document(EvaluatedModel model, ProbeResult found) {
        return new Document(
                Origin.of(model, digest(), documents.dataset(), pooled(documents.dataset()), confidence),
                found.tests());
    }

    @Override
    public List<Table> tables(Map<String, ProbeResult> found) {
        List<String> notes = new ArrayList<>(List.of(
                "interval: " + NumberFormat.percent(confidence)
                        + ", paired t; p not corrected for the number of changes",
                "evidence kept: only documents whose evidence is not in the removed third"));
        notes.addAll(DatasetPool.note(pooled(documents.dataset())));
        return List.of(
                CHANGES.table("Needle: change of the score when documents change", ProbeTables.Row.of(found), notes));
    }

    @Override
    public Table raw(Map<String, ProbeResult> found) {
        return ProbeTables.raw(found, false);
    }

    /** The change of the score with each change of a document, in standard deviations of the differences. */
    @Override
    public List<Figure> figures(Map<String, ProbeResult> found) {
        Effects effects = new Effects(
                "needle",
                "change of the score when documents change: "
                        + documents.dataset().name(),
                "effect size d = t / sqrt(n)");
        ProbeTables.Row.of(found).forEach(row -> row.test().addTo(effects, row.model()));
        return effects.figures("Points: mean of changed minus unchanged score in its standard deviations. Whiskers:"
                + " intervals of that mean, in the same unit.");
    }
}
