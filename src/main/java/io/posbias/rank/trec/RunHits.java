package io.posbias.rank.trec;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Location;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.IdHint;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Query;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Hits of a run, in the order of its file. Hits of queries that the benchmark lacks are left out. */
final class RunHits {
    private static final String OTHER = "is this a run of another dataset?";
    private static final int NO_RANK = -1;

    /** Share of the judged queries that a run may lack unasked, as a search without hits does. */
    private static final double LACKING = 0.1;

    private final PassageIds passages;
    private final Set<String> queries;
    private final Set<String> judged;
    private final boolean byRank;
    private final boolean isPart;
    private final Map<String, Hits> hits = new LinkedHashMap<>();
    private final NavigableSet<String> others = new TreeSet<>();
    private boolean hasScores = true;
    private String last = "";
    private boolean isKnown;
    private long negative;

    /**
     * @param byRank true to score passages by their ranks
     * @param isPart true to skip hits outside the corpus
     */
    RunHits(Dataset dataset, boolean byRank, boolean isPart) {
        this.passages = dataset.passages().ids();
        this.queries = dataset.queries().stream().map(Query::id).collect(Collectors.toSet());
        this.judged = dataset.judgedQueries().stream().map(Query::id).collect(Collectors.toSet());
        this.byRank = byRank;
        this.isPart = isPart;
    }

    /** Error in a hit, and the remedy. */
    record Refusal(String found, String advice) {}

    private record Hits(IntStream.Builder passages, DoubleStream.Builder scores, IntStream.Builder ranks) {
        Hits() {
            this(IntStream.builder(), DoubleStream.builder(), IntStream.builder());
        }
    }

    /**
     * Adds a hit.
     *
     * @param number score as in the file; null if there is only a rank
     * @param rank as in the file; null if there is only a score
     * @return the error; null if the hit was added
     */
    @Nullable
    Refusal add(String query, String id, @Nullable String number, @Nullable String rank) {
        if (!query.equals(last)) {
            last = query;
            isKnown = queries.contains(query);
            if (!judged.contains(query)) {
                others.add(query);
            }
        }
        if (!isKnown) {
            return null;
        }
        int passage = passages.ordinal(id);
        if (passage < 0 && isPart) {
            return null;
        }
        if (passage < 0) {
            return new Refusal(
                    "passage " + Printable.quoted(id) + " is not in the corpus", IdHint.of(id, passages.all(), OTHER));
        }
        int place = rank == null ? NO_RANK : rank(rank);
        hasScores = number != null;
        if (byRank && place < 0) {
            return rank == null
                    ? new Refusal("no rank", "--by-rank needs a column of ranks")
                    : new Refusal("rank " + Printable.quoted(rank), "ranks are whole numbers from 0");
        }
        // Without scores, the number may be a rank or a score: all of them decide.
        String value = number == null ? String.valueOf(rank) : number;
        float score = byRank ? -place : score(value);
        if (!Float.isFinite(score)) {
            return new Refusal("score " + Printable.quoted(value), "scores must be finite numbers");
        }
        negative += !byRank && score < 0 ? 1 : 0;
        Hits found = hits.computeIfAbsent(query, own -> new Hits());
        found.passages.add(passage);
        found.scores.add(score);
        found.ranks.add(place);
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

    private static int rank(String text) {
        try {
            return Math.max(NO_RANK, Integer.parseInt(text));
        } catch (NumberFormatException notWhole) {
            return NO_RANK;
        }
    }

    /** Hits of a query: passages by ordinal, scores, ranks. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Ranked(int[] passages, float[] scores, int[] ranks) {
        static Ranked of(Hits hits) {
            double[] wide = hits.scores.build().toArray();
            float[] narrow = new float[wide.length];
            for (int i = 0; i < narrow.length; i++) {
                narrow[i] = (float) wide[i];
            }
            return new Ranked(
                    hits.passages.build().toArray(), narrow, hits.ranks.build().toArray());
        }

        /** True if the ranks count from 0 or 1 in the order of the file. */
        boolean counts() {
            return IntStream.range(0, ranks.length).allMatch(i -> ranks[i] == ranks[0] + i) && (ranks[0] & ~1) == 0;
        }

        boolean hasFractions() {
            return IntStream.of(ranks).anyMatch(rank -> rank < 0);
        }

        Ranked byRank() {
            float[] falling = new float[ranks.length];
            for (int i = 0; i < falling.length; i++) {
                falling[i] = -ranks[i];
            }
            return new Ranked(passages, falling, ranks);
        }

        Ranked withoutRanks() {
            int[] none = new int[ranks.length];
            Arrays.fill(none, NO_RANK);
            return new Ranked(passages, scores, none);
        }
    }

