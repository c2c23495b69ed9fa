package io.posbias.score.result;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Qrels;
import io.posbias.score.measure.Profiler;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Scores;
import io.posbias.score.measure.SearchFacts;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.SettingsFields;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Pooled queries of several results of one model; shared by {@code pool} and {@code run}. */
public final class ResultPool {
    private final String name;
    private final List<StoredCell> cells;
    private final List<Result> parts;

    /**
     * @param name of the pooled benchmark
     * @param folders of finished cells, at least one, in any order
     * @throws UsageException if they are not finished or not comparable
     */
    public ResultPool(String name, List<Path> folders) {
        this.name = name;
        this.cells = folders.stream()
                .map(StoredCell::read)
                .sorted(Comparator.comparing(cell -> cell.result().dataset()))
                .toList();
        this.parts = cells.stream().map(StoredCell::result).toList();
        parts.forEach(part -> refuseMixture(parts.getFirst(), part));
        if (parts.stream().map(Result::dataset).distinct().count() < parts.size()) {
            throw new UsageException("the results must be of different datasets: "
                    + String.join(", ", parts.stream().map(Result::dataset).toList()));
        }
    }

    public String model() {
        return parts.getFirst().model();
    }

    /**
     * Writes the pooled result into a folder, unless it has it.
     *
     * @throws PosbiasException if the folder has the result of other parts
     */
    public Result into(ResultFolder target, boolean overwrite, Session session) {
        Result first = parts.getFirst();
        Settings wanted = first.settings();
        Map<String, String> files = new LinkedHashMap<>();
        parts.forEach(part ->
                part.provenance().datasetSha256().forEach((file, sum) -> files.put(part.dataset() + "/" + file, sum)));
        DatasetCard card = DatasetCard.named(name);
        RunKey key = RunKey.of(first.evaluatedModel(), card, files, wanted, null);
        String seal = overwrite ? null : target.seal();
        StoredCell earlier = overwrite ? null : target.cell(key).orElse(null);
        CellQueries pooled = pool(files, session);
        if (earlier != null && earlier.holds(pooled.result())) {
            session.say(earlier.finishedBefore());
            return earlier.result();
        }
        if (earlier != null) {
            session.say(earlier.replacedBy(pooled.result()));
        }
        return target.replace(seal, session, staging -> {
                    Result made = ResultFolder.write(staging, pooled, null, 1);
                    String fixed = parts.size() == 1
                            ? ""
                            : ", each by the number of its queries; what is found holds for these benchmarks, not for"
                                    + " others";
                    session.say(Plural.of(parts.size(), "result") + " pooled" + fixed + "; files in " + target.path());
                    return made;
                })
                .orElseGet(() -> into(target, overwrite, session));
    }

    private CellQueries pool(Map<String, String> files, Session session) {
        Result first = parts.getFirst();
        Settings settings = first.settings();
        QueriesFile joined = new QueriesFile(settings);
        for (int i = 0; i < parts.size(); i++) {
            joined.add(cells.get(i), parts.get(i).dataset() + "/");
        }
        QueryBuckets placement = joined.placement();
        if (joined.holdsTranslations(placement)) {
            session.say(
                    "queries of equal identifiers on equal passages are translations: all those of an original passage"
                            + " are one cluster");
        }
        Scores scores = joined.scores();
        int threads = Runtime.getRuntime().availableProcessors();
        Result pooled = new Result(
                first.model(),
                first.family(),
                name,
                counts(parts, placement),
                new Profiler(settings, threads).profiles(scores, placement),
                Retrieval.NONE,
                new Provenance(
                        settings,
                        first.recipe(),
                        first.provenance().recipeSha256(),
                        files,
                        parts.stream()
                                .flatMap(part -> part.provenance().datasetNotes().stream())
                                .distinct()
                                .toList(),
                        null,
                        Map.of(),
                        Environment.describe(threads),
                        Map.of()));
        return new CellQueries(pooled, scores, placement, SearchFacts.NONE, List.of());
    }

    private static void refuseMixture(Result first, Result part) {
        String pair = first.model() + " on " + first.dataset() + " and " + part.model() + " on " + part.dataset();
        if (!part.model().equals(first.model())
                || !part.provenance().recipeSha256().equals(first.provenance().recipeSha256())) {
            throw new UsageException(pair + " are results of different models");
        }
        if (!first.settings().equals(part.settings())) {
            throw new UsageException(pair + " were evaluated with different settings: "
                    + String.join("; ", SettingsFields.differences(first.settings(), part.settings())));
        }
    }

    private static QueryCounts counts(List<Result> parts, QueryBuckets placement) {
        List<QueryCounts> counts = parts.stream().map(Result::queries).toList();
        int tied = sum(counts, QueryCounts::tied);
        int alsoPassages = sum(counts, QueryCounts::alsoPassages);
        Qrels.Counts judgements = counts.stream()
                .map(QueryCounts::judgements)
                .filter(Objects::nonNull)
                .reduce(Qrels.Counts.NONE, Qrels.Counts::plus);
        return new QueryCounts(
                counts.stream().mapToInt(QueryCounts::judged).sum(),
                counts.stream().mapToInt(QueryCounts::unjudged).sum(),
                placement.inSeveral(),
                placement.inNone(),
                counts.stream().mapToInt(QueryCounts::unanswered).sum(),
                tied == 0 ? null : (Integer) tied,
                null,
                alsoPassages == 0 ? null : (Integer) alsoPassages,
                judgements.equals(Qrels.Counts.NONE) ? null : judgements);
    }

    private static int sum(List<QueryCounts> counts, Function<QueryCounts, @Nullable Integer> count) {
        return counts.stream().map(count).filter(Objects::nonNull).reduce(0, Integer::sum);
    }
}
