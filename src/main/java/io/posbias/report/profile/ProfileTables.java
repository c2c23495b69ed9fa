package io.posbias.report.profile;

import io.posbias.Plural;
import io.posbias.dataset.DatasetCard;
import io.posbias.diagnose.PositionTables;
import io.posbias.measure.BucketMean;
import io.posbias.measure.ContentFixed;
import io.posbias.measure.Direction;
import io.posbias.measure.Profile;
import io.posbias.measure.Truncation.Unread;
import io.posbias.measure.Verdict;
import io.posbias.position.Bucketing;
import io.posbias.position.Positions.CharacterEdges;
import io.posbias.position.Strata;
import io.posbias.result.QueryCounts;
import io.posbias.result.Result;
import io.posbias.result.Settings;
import io.posbias.stats.Estimate;
import io.posbias.table.Cell;
import io.posbias.table.Grid;
import io.posbias.table.NumberFormat;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What {@code eval} and {@code score} print: for each benchmark and measure a table with a column for each position bucket,
 * the mean, PSI and the verdict, below it what the verdict says and by which numbers; and, if wanted, a table with all
 * statistics of PSI and direction.
 */
public final class ProfileTables {
    /** Five parts of passages of which each holds so many queries on average are worth suggesting. */
    private static final int PARTS = 10;

    private static final String FIFTHS = "few passages are so long; --buckets " + DatasetCard.FIFTHS
            + " divides each passage into equal parts instead";

    private ProfileTables() {}