    /**
     * Returns the run.
     *
     * @throws BadInputException without hits, with a passage twice for a query, or with one rank for two passages that are
     *     scored by ranks
     */
    RunReader.Read read(Path file) {
        return read(file, false, 0);
    }

    /**
     * Returns the run of another system.
     *
     * @throws BadInputException as {@link RunReader#read(Path, Dataset, RunReader.Options)}
     */
    RunReader.Read readOther(Path file, boolean isPartial) {
        refuseEmpty(file);
        long scored = refuseFewShared(file);
        if (!isPartial && judged.size() - scored > LACKING * judged.size()) {
            throw new BadInputException(
                    Location.of(file),
                    "has hits for " + scored + " of " + Plural.of(judged.size(), "judged query"),
                    "with --partial, or partial: true in a recipe, the others score 0");
        }
        return read(file, true, (int) (judged.size() - scored));
    }

    private void refuseEmpty(Path file) {
        if (hits.isEmpty() && others.isEmpty() && !isPart) {
            throw new BadInputException(Location.of(file), "is empty", "a run has one line per hit");
        }
    }

    private RunReader.Read read(Path file, boolean external, int lacking) {
        refuseEmpty(file);
        Map<String, Ranked> ranked = new LinkedHashMap<>();
        hits.forEach((query, found) -> ranked.put(query, Ranked.of(found)));
        if (!hasScores && !byRank) {
            boolean isRanks = ranked.values().stream().allMatch(Ranked::counts);
            if (!isRanks && ranked.values().stream().noneMatch(Ranked::hasFractions)) {
                throw new BadInputException(
                        Location.of(file),
                        "has three columns, whose last is neither a rank that counts from 0 or 1 nor a score with fractions",
                        "--by-rank takes it as the rank; TREC's six columns say which it is");
            }
            ranked.replaceAll((query, found) -> isRanks ? found.byRank() : found.withoutRanks());
        }
        RunOrder order = new RunOrder();
        List<Ranking> rankings = new ArrayList<>(ranked.size());
        ranked.forEach((query, found) -> {
            if (external) {
                order.add(found.scores, found.ranks);
            }
            rankings.add(ranking(file, query, found));
        });
        return new RunReader.Read(
                new Run(passages, List.copyOf(ranked.keySet()), rankings),
                negative,
                order.stats(others.size(), lacking));
    }

    /** Returns how many queries are judged and in the run; most of those of the one are also of the other, or all is refused. */
    private long refuseFewShared(Path file) {
        long scored = hits.keySet().stream().filter(judged::contains).count();
        long all = scored + others.size();
        List<String> unknown =
                others.stream().filter(query -> !queries.contains(query)).toList();
        long known = all - unknown.size();
        if (scored == 0 || (2 * known < all && 2 * scored < judged.size())) {
            String first = unknown.isEmpty() ? others.getFirst() : unknown.getFirst();
            throw new BadInputException(
                    Location.of(file),
                    "has " + Plural.of(all, "query") + "; the benchmark has " + known + " of them and judges " + scored
                            + "; another is " + Printable.quoted(first),
                    IdHint.of(first, queries, OTHER));
        }
        return scored;
    }

    private Ranking ranking(Path file, String query, Ranked found) {
        long ranks = IntStream.of(found.ranks).distinct().count();
        if (byRank && ranks < found.ranks.length) {
            throw new BadInputException(
                    Location.of(file),
                    "gives two passages one rank for query " + Printable.quoted(query),
                    "--by-rank needs different ranks");
        }
        try {
            return Ranking.of(found.passages, found.scores);
        } catch (Ranking.DuplicateException twice) {
            throw new BadInputException(
                    Location.of(file),
                    "ranks passage " + Printable.quoted(passages.id(twice.passage())) + " twice for query "
                            + Printable.quoted(query),
                    "each passage may occur once",
                    twice);
        }
    }
}
