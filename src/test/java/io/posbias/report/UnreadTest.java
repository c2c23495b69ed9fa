package io.posbias.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.Detail;
import io.posbias.base.table.TableFormat;
import io.posbias.report.leaderboard.PairwiseTests;
import io.posbias.report.page.ResultPage;
import io.posbias.report.profile.ProfileTables;
import io.posbias.score.measure.Bias;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Power;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.measure.Truncation;
import io.posbias.score.measure.Truncation.Unread;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.CsvFiles;
import io.posbias.score.result.Provenance;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.score.result.ResultFileTest;
import io.posbias.score.result.Retrieval;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnreadTest {
    private static final String NAME = "m";

    /** Buckets "beginning", "middle" and "end" of 100, 80 and 7 queries, in which so much evidence was not read. */
    private static Result result(@Nullable Bias fixed, int middle, int end) {
        Result base = Results.ofLengths(NAME, "data", 0.9);
        Truncation cut = new Truncation(
                NAME,
                256,
                "passages",
                90,
                40,
                0,
                true,
                middle + end,
                middle + end,
                List.of(
                        new Truncation.Bucket("beginning", 0, 0),
                        new Truncation.Bucket("middle", middle, middle),
                        new Truncation.Bucket("end", end, end)));
        List<Profile> profiles = new ArrayList<>(base.profiles());
        if (fixed != null) {
            profiles.set(0, profiles.getFirst().with(fixed(fixed, 0.3)));
        }
        return new Result(
                NAME,
                "dense",
                "data",
                base.queries(),
                profiles,
                new Retrieval(List.of(cut), null, Map.of(), Map.of()),
                new Provenance(
                        base.settings(),
                        base.recipe(),
                        base.provenance().recipeSha256(),
                        base.provenance().datasetSha256(),
                        Map.of(),
                        base.provenance().environment(),
                        base.provenance().seconds()));
    }

    private static ContentFixed fixed(Bias verdict, double lastUnread) {
        Estimate some = new Estimate(0.2, new Interval(0.1, 0.3), 0.001);
        List<ContentFixed.Place> places = IntStream.rangeClosed(1, 7)
                .mapToObj(place -> new ContentFixed.Place(place, 0.5, null, place == 7 ? lastUnread : 0.01))
                .toList();
        return new ContentFixed(
                "nDCG@10",
                "rotation",
                187,
                93,
                90.0,
                0.6,
                Psi.of(0.2),
                null,
                some,
                some,
                null,
                null,
                verdict,
                null,
                new Power(0.2, 0.1, 120, 80),
                places,
                List.of());
    }

    private static String printed(Result result) {
        StringBuilder text = new StringBuilder();
        ProfileTables.of(List.of(result), List.of(), new ProfileTables.Content(false, false, new Detail(1, true)))
                .forEach(table -> text.append(TableFormat.MARKDOWN.render(table)));
        return text.toString();
    }

    @Test
    void aThirdOfTheLastBucketIsToldInTheCellOfPrimacy(@TempDir Path temp) throws IOException {
        Result result = result(Bias.PRIMACY, 3, 2);
        assertThat(printed(result))
                .contains("| primacy (29% of end truncated) |", "| primacy (30% of place 7 truncated) |");
        assertThat(printed(result)).contains(Unread.MEANING);
        String csv = TableFormat.CSV.render(CsvFiles.buckets(List.of(result)));
        assertThat(csv.lines().filter(line -> line.startsWith("m,data,nDCG@10,all,")))
                .hasSize(3)
                .allMatch(line -> line.endsWith(",primacy (29% of end truncated)"));
        assertThat(csv.lines().filter(line -> line.startsWith("m,data,nDCG@10,Q1,")))
                .as("truncation is counted over all queries: of a band it is not known")
                .allMatch(line -> line.endsWith(",differ"));
        Path file = Files.write(temp.resolve("result.json"), ResultFile.toBytes(List.of(result)));
        String json = Files.readString(file, StandardCharsets.UTF_8);
        assertThat(ResultFileTest.violations(json)).isEmpty();
        assertThat(json.replaceAll("\\s", ""))
                .containsOnlyOnce("\"unread\":{\"where\":\"end\",\"share\":0.2857142857142857}");
        assertThat(ResultFile.read(file)).containsExactly(result);
        String page = ResultPage.render(
                List.of(result),
                "nDCG@10",
                new ResultPage.Sections(
                        List.of(), List.of(), new PairwiseTests(List.of(), PairwiseTests.Shown.NOTHING, 1), null));
        assertThat(page)
                .contains("\"verdict\":\"fixed: primacy\",\"truncated\":\" (29% of end truncated)\"")
                .contains("\"fixed: primacy\":\"");
    }

    @Test
    void aDifferenceBetweenPositionsToo() {
        assertThat(printed(result(null, 8, 0))).contains("| differ (10% of middle truncated) |");
        assertThat(printed(result(null, 4, 0))).contains("| differ (5% of middle truncated) |");
        assertThat(printed(result(null, 3, 0))).contains("| differ |").doesNotContain("truncated)");
    }

    @Test
    void whatNamesNoDifferenceOrTruncationItselfStandsAlone() {
        Unread third = new Unread("80-100%", 1 / 3.0);
        for (Enum<?> verdict : List.of(Verdict.NONE, Verdict.UNDECIDED, Bias.NONE, Bias.UNDECIDED, Bias.TRUNCATION)) {
            assertThat(Unread.note(verdict, third)).isEmpty();
        }
        assertThat(Unread.note(Bias.PRIMACY, third)).isEqualTo(" (33% of 80-100% truncated)");
        assertThat(Unread.note(Bias.PRIMACY, null)).isEmpty();
    }

    /** Counts by other buckets say nothing of these. */
    @Test
    void bucketsAreComparedByName() {
        Truncation cut = new Truncation(
                NAME, 256, "passages", 9, 5, 0, true, 7, 8, List.of(new Truncation.Bucket("0-50%", 7, 8)));
        List<BucketMean> buckets = List.of(new BucketMean("beginning", 10, 0.5, false));
        assertThat(Unread.of(List.of(cut), buckets)).isNull();
    }
}
