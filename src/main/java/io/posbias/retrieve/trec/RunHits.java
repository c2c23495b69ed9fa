package io.posbias.retrieve.trec;

import io.posbias.BadInputException;
import io.posbias.Location;
import io.posbias.Printable;
import io.posbias.dataset.PassageIds;
import io.posbias.retrieve.Ranking;
import io.posbias.retrieve.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Gathers the hits of a run that was made by any system, in the order of its file. */
final class RunHits {
    private final PassageIds passages;
    private final Set<String> queries;
    private final Map<String, Hits> hits = new LinkedHashMap<>();
    private long negative;

    /** @param queries those of the benchmark, by their identifiers */
    RunHits(PassageIds passages, Set<String> queries) {
        this.passages = passages;
        this.queries = queries;
    }

    /** What is wrong with a hit, and what to do. */
    record Refusal(String found, String advice) {}

    /** Hits of one query. */
    private record Hits(IntStream.Builder passages, DoubleStream.Builder scores) {
        Hits plus(Hits others) {
            others.passages.build().forEach(passages);
            others.scores.build().forEach(scores);
            return this;
        }

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
     * @param number its score as the file has it
     * @return why it is none; null when it was added
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
            return new Refusal("score " + Printable.quoted(number), "scores are finite numbers");
        }
        negative += score < 0 ? 1 : 0;
        Hits found = hits.computeIfAbsent(query, own -> new Hits(IntStream.builder(), DoubleStream.builder()));
        found.passages.add(passage);
        found.scores.add(score);
        return null;
    }

    /** The score as trec_eval holds it, a double cut to a float; NaN when it is no number. */
    private static float score(String number) {
        try {
            return (float) Double.parseDouble(number);
        } catch (NumberFormatException notNumber) {
            return Float.NaN;
        }
    }

    /** Adds the hits of a later part of the file. */
    void add(RunHits later) {
        negative += later.negative;
        later.hits.forEach((query, found) -> hits.merge(query, found, Hits::plus));
    }

    /**
     * The run.
     *
     * @throws BadInputException if there is no hit, or one passage twice for a query
     */
    RunReader.Read read(Path file) {
        if (hits.isEmpty()) {
            throw new BadInputException(Location.of(file), "holds no line", "a run has one line for each hit");
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
                        "each passage may be found once",
                        twice);
            }
        });
        return new RunReader.Read(new Run(passages, List.copyOf(hits.keySet()), rankings), negative);
    }
}
