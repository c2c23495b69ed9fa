package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.plot.Figure;
import io.posbias.base.process.Session;
import io.posbias.base.table.Columns;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.data.dataset.Sentences;
import io.posbias.run.placing.Documents;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Origin;
import io.posbias.score.result.Study;
import io.posbias.study.probe.ItemDiagnosis;
import io.posbias.study.probe.ItemScorer.ScoredItem;
import io.posbias.study.probe.PairTest;
import io.posbias.study.probe.ProbeItem;
import io.posbias.study.probe.ProbeResult;
import io.posbias.study.probe.ProbeTables;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code diagnose repeat}: scores after the sentence with the evidence is repeated at the end of its document. */
public final class RepeatDiagnosis extends ItemDiagnosis<ProbeResult> {
    private static final Columns<ProbeTables.Row> CHANGES = new Columns<ProbeTables.Row>()
            .label("model", ProbeTables.Row::model)
            .text("n", row -> row.test().n())
            .number("repeated", NumberFormat.SCORE, row -> row.test().firstMean())
            .number("unchanged", NumberFormat.SCORE, row -> row.test().secondMean())
            .tested(
                    "difference x 1000",
                    NumberFormat.THOUSANDTHS,
                    row -> row.test().tested());

    public RepeatDiagnosis(Documents documents, double confidence, Session session) {
        super(documents.dataset(), items(documents, session), confidence);
    }

    private static List<ProbeItem> items(Documents documents, Session session) {
        return documents.fitting(
                documents.read(documents.answered()),
                document -> repeated(document)
                        .map(text -> ProbeItem.changed(
                                document.query(), documents.clusterOf(document), "repeat", text, document.text())),
                "documents",
                "no evidence span",
                "it is unknown what to repeat",
                "",
                session);
    }

    private static Optional<String> repeated(Documents.Document document) {
        Sentences text = document.sentences();
        return Optional.ofNullable(document.evidence())
                .flatMap(text::holding)
                .map(evidence -> text.inserted(text.all(), text.size(), text.of(evidence)));
    }

    /** Describes what is written. */
    public static Study study() {
        return new Study(
                "diagnose-result-2",
                RepeatFile.class,
                new Study.Csv("A line for each model and comparison, and for each cell of a grid.", ProbeTables.LINES),
                new Study.Csv("A line for each item.", SCORES));
    }

    /** JSON document. */
    public record RepeatFile(@JsonUnwrapped Origin origin, List<PairTest> repeat) {}

    @Override
    public ProbeResult find(List<ScoredItem> scores, Map<String, ProbeResult> earlier) {
        return ProbeResult.of(scores, confidence);
    }

    @Override
    public RepeatFile document(EvaluatedModel model, ProbeResult found) {
        return new RepeatFile(origin(model), found.tests());
    }

    @Override
    public List<Table> tables(Map<String, ProbeResult> found) {
        return List.of(CHANGES.table(
                "Repeat: change of the score when the evidence is repeated",
                ProbeTables.Row.of(found),
                notes("interval: %s, paired t")));
    }

    @Override
    public Table raw(Map<String, ProbeResult> found) {
        return ProbeTables.raw(found, false);
    }

    @Override
    public List<Figure> figures(Map<String, ProbeResult> found) {
        return List.of();
    }
}