    /**
     * The tables of some results, benchmarks and measures in the order of their first result.
     *
     * @param blind results of models that cannot see positions, below the others of their benchmark
     * @param intervals whether means and PSI are printed with their intervals
     * @param statistics whether the statistics of PSI and direction follow
     */
    public static List<Table> of(List<Result> results, List<Result> blind, boolean intervals, boolean statistics) {
        List<Table> tables = new ArrayList<>();
        results.stream()
                .collect(Collectors.groupingBy(
                        result -> result.dataset() + " " + result.settings().buckets(),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values()
                .forEach(same -> same.stream()
                        .flatMap(result -> result.measures().stream())
                        .distinct()
                        .forEach(measure -> add(with(same, blind), measure, intervals, statistics, tables)));
        return tables;
    }

    private static List<Result> with(List<Result> results, List<Result> blind) {
        List<Result> all = new ArrayList<>(results);
        blind.stream()
                .filter(result -> result.dataset().equals(results.getFirst().dataset()))
                .map(result -> result.called(result.model() + " (blind)"))
                .forEach(all::add);
        return all;
    }

    private record ProfileRow(Result result, Profile profile) {
        /** A model's name after its stratum's, which is left out for all queries. */
        String label() {
            return profile.stratum().equals(Strata.ALL) ? result.model() : profile.stratum() + " " + result.model();
        }

        Cell psi(boolean interval) {
            return ProfileValues.hasThinPsi(profile)
                    ? Cell.word(NumberFormat.NONE)
                    : Cell.psi(ProfileValues.psi(profile), interval);
        }

        /** The numbers that carry the verdict over all queries. */
        List<String> numbers() {
            Direction direction = profile.direction();
            if (direction == null
                    || !profile.stratum().equals(Strata.ALL)
                    || profile.psi().value() == null) {
                return List.of();
            }
            String p = NumberFormat.P.print(profile.psi().pValue());
            String psi = ProfileValues.hasThinPsi(profile)
                    ? "p of PSI " + p
                    : "PSI " + NumberFormat.FRACTION.print(profile.psi().value()) + ", p " + p + ", noise95 "
                            + NumberFormat.FRACTION.print(profile.psi().noise95());
            return List.of(result.model() + ": " + psi + "; slope "
                    + NumberFormat.SIGNED_POINTS.print(direction.slope().value()) + ", p "
                    + NumberFormat.P.print(direction.slope().pValue()));
        }

        /** On few units. */
        List<String> notes() {
            Integer units = profile.clusters();
            return units != null && units > 0 && profile.hasFewUnits() && isDrawn()
                    ? List.of(label() + ": " + PositionTables.tooFew(units, profile.effectiveClusters()))
                    : List.of();
        }

        /** On what an undecided verdict needs. */
        List<String> power() {
            boolean undecided =
                    profile.direction() != null && profile.direction().verdict() == Verdict.UNDECIDED;
            return undecided && profile.power() != null && profile.contentFixed() == null
                    ? List.of(label() + ": " + PositionTables.power("PSI", profile.power()))
                    : List.of();
        }

        boolean isDrawn() {
            return profile.psi().noise95() != null || profile.psi().interval() != null;
        }

        @Nullable
        Double of(Function<Direction, @Nullable Estimate> contrast) {
            Direction direction = profile.direction();
            Estimate estimate = direction == null ? null : contrast.apply(direction);
            return estimate == null ? null : (Double) estimate.value();
        }
    }

    /** Adds the means by position, and the statistics of PSI and direction where these were drawn. */
    private static void add(
            List<Result> results, String measure, boolean intervals, boolean statistics, List<Table> tables) {
        List<ProfileRow> rows = new ArrayList<>();
        for (String stratum : results.getFirst().strata()) {
            for (Result result : results) {
                Profile profile = result.profile(measure, stratum);
                if (profile != null) {
                    rows.add(new ProfileRow(result, profile));
                }
            }
        }
        tables.add(means(results, measure, rows, intervals));
        if (statistics && rows.stream().anyMatch(ProfileRow::isDrawn)) {
            tables.add(bias(results.getFirst(), measure, rows));
        }
        Map<String, ContentFixed> fixed = new LinkedHashMap<>();
        rows.forEach(row ->
                Optional.ofNullable(row.profile().contentFixed()).ifPresent(found -> fixed.put(row.label(), found)));
        if (!fixed.isEmpty()) {
            double confidence = results.getFirst().settings().confidence();
            tables.add(PositionTables.models(
                    results.getFirst().dataset() + ", " + measure + ": position with the content held fixed",
                    fixed,
                    confidence));
            if (fixed.values().stream().anyMatch(found -> !found.buckets().isEmpty())) {
                tables.add(PositionTables.buckets(fixed, confidence));
            }
        }
    }

    private static Table means(List<Result> results, String measure, List<ProfileRow> rows, boolean intervals) {
        Result first = results.getFirst();
        List<Profile> samples = first.profiles().stream()
                .filter(profile -> profile.measure().equals(first.measures().getFirst()))
                .toList();
        Sheet<ProfileRow> columns = columns(samples.getFirst(), intervals);
        Grid grid = new Grid();
        for (Profile sample : samples) {
            grid.text(countCells(sample));
            rows.stream()
                    .filter(row -> row.profile().stratum().equals(sample.stratum()))
                    .forEach(row -> {
                        grid.add(columns.cells("", row), curve(row.profile()));
                        if (sample.stratum().equals(Strata.ALL)) {
                            RetrievalNotes.rows(row.result(), row.profile()).forEach(grid::text);
                        }
                    });
            grid.mark();
        }
        String title = first.dataset() + ", " + measure + " in points (x100)";
        return columns.tableOf("", title, grid.rows(), notes(results, rows));
    }

    private static Sheet<ProfileRow> columns(Profile sample, boolean intervals) {
        Sheet<ProfileRow> columns = new Sheet<ProfileRow>().plain("model", ProfileRow::label);
        for (int i = 0; i < sample.buckets().size(); i++) {
            int bucket = i;
            columns.plain(sample.buckets().get(i).bucket(), row -> {
                BucketMean mean = row.profile().buckets().get(bucket);
                return Cell.points(ProfileValues.mean(mean), intervals);
            });
        }
        if (sample.buckets().isEmpty()) {
            return columns.plain("query mean", row -> Cell.points(ProfileValues.queryMean(row.profile()), true));
        }
        return columns.plain("query mean", row -> Cell.points(ProfileValues.queryMean(row.profile()), intervals))
                .plain("PSI", row -> row.psi(intervals))
                .plain("verdict", row -> ProfileValues.verdict(row.profile()));
    }

    /** The mean of bucket means, PSI with its interval, its correction and what chance gives, and the direction. */
    private static Table bias(Result first, String measure, List<ProfileRow> rows) {
        Settings settings = first.settings();
        List<String> notes = new ArrayList<>(List.of(
                "units: " + settings.cluster().describe(),
                "corrected: PSI minus its estimated bias",
                "noise95: 95th percentile of PSI in " + settings.draws() + " draws in which positions do not matter",
                "p: share of these draws that reach PSI",
                "slope: change in points from the beginning to the end"));
        rows.forEach(row -> notes.addAll(row.power()));
        return new Sheet<ProfileRow>()
                .plain("model", ProfileRow::label)
                .plain("units", row -> row.profile().clusters())
                .number("bucket mean", NumberFormat.POINTS, row -> row.profile().bucketMean())
                .number("PSI", NumberFormat.FRACTION, row -> row.profile().psi().value())
                .interval(
                        "PSI", NumberFormat.FRACTION, row -> row.profile().psi().interval())
                .headed(NumberFormat.percent(settings.confidence()) + " interval")
                .number(
                        "corrected",
                        NumberFormat.FRACTION,
                        row -> row.profile().psi().corrected())
                .number(
                        "noise95",
                        NumberFormat.FRACTION,
                        row -> row.profile().psi().noise95())
                .number("p", NumberFormat.P, row -> row.profile().psi().pValue())
                .number("slope", NumberFormat.SIGNED_POINTS, row -> row.of(Direction::slope))
                .number("front - back", NumberFormat.SIGNED_POINTS, row -> row.of(Direction::frontMinusBack))
                .number("middle - ends", NumberFormat.SIGNED_POINTS, row -> row.of(Direction::middleMinusEnds))
                .table(first.dataset() + ", " + measure + ": statistics of PSI and direction", rows, notes);
    }

    private static List<String> countCells(Profile profile) {
        String name = profile.stratum().equals(Strata.ALL) ? "queries" : profile.stratum() + " queries";
        List<String> cells = new ArrayList<>(List.of(name));
        profile.buckets().forEach(bucket -> cells.add(String.valueOf(bucket.queries())));
        cells.add(String.valueOf(profile.queries()));
        return cells;
    }

    private static List<@Nullable Double> curve(Profile profile) {
        List<@Nullable Double> means = new ArrayList<>();
        profile.buckets().forEach(bucket -> means.add(bucket.mean()));
        return means;
    }

    private static List<String> notes(List<Result> results, List<ProfileRow> rows) {
        Result result = results.getFirst();
        List<Profile> profiles = rows.stream().map(ProfileRow::profile).toList();
        List<String> notes = new ArrayList<>();
        notes.add(counts(result));
        lengths(profiles).ifPresent(notes::add);
        profiles.stream()
                .map(Profile::contentFixed)
                .filter(fixed -> fixed != null && fixed.method().equals(ContentFixed.OF_BENCHMARK))
                .findFirst()
                .ifPresent(fixed -> notes.add("content held fixed: each of " + Plural.of(fixed.queries(), "query")
                        + " has its evidence at all " + fixed.k() + " places"));
        results.forEach(each -> notes.addAll(RetrievalNotes.of(each)));
        results.stream()
                .filter(each -> each.queries().unanswered() > 0)
                .map(each -> each.model() + " found nothing for "
                        + Plural.of(each.queries().unanswered(), "query")
                        + (each.queries().unanswered() == 1 ? ": it scores 0" : ": they score 0"))
                .forEach(notes::add);
        ProfileValues.thinNote(
                        profiles.stream(), "fewer than " + result.settings().thinBelow())
                .map(note -> note
                        + (profiles.stream().anyMatch(ProfileValues::hasThinPsi) ? "; no PSI is printed of it" : "")
                        + (fitsFifths(result, profiles) ? "; " + FIFTHS : ""))
                .ifPresent(notes::add);
        profiles.stream()
                .filter(profile ->
                        profile.psi().undefined() != null && !profile.buckets().isEmpty())
                .map(profile -> "PSI is undefined: " + profile.psi().undefined())
                .distinct()
                .forEach(notes::add);
        verdicts(result.settings().confidence(), rows, notes);
        rows.forEach(row -> notes.addAll(row.notes()));
        return notes;
    }

    /** What each verdict says, by which numbers, and what its words on truncation mean. */
    private static void verdicts(double confidence, List<ProfileRow> rows, List<String> notes) {
        Map<Verdict, List<ProfileRow>> same = new LinkedHashMap<>();
        for (ProfileRow row : rows) {
            Direction direction = row.profile().direction();
            if (row.profile().contentFixed() == null && direction != null && direction.verdict() != null) {
                same.computeIfAbsent(direction.verdict(), verdict -> new ArrayList<>())
                        .add(row);
            }
        }
        same.forEach((verdict, own) -> {
            notes.add(verdict + ": " + verdict.meaning(confidence));
            own.forEach(row -> notes.addAll(row.numbers()));
        });
        if (rows.stream()
                .anyMatch(row -> String.valueOf(row.profile().verdict()).endsWith(Unread.TRUNCATED))) {
            notes.add(Unread.MEANING);
        }
    }

    /** Whether buckets by characters are too thin for the passages' lengths, and equal parts of passages would not be. */
    private static boolean fitsFifths(Result result, List<Profile> profiles) {
        Direction direction = profiles.getFirst().direction();
        return direction != null
                && direction.position() == Direction.Scale.RELATIVE
                && Bucketing.parse(result.settings().buckets()).positions() instanceof CharacterEdges
                && direction.queries() >= PARTS * result.settings().thinBelow();
    }

    /** On queries that are in no band of length, as the benchmark does not say how long their passages are. */
    private static Optional<String> lengths(List<Profile> profiles) {
        Map<String, Integer> queries = new LinkedHashMap<>();
        profiles.forEach(profile -> queries.put(profile.stratum(), profile.queries()));
        Integer all = queries.remove(Strata.ALL);
        int without = all == null || queries.isEmpty()
                ? 0
                : all - queries.values().stream().mapToInt(Integer::intValue).sum();
        if (without == 0) {
            return Optional.empty();
        }
        return Optional.of(
                all != null && without == all
                        ? "no query says how many tokens its passage has (pos_token_length): "
                                + String.join(", ", queries.keySet()) + " are empty"
                        : Plural.of(without, "query") + " in no band of length: without pos_token_length");
    }

    private static String counts(Result result) {
        QueryCounts counts = result.queries();
        StringBuilder text = new StringBuilder();
        boolean buckets = !result.profiles().getFirst().buckets().isEmpty();
        text.append(Plural.of(counts.judged(), "query"));
        if (buckets) {
            text.append(counts.inSeveral() == 0 ? "" : "; " + counts.inSeveral() + " in more than one bucket");
            text.append(counts.inNone() == 0 ? "" : "; " + counts.inNone() + " in no bucket");
        } else {
            text.append("; no query says where its evidence is: no buckets, no PSI");
        }
        if (counts.unjudged() > 0) {
            text.append("; ").append(counts.unjudged()).append(" without judgements left out");
        }
        return buckets
                ? text.append("; buckets ").append(result.settings().buckets()).toString()
                : text.toString();
    }
}
