package io.posbias.report.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.report.Results;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.ContentFixed.Place;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.result.Result;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StripTest {
    private static Strip strip(Result result) {
        return Strip.of(result, result.profiles().getFirst());
    }

    private static List<String> unread(Result result) {
        return strip(result).cells().stream()
                .map(cell -> String.valueOf(cell.unread()))
                .toList();
    }

    /** Buckets of 100, 80 and 7 queries. */
    @Test
    void aCellIsABucketWithTheShareThatIsNotRead() {
        Result result = Results.of("bm25", "sparse", "demo", 0.75);
        assertThat(strip(result))
                .isEqualTo(new Strip(
                        false,
                        List.of(
                                new Strip.Cell("beginning", 0.75, 0.0),
                                new Strip.Cell("middle", 0.5, 0.0),
                                new Strip.Cell("end", 0.25, 0.0))));
        Result cut = Results.truncated(result, true, 0, 20, 7);
        assertThat(unread(cut)).containsExactly("0.0", "0.25", "1.0");
        assertThat(strip(cut).text())
                .isEqualTo("beginning: 75.0, middle: 50.0 (25% not read), end: 25.0 (100% not read)");
    }

    @Test
    void whatIsReadIsUnknownWithoutAReport() {
        Result result = Results.of("bm25", "sparse", "demo", 0.75);
        assertThat(unread(Results.truncated(result, false, 0, 20, 7))).containsOnly("null");
        assertThat(unread(Results.truncated(result, true, 0, 20)))
                .as("other buckets")
                .containsOnly("null");
        Result bands = Results.truncated(Results.ofLengths("m", "demo", 0.75), true, 0, 20, 7);
        assertThat(Strip.of(bands, bands.profiles().getLast()).cells())
                .extracting(Strip.Cell::unread)
                .containsOnlyNulls();
        assertThat(strip(Results.truncated(result, false, 0, 20, 7)).isHatched())
                .isFalse();
    }

    @Test
    void theSameEvidenceAtPlacesGoesBeforeBuckets() {
        Result result = Results.withPlaces(
                Results.truncated(Results.of("m", "dense", "demo", 0.75), true, 0, 20, 7),
                List.of(new Place(1, 0.8, null, 0.0), new Place(2, 0.3, null, 0.75), new Place(3, 0.2, null, null)));
        assertThat(strip(result))
                .isEqualTo(new Strip(
                        true,
                        List.of(
                                new Strip.Cell("1", 0.8, 0.0),
                                new Strip.Cell("2", 0.3, 0.75),
                                new Strip.Cell("3", 0.2, null))));
        assertThat(strip(result).isHatched()).isTrue();
    }

    @Test
    void aLineHasTheHeightOfMeansAndASlashForEachHalfThatIsNotRead() {
        Strip strip = new Strip(
                false,
                Stream.of(
                                new Strip.Cell("a", 0.0, null),
                                new Strip.Cell("b", 0.5, 0.2),
                                new Strip.Cell("c", 1.0, 0.3),
                                new Strip.Cell("d", null, null),
                                new Strip.Cell("e", 0.124, 0.9))
                        .toList());
        assertThat(strip.line()).isEqualTo("|▁▁▅▅█/  //|");
        Profile bare =
                new Profile("nDCG@10", "all", 9, 0.5, null, Psi.undefined("no positions"), List.<BucketMean>of());
        Strip none = Strip.of(Results.of("m", "dense", "d", 0.5), bare);
        assertThat(none.cells()).isEmpty();
        assertThat(none.line()).isEmpty();
    }
}
