package io.posbias.report.profile;

import io.posbias.base.text.Plural;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.position.Positions.CharacterEdges;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Direction;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.TestOutcome;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.QueryCounts;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Notes below a table of profiles. */
final class ProfileNotes {
    private static final int PARTS = 10;

    private static final String FIFTHS = "few passages are so long; --buckets " + DatasetCard.FIFTHS
            + " divides each passage into equal parts instead";

    private ProfileNotes() {}

    static List<String> of(List<Result> results, String measure, List<ProfileRow> rows, ProfileTables.Content content) {
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
        rows.forEach(row -> row.answer(content.words()).ifPresent(notes::add));
        next(rows, content.words()).ifPresent(notes::add);
        if (content.detail().explain()) {
            explain(result.settings(), measure, rows, content.detail().digits(), notes);
        }
        return notes;
    }

    /** The command that separates position from content, for models whose positions differ. */
    private static Optional<String> next(List<ProfileRow> rows, CommandWords words) {
        List<Result> differ = rows.stream()
                .filter(row -> row.profile().outcome() == TestOutcome.DIFFER
                        && row.found().verdicts().contains(Verdict.OPEN))
                .filter(row -> !row.isBlind())
                .map(ProfileRow::result)
                .distinct()
                .toList();
        List<Result> searched = differ.stream().filter(Result::isOfRecipe).toList();
        if (differ.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("position or content? "
                + (searched.isEmpty()
                        ? "Search a benchmark of windows (posbias data build windows)"
                        : "posbias diagnose position --model " + words.models(searched) + " --dataset "
                                + words.datasets(differ.getFirst())));
    }

    private static void explain(
            Settings settings, String measure, List<ProfileRow> rows, int digits, List<String> notes) {
        notes.add("points: " + measure + " x 100; mean: over queries");
        notes.add("PSI: 1 - lowest / highest bucket mean; interval by bootstrap, clusters: "
                + settings.unit().describe());
        notes.add(BiasTable.noise(settings));
        notes.addAll(Verdict.definitions(
                rows.stream().flatMap(row -> row.found().verdicts().stream()),
                settings.confidence(),
                settings.equivalence()));
        rows.forEach(row -> row.numbers(digits).ifPresent(notes::add));
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
