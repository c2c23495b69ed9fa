package io.posbias.retrieve.trec;

import io.posbias.BadInputException;
import io.posbias.Location;
import io.posbias.Printable;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.PassageIds;
import io.posbias.dataset.Query;
import io.posbias.retrieve.Ranking;
import io.posbias.retrieve.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Hits of an external run, in the order of its file. */
final class RunHits {
    private final PassageIds passages;
    private final Set<String> queries;
    private final Map<String, Hits> hits = new LinkedHashMap<>();
    private long negative;

    RunHits(Dataset dataset) {
        this.passages = dataset.passages().ids();
        this.queries = dataset.queries().stream().map(Query::id).collect(Collectors.toSet());
    }

    /** Error in a hit, and the remedy. */
    record Refusal(String found, String advice) {}

    private record Hits(IntStream.Builder passages, DoubleStream.Builder scores) {
        Ranking ranking() {
            double[] wide = scores.build().toArray();
            float[] narrow = new float[wide.length];
            for (int i = 0; i < narrow.length; i++) {
                narrow[i] = (float) wide[i];
            }
            return Ranking.of(passages.build().toArray(), narrow);
        }
    }

    /**
     * Adds a hit.
     *
     * @param number score as in the file
     * @return the error; null if the hit was added
     */
    @Nullable
    Refusal add(String query, String id, String number) {
        if (!queries.contains(query)) {
            return new Refusal(
                    "query " + Printable.quoted(query) + " is not in the benchmark",
                    "is this a run of another dataset?");
        }
        int passage = passages.ordinal(id);
        if (passage < 0) {
            return new Refusal(
                    "passage " + Printable.quoted(id) + " is not in the corpus", "is this a run of another dataset?");
        }
        float score = score(number);
        if (!Float.isFinite(score)) {
            return new Refusal("score " + Printable.quoted(number), "scores must be finite numbers");
        }
        negative += score < 0 ? 1 : 0;
        Hits found = hits.computeIfAbsent(query, own -> new Hits(IntStream.builder(), DoubleStream.builder()));
        found.passages.add(passage);
        found.scores.add(score);
        return null;
    }

    /** Parses a score as trec_eval does, a double cut to a float; NaN if it is not a number. */
    private static float score(String number) {
        try {
            return (float) Double.parseDouble(number);
        } catch (NumberFormatException notNumber) {
            return Float.NaN;
        }
    }

    /**
     * Returns the run.
     *
     * @throws BadInputException without hits, or with a passage twice for a query
     */
    RunReader.Read read(Path file) {
        if (hits.isEmpty()) {
            throw new BadInputException(Location.of(file), "is empty", "a run has one line per hit");
        }
        List<Ranking> rankings = new ArrayList<>(hits.size());
        hits.forEach((query, found) -> {
            try {
                rankings.add(found.ranking());
            } catch (Ranking.DuplicateException twice) {
                throw new BadInputException(
                        Location.of(file),
                        "ranks passage " + Printable.quoted(passages.id(twice.passage())) + " twice for query "
                                + Printable.quoted(query),
                        "each passage may occur once",
                        twice);
            }
        });
        return new RunReader.Read(new Run(passages, List.copyOf(hits.keySet()), rankings), negative);
    }
}
