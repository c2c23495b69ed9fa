package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.files.Checksums;
import io.posbias.base.plot.Figure;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.DataOrigin;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetPool;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Searcher;
import io.posbias.rank.RetrievedRun;
import io.posbias.run.Diagnosis;
import io.posbias.run.placing.RelocatedTexts;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.Measure;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.position.PositionTables;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.ModelFolders;
import io.posbias.score.result.Origin;
import io.posbias.score.result.PlacesFile;
import io.posbias.score.result.Study;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code diagnose position}: the effect of the evidence's position with the content held fixed. Several benchmarks are searched
 * separately; their queries are pooled.
 */
public final class PositionDiagnosis implements Diagnosis<List<ScoresByPlace>, ContentFixed> {
    private static final int USUAL_DEPTH = 100;

    private final String name;
    private final List<RelocatedTexts> evidence;
    private final Measure measure;
    private final Bucketing buckets;
    private final ContentFixedFit fit;
    private final PositionTables.Content content;

    /** Creates the diagnosis; the measure of the fit ranks the texts. */
    public PositionDiagnosis(
            String name,
            List<RelocatedTexts> evidence,
            Bucketing buckets,
            ContentFixedFit fit,
            PositionTables.Content content) {
        this.name = name;
        this.evidence = List.copyOf(evidence);
        this.measure = fit.settings().measure();
        this.buckets = buckets;
        this.fit = fit;
        this.content = content;
    }

    /** The dataset's own buckets, or fifths. */
    public static Bucketing bucketing(DatasetCard card) {
        return Bucketing.parse(card.bucketed().bucketing());
    }

    /** One passage more than the measure's cutoff. */
    private int depth() {
        return measure.cutoff() == Measure.NO_CUTOFF ? USUAL_DEPTH : measure.cutoff() + 1;
    }

    private String digest() {
        return Checksums.sha256(evidence.stream().map(own -> own.digest(measure.toString())));
    }

    @Override
    public String work() {
        return name + ": " + Plural.of(queries().size(), "query") + " with the evidence at other places";
    }

    @Override
    public List<ScoresByPlace> score(Recipe recipe, Engine engine) {
        return evidence.stream()
                .flatMap(own -> score(own, recipe, engine).stream().map(row -> row.prefixed(called(own, ""))))
                .toList();
    }

    /** An identifier, with the benchmark's name if there are several. */
    private String called(RelocatedTexts own, String id) {
        return evidence.size() == 1 ? id : DatasetPool.prefixed(own.name(), id);
    }

    private List<Query> queries() {
        return evidence.stream().flatMap(own -> own.queries().stream()).toList();
    }

    private DataOrigin data() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        evidence.forEach(own -> counts.put(own.name(), own.queries().size()));
        return DataOrigin.of(name, evidence.stream().map(RelocatedTexts::asked).toList(), counts);
    }

    private List<ScoresByPlace> score(RelocatedTexts own, Recipe recipe, Engine engine) {
        Dataset asked = own.asked();
        RetrievedRun found;
        try (Searcher searcher = recipe.retriever().open(asked, engine)) {
            found = searcher.search(asked.queries(), depth());
        }
        return own.scores(recipe, found, measure, engine);
    }

    @Override
    public Optional<List<ScoresByPlace>> known(EvaluatedModel model, Path folder) {
        ModelFolders.refuseOther(folder, model, digest());
        Path file = folder.resolve(ModelFolders.SCORES);
        List<ScoresByPlace> rows = PlacesFile.read(file);
        List<String> ids = evidence.stream()
                .flatMap(own -> own.queries().stream().map(query -> called(own, query.id())))
                .toList();
        if (!rows.stream().map(ScoresByPlace::query).toList().equals(ids)) {
            throw new PosbiasException(file + " has other queries than the texts: --overwrite writes the file anew");
        }
        return Optional.of(rows);
    }

    @Override
    public ContentFixed find(List<ScoresByPlace> scores, Map<String, ContentFixed> earlier) {
        return fit.of(scores, QueryBuckets.of(queries(), buckets));
    }

    public static Study study() {
        return new Study(
                "diagnose-result-2",
                PositionFile.class,
                new Study.Csv("A line for each number of each model.", PositionTables.NUMBERS),
                new Study.Csv("A line for each query and each place of its evidence.", PlacesFile.LINES));
    }

    public record PositionFile(@JsonUnwrapped Origin origin, ContentFixed position) {}

    @Override
    public PositionFile document(EvaluatedModel model, ContentFixed found) {
        return new PositionFile(
                Origin.of(model, digest(), data(), fit.settings().confidence()), found);
    }

    @Override
    public Table scores(List<ScoresByPlace> scores) {
        return PlacesFile.table(scores);
    }

    @Override
    public List<Table> tables(Map<String, ContentFixed> found) {
        return PositionTables.of(name, found, fit.settings(), content);
    }

    @Override
    public Table raw(Map<String, ContentFixed> found) {
        return PositionTables.raw(found);
    }

    @Override
    public List<Figure> figures(Map<String, ContentFixed> found) {
        return List.of(PositionTables.figure(name, found));
    }
}
