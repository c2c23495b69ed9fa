package io.posbias.report.profile;

import io.posbias.base.stats.Estimate;
import io.posbias.base.table.Cell;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Detail;
import io.posbias.base.table.Grid;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.position.Positions.CharacterEdges;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Direction;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.ProfileOutcome;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.Verdict;
import io.posbias.score.position.PositionTables;
import io.posbias.score.result.Answer;
import io.posbias.score.result.QueryCounts;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tables of {@code eval} and {@code score}, for each benchmark and measure: means by position bucket, PSI, its p-value and the
 * verdict; on request the statistics of PSI and direction.
 */
public final class ProfileTables {
    private static final int PARTS = 10;

    private static final String BLIND = " (blind)";

    private static final String FIFTHS = "few passages are so long; --buckets " + DatasetCard.FIFTHS
            + " divides each passage into equal parts instead";

    private ProfileTables() {}

    /**
     * Contents of the tables.
     *
     * @param intervals true to print intervals of means
     * @param statistics true to add the statistics of PSI and direction
     */
    public record Content(boolean intervals, boolean statistics, Detail detail) {
        /** Means, PSI and verdict. */
        public static final Content USUAL = new Content(false, false, Detail.USUAL);
    }

    /**
     * Makes the tables of results, in the order of benchmarks and measures.
     *
     * @param blind models that cannot see positions, below the others of their benchmark unless they are among them
     */
    public static List<Table> of(List<Result> results, List<BlindRow> blind, Content content) {
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
                        .forEach(measure -> add(same, beside(same, blind), measure, content, tables)));
        return tables;
    }

    private static List<BlindRow> beside(List<Result> results, List<BlindRow> blind) {
        return blind.stream()
                .filter(row -> row.result().dataset().equals(results.getFirst().dataset()))
                .toList();
    }

    private record ProfileRow(Result result, Profile profile, Answer found) {
        static ProfileRow of(Result result, Profile profile, List<BlindRow> blind) {
            return new ProfileRow(
                    result,
                    profile,
                    blind.stream()
                            .findFirst()
                            .map(row -> row.answer(result, profile))
                            .orElseGet(() -> Answer.of(result, profile)));
        }

        String label() {
            return profile.stratum().equals(Strata.ALL) ? result.model() : profile.stratum() + " " + result.model();
        }

        Cell psi(int digits) {
            return Cell.psi(ProfileValues.psi(profile), true, digits);
        }

        Optional<String> numbers(int digits) {
            Direction direction = profile.direction();
            if (direction == null
                    || !profile.stratum().equals(Strata.ALL)
                    || profile.psi().value() == null) {
                return Optional.empty();
            }
            return Optional.of(result.model() + ": noise95 "
                    + NumberFormat.FRACTION.print(profile.psi().noise95(), digits) + "; slope "
                    + NumberFormat.SIGNED_POINTS.print(direction.slope().value(), digits) + ", p "
                    + NumberFormat.P.print(direction.slope().pValue()));
        }

        /** The verdict in words; bands of length have theirs in the column only. */
        Optional<String> answer() {
            return found.verdicts().isEmpty() || !profile.stratum().equals(Strata.ALL) || label().endsWith(BLIND)
                    ? Optional.empty()
                    : Optional.of(label() + ": " + found.words());
        }

        Optional<String> power() {
            return outcome() == ProfileOutcome.UNDECIDED && profile.power() != null
                    ? Optional.of(label() + ": " + PositionTables.power("PSI", profile.power()))
                    : Optional.empty();
        }

        @Nullable
        ProfileOutcome outcome() {
            Direction direction = profile.direction();
            return direction == null ? null : direction.outcome();
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

    private static void add(
            List<Result> given, List<BlindRow> blind, String measure, Content content, List<Table> tables) {
        List<Result> results = Stream.concat(
                        given.stream(),
                        blind.stream()
                                .map(BlindRow::result)
                                .filter(result -> given.stream()
                                        .noneMatch(own -> own.model().equals(result.model())))
                                .map(result -> result.called(result.model() + BLIND)))
                .toList();
        List<ProfileRow> rows = new ArrayList<>();
        for (String stratum : results.getFirst().strata()) {
            for (Result result : results) {
                Profile profile = result.profile(measure, stratum);
                if (profile != null) {
                    rows.add(ProfileRow.of(result, profile, blind));
                }
            }
        }
        tables.add(means(results, measure, rows, content));
        if (content.statistics() && rows.stream().anyMatch(ProfileRow::isDrawn)) {
            tables.add(bias(results.getFirst(), measure, rows, content.detail()));
        }
        Map<String, ContentFixed> fixed = new LinkedHashMap<>();
        rows.forEach(row ->
                Optional.ofNullable(row.profile().contentFixed()).ifPresent(found -> fixed.put(row.label(), found)));
        if (!fixed.isEmpty()) {
            double confidence = results.getFirst().settings().confidence();
            tables.addAll(PositionTables.of(
                    results.getFirst().dataset(),
                    fixed,
                    confidence,
                    new PositionTables.Content(false, content.statistics(), content.detail())));
        }
    }

    private static Table means(List<Result> results, String measure, List<ProfileRow> rows, Content content) {
        Result first = results.getFirst();
        List<Profile> samples = first.profiles().stream()
                .filter(profile -> profile.measure().equals(first.measures().getFirst()))
                .toList();
        Columns<ProfileRow> columns = columns(first, samples.getFirst(), content);
        Grid grid = new Grid();
        for (Profile sample : samples) {
            grid.text(countCells(sample));
            rows.stream()
                    .filter(row -> row.profile().stratum().equals(sample.stratum()))
                    .forEach(row -> {
                        grid.add(columns.cells(row));
                        if (sample.stratum().equals(Strata.ALL)) {
                            RetrievalNotes.rows(row.result(), row.profile()).forEach(grid::text);
                        }
                    });
            grid.mark();
        }
        String title = first.dataset() + ", " + measure + " in points";
        return columns.tableOf(title, grid.rows(), notes(results, measure, rows, content.detail()));
    }

    private static Columns<ProfileRow> columns(Result result, Profile sample, Content content) {
        int digits = content.detail().digits();
        Columns<ProfileRow> columns = new Columns<ProfileRow>(digits).label("model", ProfileRow::label);
        for (int i = 0; i < sample.buckets().size(); i++) {
            int bucket = i;
            columns.text(sample.buckets().get(i).bucket(), row -> {
                BucketMean mean = row.profile().buckets().get(bucket);
                return Cell.points(ProfileValues.mean(mean), content.intervals(), digits);
            });
        }
        boolean alone = sample.buckets().isEmpty();
        columns.text(
                "mean",
                row -> Cell.points(ProfileValues.queryMean(row.profile()), alone || content.intervals(), digits));
        double confidence = result.settings().confidence();
        return alone
                ? columns
                : columns.text(
                                confidence > 0 ? "PSI [" + NumberFormat.percent(confidence) + "]" : "PSI",
                                row -> row.psi(digits))
                        .number("p", NumberFormat.P, row -> row.profile().psi().pValue())
                        .joined(
                                "verdict",
                                row -> ProfileValues.verdict(
                                        row.profile(), row.found().verdicts()));
    }

    private static Table bias(Result first, String measure, List<ProfileRow> rows, Detail detail) {
        Settings settings = first.settings();
        List<String> notes = new ArrayList<>();
        if (detail.explain()) {
            notes.addAll(List.of(
                    "clusters: " + settings.unit().describe() + "; G*: effective clusters",
                    "corrected: PSI minus its estimated bias",
                    noise(settings)));
        }
        rows.forEach(row -> row.power().ifPresent(notes::add));
        return new Columns<ProfileRow>(detail.digits())
                .label("model", ProfileRow::label)
                .text("clusters", row -> row.profile().clusters())
                .number("G*", NumberFormat.LENGTH, row -> row.profile().effectiveClusters())
                .number("bucket mean", NumberFormat.POINTS, row -> row.profile().bucketMean())
                .number(
                        "corrected",
                        NumberFormat.FRACTION,
                        row -> row.profile().psi().corrected())
                .number(
                        "noise95",
                        NumberFormat.FRACTION,
                        row -> row.profile().psi().noise95())
                .number("slope", NumberFormat.SIGNED_POINTS, row -> row.of(Direction::slope))
                .number("front - back", NumberFormat.SIGNED_POINTS, row -> row.of(Direction::frontMinusBack))
                .number("middle - ends", NumberFormat.SIGNED_POINTS, row -> row.of(Direction::middleMinusEnds))
                .text("test", ProfileRow::outcome)
                .table(first.dataset() + ", " + measure + ": statistics of PSI and direction", rows, notes);
    }

    /** Definitions of the statistics that both tables print. */
    private static String noise(Settings settings) {
        return "p: share of " + settings.draws()
                + " draws without an effect of position whose PSI is as high; noise95: their"
                + " 95th percentile; slope: change in points from beginning to end";
    }

    private static List<String> countCells(Profile profile) {
        String name = profile.stratum().equals(Strata.ALL) ? "queries" : profile.stratum() + " queries";
        List<String> cells = new ArrayList<>(List.of(name));
        profile.buckets().forEach(bucket -> cells.add(String.valueOf(bucket.queries())));
        cells.add(String.valueOf(profile.queries()));
        return cells;
    }

    private static List<String> notes(List<Result> results, String measure, List<ProfileRow> rows, Detail detail) {
        Result result = results.getFirst();
        List<Profile> profiles = rows.stream().map(ProfileRow::profile).toList();
        List<String> notes = new ArrayList<>();
        notes.add(legend(result));
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
        ProfileValues.thinNote(profiles, "fewer than " + result.settings().thinBelow())
                .map(note -> note + (fitsFifths(result, profiles) ? "; " + FIFTHS : ""))
                .ifPresent(notes::add);
        profiles.stream()
                .filter(profile ->
                        profile.psi().undefined() != null && !profile.buckets().isEmpty())
                .map(profile -> "PSI is undefined: " + profile.psi().undefined())
                .distinct()
                .forEach(notes::add);
        ProfileValues.fixedNote(profiles).ifPresent(notes::add);
        rows.forEach(row -> row.answer().ifPresent(notes::add));
        next(rows).ifPresent(notes::add);
        if (detail.explain()) {
            explain(result.settings(), measure, rows, detail.digits(), notes);
        }
        return notes;
    }

    /** The command that separates position from content, for models whose positions differ. */
    private static Optional<String> next(List<ProfileRow> rows) {
        List<Result> differ = rows.stream()
                .filter(row -> row.outcome() == ProfileOutcome.DIFFER
                        && row.found().verdicts().contains(Verdict.OPEN))
                .map(ProfileRow::result)
                .filter(result -> !result.model().endsWith(BLIND))
                .distinct()
                .toList();
        String models = differ.stream()
                .filter(Result::isOfRecipe)
                .map(Result::model)
                .distinct()
                .collect(Collectors.joining(","));
        if (differ.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("position or content? "
                + (models.isEmpty()
                        ? "Search a benchmark of windows (posbias data build windows)"
                        : "posbias diagnose position --model " + models + " --dataset "
                                + differ.getFirst().dataset()));
    }

    private static void explain(
            Settings settings, String measure, List<ProfileRow> rows, int digits, List<String> notes) {
        notes.add("points: " + measure + " x 100; mean: over queries");
        notes.add("PSI: 1 - lowest / highest bucket mean; interval by bootstrap, clusters: "
                + settings.unit().describe());
        notes.add(noise(settings));
        Map<ProfileOutcome, List<ProfileRow>> same = new LinkedHashMap<>();
        rows.forEach(row -> Optional.ofNullable(row.outcome())
                .ifPresent(verdict -> same.computeIfAbsent(verdict, first -> new ArrayList<>())
                        .add(row)));
        same.forEach((verdict, own) -> {
            notes.add(verdict + ": " + verdict.meaning(settings.confidence()));
            own.forEach(row -> row.numbers(digits).ifPresent(notes::add));
        });
    }

    /** Returns true if buckets by characters are too thin for the passages' lengths, and fifths would not be. */
    private static boolean fitsFifths(Result result, List<Profile> profiles) {
        Direction direction = profiles.getFirst().direction();
        return direction != null
                && direction.position() == Direction.Scale.RELATIVE
                && result.settings().bucketing().positions() instanceof CharacterEdges
                && direction.queries() >= PARTS * result.settings().thinBelow();
    }

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
                        ? "no query has pos_token_length: " + String.join(", ", queries.keySet()) + " are empty"
                        : Plural.of(without, "query") + " in no band of length: without pos_token_length");
    }

    /** Clusters of queries where they are not the queries: " in 48 articles". */
    private static String units(Result result) {
        Integer clusters = result.profiles().getFirst().clusters();
        return clusters == null || clusters == 0 || clusters == result.queries().judged()
                ? ""
                : " in " + Plural.of(clusters, result.settings().unit().toString());
    }

    private static String legend(Result result) {
        QueryCounts counts = result.queries();
        StringBuilder text = new StringBuilder(Plural.of(counts.judged(), "query")).append(units(result));
        boolean buckets = !result.profiles().getFirst().buckets().isEmpty();
        if (buckets) {
            text.append(counts.inSeveral() == 0 ? "" : "; " + counts.inSeveral() + " in more than one bucket");
            text.append(counts.inNone() == 0 ? "" : "; " + counts.inNone() + " in no bucket");
        } else {
            text.append("; no evidence positions, so no buckets and no PSI");
        }
        if (counts.unjudged() > 0) {
            text.append("; ").append(counts.unjudged()).append(" without judgements left out");
        }
        return buckets
                ? text.append("; buckets ")
                        .append(result.settings().buckets())
                        .append("; PSI = 1 - min / max mean")
                        .toString()
                : text.toString();
    }
}
