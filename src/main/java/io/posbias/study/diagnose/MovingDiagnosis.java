package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.plot.Figure;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Clusters;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.Query;
import io.posbias.run.placing.Documents;
import io.posbias.run.placing.EvidenceMover;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Origin;
import io.posbias.score.result.Study;
import io.posbias.study.probe.ItemDiagnosis;
import io.posbias.study.probe.ItemScorer.ScoredItem;
import io.posbias.study.probe.PairTest;
import io.posbias.study.probe.ProbeItem;
import io.posbias.study.probe.ProbeRun;
import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code diagnose moving}: scores with the evidence at several places of its document. */
public final class MovingDiagnosis extends ItemDiagnosis<MovingDiagnosis.MovingCurve> {
    private static final String PUBLISHED = "data/published/training-moving.csv";
    private static final String MARK = " (published)";

    private record Peak(String model, @Nullable Integer queries, PlaceCurve curve) {}

    private static final Columns<Peak> PEAKS = new Columns<Peak>()
            .text("model", Peak::model)
            .text("n", Peak::queries)
            .part(Peak::curve, PlaceCurve.peaks("place"));

    private record PlaceRow(
            String model,
            @Meaning("queries whose evidence was moved") int queries,
            @JsonUnwrapped PlaceCurve.Line line) {}

    private static final RecordCsv<PlaceRow> LINES = new RecordCsv<>(PlaceRow.class);

    /** Tag with the place, from 1. */
    private static final String POSITION = "position";

    static final ProbeType PROBE = new ProbeType("moving", Shape.PLACES, "", null, false);

    private final boolean published;

    /**
     * Relocates the evidence.
     *
     * @throws UsageException if no query has an evidence span in its one relevant passage
     */
    public MovingDiagnosis(Documents documents, int places, double confidence, boolean published, Session session) {
        super(documents.dataset(), items(documents, places, session), confidence);
        this.published = published;
    }

    /** The texts of a document, tagged with their place from 1. */
    static List<ProbeItem> items(EvidenceMover mover, Query query, String cluster, int places) {
        List<ProbeItem> items = new ArrayList<>();
        for (String text : mover.texts(places)) {
            Map<String, String> tags = Map.of(POSITION, String.valueOf(items.size() + 1));
            items.add(new ProbeItem(PROBE, query.id(), query.text(), text, null, tags, cluster));
        }
        return items;
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
                                .map(mover -> items(mover, document.query(), documents.clusterOf(document), places)),
                        "documents",
                        "fewer than " + EvidenceMover.LEAST_SENTENCES + " sentences or nothing but evidence",
                        "there is nothing to move",
                        "; "
                                + Plural.of(documents.dataset().judgedQueries().size() - evident.size(), "query")
                                + " without a span in one relevant passage",
                        session)
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public MovingCurve find(List<ScoredItem> scores, Map<String, MovingCurve> earlier) {
        return MovingCurve.of(scores, confidence);
    }

    public static Study study() {
        return new Study(
                "diagnose-result-2",
                MovingFile.class,
                new Study.Csv("A line for each model and place.", LINES),
                new Study.Csv("A line for each item.", SCORES));
    }

    /** JSON document; numbers are not multiplied by 1000. */
    public record MovingFile(@JsonUnwrapped Origin origin, MovingCurve moving) {}

    @Override
    public MovingFile document(EvaluatedModel model, MovingCurve found) {
        return new MovingFile(origin(model), found);
    }

    @Override
    public List<Table> tables(Map<String, MovingCurve> found) {
        List<Table> tables = new ArrayList<>();
        List<String> notes = notes(PlaceCurve.peaksNote("place"), "place 1: evidence first; last place: evidence last");
        List<Peak> peaks = new ArrayList<>();
        found.forEach((model, moved) -> peaks.add(new Peak(model, moved.queries(), moved.curve())));
        List<PlaceCurve.Published> curves = published ? PlaceCurve.Published.read(PUBLISHED) : List.of();
        curves.forEach(curve -> peaks.add(new Peak(curve.name() + MARK, null, curve.curve())));
        if (published) {
            notes.add("published: of Table 13 of arXiv:2605.26578");
        }
        tables.add(PEAKS.table("Moving evidence: peak and lowest place", peaks, notes));
        found.forEach((model, moved) -> tables.add(moved.curve()
                .table(model + ": mean score by the place of the evidence", "place", "query", confidence)));
        if (published) {
            tables.add(PlaceCurve.means(
                            new Columns<PlaceCurve.Published>().label("model", curve -> curve.name() + MARK),
                            curves.getFirst().curve().places().size(),
                            PlaceCurve.Published::curve)
                    .table(
                            "Mean cosine by the place of the evidence, Table 13 of arXiv:2605.26578",
                            curves,
                            List.of(PlaceCurve.SETS + "; pairs of MS MARCO; how many is not printed")));
        }
        return tables;
    }

    @Override
    public Table raw(Map<String, MovingCurve> found) {
        return LINES.table(found.entrySet().stream()
                .flatMap(model -> model.getValue().curve().lines().stream()
                        .map(line ->
                                new PlaceRow(model.getKey(), model.getValue().queries(), line)))
                .toList());
    }

    @Override
    public List<Figure> figures(Map<String, MovingCurve> found) {
        Map<String, List<PairTest>> againstFirst = new LinkedHashMap<>();
        found.forEach((model, moved) -> againstFirst.put(model, moved.curve().tests()));
        return List.of(ProbeRun.places(dataset().name(), againstFirst));
    }

    /** Mean score by place of the evidence: a row of Table 5 of arXiv:2605.26578 with its uncertainty. */
    public record MovingCurve(
            int queries,
            @JsonProperty("units") int clusters,
            @JsonUnwrapped PlaceCurve curve) {
        /** The curve of the items of the probe "moving". */
        public static MovingCurve of(List<ScoredItem> items, double confidence) {
            Map<Integer, Map<String, Double>> scores = new TreeMap<>();
            items.forEach(scored -> scores.computeIfAbsent(
                            Integer.valueOf(scored.item().tag(POSITION)), place -> new LinkedHashMap<>())
                    .put(scored.item().id(), scored.score1()));
            List<double[]> columns = scores.values().stream()
                    .map(byQuery -> byQuery.values().stream()
                            .mapToDouble(score -> score)
                            .toArray())
                    .toList();
            Clusters clusters = ScoredItem.clusters(items.stream()
                    .filter(scored -> scored.item().tag(POSITION).equals("1"))
                    .toList());
            return new MovingCurve(
                    columns.getFirst().length, clusters.count(), PlaceCurve.of(PROBE, columns, clusters, confidence));
        }
    }
}
