package io.posbias.study.probe;

import io.posbias.base.json.Fields;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.table.CsvRows;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.DataOrigin;
import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.Diagnosis;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.ModelFolders;
import io.posbias.score.result.Origin;
import io.posbias.study.probe.ItemScorer.ScoredItem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A diagnosis that scores a list of items. Its scores.csv has all scores, so that a result is recomputed without the model.
 *
 * @param <F> type of the findings
 */
public abstract class ItemDiagnosis<F> implements Diagnosis<List<ScoredItem>, F> {
    record ScoreLine(
            @Meaning("name of the probe, or of the change") String probe,
            @Meaning("identifier of the item") String id,

            @Meaning("tags of the item, `name=value`, joined by `;`")
            String tags,

            @Meaning(value = "score of the query and the first text", unit = "score")
            double score1,

            @Meaning(value = "score of the query and the second text; empty for items of one text", unit = "score")
            @Nullable
            Double score2) {
        static ScoreLine of(ScoredItem scored) {
            String tags = new TreeMap<>(scored.item().tags())
                    .entrySet().stream()
                            .map(tag -> tag.getKey() + "=" + tag.getValue())
                            .collect(Collectors.joining(";"));
            return new ScoreLine(
                    scored.item().probe().name(), scored.item().id(), tags, scored.score1(), scored.score2());
        }
    }

    protected static final RecordCsv<ScoreLine> SCORES = new RecordCsv<>(ScoreLine.class);

    protected final String digest;
    protected final double confidence;

    private final ItemScorer scorer;
    private final @Nullable Dataset dataset;

    /** @param dataset null for items without a benchmark */
    protected ItemDiagnosis(@Nullable Dataset dataset, ItemScorer scorer, double confidence) {
        this.dataset = dataset;
        this.scorer = scorer;
        this.digest = scorer.digest();
        this.confidence = confidence;
    }

    /** For items in a benchmark's languages. */
    protected ItemDiagnosis(Dataset dataset, List<ProbeItem> items, double confidence) {
        this(
                dataset,
                new ItemScorer(items, dataset.card().language(), dataset.card().queryLanguage()),
                confidence);
    }

    protected final Dataset dataset() {
        return Objects.requireNonNull(dataset);
    }

    private DataOrigin data() {
        return DataOrigin.of(
                dataset(), scorer.items().stream().map(ProbeItem::id).toList());
    }

    /**
     * Notes of a table, with query counts for pooled benchmarks.
     *
     * @param interval describes intervals; %s becomes the confidence
     */
    protected final List<String> notes(String interval, String... more) {
        List<String> notes = new ArrayList<>(List.of(interval.formatted(NumberFormat.percent(confidence))));
        notes.addAll(List.of(more));
        notes.addAll(data().note());
        return notes;
    }

    protected final Origin origin(EvaluatedModel model) {
        return Origin.of(model, digest, data(), confidence);
    }

    @Override
    public String work() {
        return dataset().name() + ": " + Plural.of(scorer.items().size(), "item");
    }

    @Override
    public List<ScoredItem> score(Recipe recipe, Engine engine) {
        return scorer.score(recipe, engine);
    }

    @Override
    public final Optional<List<ScoredItem>> known(EvaluatedModel model, Path folder) {
        ModelFolders.refuseOther(folder, model, digest);
        return Optional.of(read(folder.resolve(ModelFolders.SCORES)));
    }

    private List<ScoredItem> read(Path file) {
        List<ProbeItem> items = scorer.items();
        List<Fields> rows = CsvRows.read(file);
        if (rows.size() != items.size()) {
            throw new PosbiasException(file + " holds " + rows.size() + " scores where " + items.size() + " belong");
        }
        List<ScoredItem> scored = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Fields row = rows.get(i);
            ProbeItem item = items.get(i);
            Double second = row.has("score2") ? (Double) row.parsedNumber("score2") : null;
            if (!row.text("id", "").equals(item.id()) || (second == null) != (item.text2() == null)) {
                throw row.bad("id", "is not " + item.id() + " with its scores", "--overwrite writes the file anew");
            }
            scored.add(new ScoredItem(item, row.parsedNumber("score1"), second));
        }
        return scored;
    }

    @Override
    public final Table scores(List<ScoredItem> scores) {
        return SCORES.table(scores.stream().map(ScoreLine::of).toList());
    }
}
