package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.plot.Effects;
import io.posbias.base.plot.Figure;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.table.Columns;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code diagnose needle}: scores after inserting irrelevant text or removing thirds. */
public final class NeedleDiagnosis extends ItemDiagnosis<ProbeResult> {
    /** Documents with fewer sentences have no thirds. */
    public static final int LEAST_SENTENCES = 3;

    private static final List<String> PARTS = List.of("beginning", "middle", "end");
    private static final String KEPT = " (evidence kept)";

    /** Names of all changes, in table order. */
    static final List<String> NAMES = Stream.of("insert %s", "remove %s", "remove %s" + KEPT)
            .flatMap(change -> PARTS.stream().map(change::formatted))
            .toList();

    private static final Columns<ProbeTables.Row> CHANGES = new Columns<ProbeTables.Row>()
            .label("model", ProbeTables.Row::model)
            .label("change", row -> row.test().probe())
            .text("n", row -> row.test().n())
            .text("clusters", row -> row.test().clusters())
            .number("changed", NumberFormat.SCORE, row -> row.test().firstMean())
            .number("unchanged", NumberFormat.SCORE, row -> row.test().secondMean())
            .tested(
                    "difference x 1000",
                    NumberFormat.THOUSANDTHS,
                    row -> row.test().tested());

    /**
     * @throws PosbiasException if no document has {@value #LEAST_SENTENCES} sentences
     */
    public NeedleDiagnosis(Documents documents, String needle, double confidence, Session session) {
        super(documents.dataset(), items(documents, needle, session), confidence);
    }

    private static List<ProbeItem> items(Documents documents, String needle, Session session) {
        List<ProbeItem> items = new ArrayList<>();
        documents
                .fitting(
                        documents.read(documents.answered()),
                        document -> Optional.of(document)
                                .filter(own -> own.sentences().size() >= LEAST_SENTENCES),
                        "documents",
                        "fewer than " + LEAST_SENTENCES + " sentences",
                        "thirds cannot be removed",
                        "",
                        session)
                .forEach(document -> texts(document.sentences(), document.evidence(), needle)
                        .forEach((change, text) -> items.add(ProbeItem.changed(
                                document.query(), documents.clusterOf(document), change, text, document.text()))));
        // Tables show changes in the order of their first items, which must not hang on where the evidence lies.
        items.sort(Comparator.comparingInt(item -> NAMES.indexOf(item.probe().name())));
        return items;
    }

    /**
     * The changed texts by change: the needle before the first sentence, after half of them rounded up, and after the last; and
     * the text without each third, cut at round(n / 3) and round(2 n / 3). A third that does not overlap the evidence appears a
     * second time as "evidence kept".
     *
     * @param evidence in UTF-16 units; null if unknown
     */
    public static Map<String, String> texts(Sentences document, @Nullable Span evidence, String needle) {
        int size = document.size();
        Sentences.Range answer =
                evidence == null ? null : document.holding(evidence).orElse(null);
        Map<String, String> texts = new LinkedHashMap<>();
        for (int part = 0; part < PARTS.size(); part++) {
            String text = document.inserted(document.all(), (part * size + 1) / 2, List.of(needle));
            texts.put("insert " + PARTS.get(part), text);
            Sentences.Range third = new Sentences.Range((2 * part * size + 3) / 6, (2 * (part + 1) * size + 3) / 6);
            String rest = document.join(document.without(third));
            texts.put("remove " + PARTS.get(part), rest);
            if (answer != null && !answer.overlaps(third)) {
                texts.put("remove " + PARTS.get(part) + KEPT, rest);
            }
        }
        return texts;
    }

    @Override
    public ProbeResult find(List<ScoredItem> scores, Map<String, ProbeResult> earlier) {
        return ProbeResult.of(scores, confidence);
    }

    public static Study study() {
        return new Study(
                "diagnose-result-2",
                NeedleFile.class,
                new Study.Csv("A line for each model and comparison, and for each cell of a grid.", ProbeTables.LINES),
                new Study.Csv("A line for each item.", SCORES));
    }

    public record NeedleFile(@JsonUnwrapped Origin origin, List<PairTest> needle) {}

    @Override
    public NeedleFile document(EvaluatedModel model, ProbeResult found) {
        return new NeedleFile(origin(model), found.tests());
    }

    @Override
    public List<Table> tables(Map<String, ProbeResult> found) {
        List<String> notes = notes(
                "interval: %s, paired t; p not corrected for the number of changes",
                "evidence kept: only documents whose evidence is not in the removed third");
        return List.of(
                CHANGES.table("Needle: change of the score when documents change", ProbeTables.Row.of(found), notes));
    }

    @Override
    public Table raw(Map<String, ProbeResult> found) {
        return ProbeTables.raw(found, false);
    }

    @Override
    public List<Figure> figures(Map<String, ProbeResult> found) {
        Effects effects = new Effects(
                "needle",
                "change of the score when documents change: " + dataset().name(),
                "effect size d = t / sqrt(n)");
        ProbeTables.Row.of(found).forEach(row -> row.test().addTo(effects, row.model()));
        return effects.figures("Points: mean of changed minus unchanged score in its standard deviations. Whiskers:"
                + " intervals of that mean, in the same unit.");
    }
}
