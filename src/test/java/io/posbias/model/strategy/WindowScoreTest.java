package io.posbias.model.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Span;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import io.posbias.rank.TruncationReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class WindowScoreTest {
    /** In the order of ordinals, which is that of ids from the last: c has 3 windows, b one, a two. */
    private static final int C = 0;

    private static final int B = 1;
    private static final int A = 2;

    private static Windows windows(Windows.Part part) {
        Dataset whole = new Dataset(
                DatasetCard.named("letters"),
                Map.of(),
                Passages.of(List.of(
                        new Passage("a", "T", "a b c d"),
                        new Passage("b", "", "e f"),
                        new Passage("c", "", "g h i j k l"))),
                List.of(new Query("q", "a", null)),
                new Qrels(Map.of("q", Judgments.of(Map.of(A, 2)))));
        TextWindows cutter = new TextWindows(
                2,
                2,
                false,
                false,
                text -> Pattern.compile("\\S+")
                        .matcher(text)
                        .results()
                        .map(match -> new Span(match.start(), match.end()))
                        .toList());
        return new Windows(
                whole,
                cutter,
                part,
                (id, passage, window) -> new Passage(
                        id, passage.title(), window.of(passage.text()).strip()));
    }

    private static int window(Windows windows, String id) {
        return windows.dataset().passages().ids().ordinal(id);
    }

    @Test
    void windowsAreACorpusOfTheirOwn() {
        Windows windows = windows(Windows.Part.TEXT);
        List<Passage> passages = new ArrayList<>();
        windows.dataset().passages().inFileOrder((ordinal, passage) -> passages.add(passage));
        assertThat(passages)
                .containsExactlyInAnyOrder(
                        new Passage("a\t0", "T", "a b"),
                        new Passage("a\t1", "T", "c d"),
                        new Passage("b", "", "e f"),
                        new Passage("c\t0", "", "g h"),
                        new Passage("c\t1", "", "i j"),
                        new Passage("c\t2", "", "k l"));
        assertThat(windows.size()).isEqualTo(6);
        assertThat(windows.passages()).isEqualTo(3);
        assertThat(windows.count(C)).isEqualTo(3);
        assertThat(windows.owner(window(windows, "c\t1"))).isEqualTo(C);
        assertThat(windows.owner(window(windows, "b"))).isEqualTo(B);
        Judgments judged = Objects.requireNonNull(windows.dataset().qrels().of("q"));
        assertThat(judged.passages()).containsExactlyInAnyOrder(window(windows, "a\t0"), window(windows, "a\t1"));
        assertThat(judged.grade(window(windows, "a\t1"))).isEqualTo(2);
        Run pool = windows.expand(new Run(
                windows.dataset().passages().ids(), List.of("q"), List.of(Ranking.of(new int[] {A, B}, new float[] {1, 2
                }))));
        assertThat(pool.ranking(0).passages())
                .containsExactlyInAnyOrder(window(windows, "a\t0"), window(windows, "a\t1"), window(windows, "b"));
    }

    /** c: 5, 1, -3; b: 4; a: 2 and one not found. */
    private static Ranking score(WindowScore score, int hits) {
        Windows windows = windows(Windows.Part.TEXT);
        int[] found = {
            window(windows, "c\t2"),
            window(windows, "b"),
            window(windows, "a\t1"),
            window(windows, "c\t0"),
            window(windows, "c\t1")
        };
        return score.passages(Ranking.of(found, new float[] {5, 4, 2, 1, -3}).top(hits), windows);
    }

    private static void assertScores(Ranking ranking, int[] passages, float... scores) {
        assertThat(ranking.passages()).containsExactly(passages);
        for (int i = 0; i < scores.length; i++) {
            assertThat(ranking.score(i)).isEqualTo(scores[i]);
        }
    }

    @Test
    void theBestWindowCounts() {
        assertScores(score(new WindowScore(WindowScore.Kind.MAX, null), 5), new int[] {C, B, A}, 5, 4, 2);
        assertScores(score(new WindowScore(WindowScore.Kind.MAX, null), 2), new int[] {C, B}, 5, 4);
    }

    @Test
    void allWindowsCountTogether() {
        assertScores(score(new WindowScore(WindowScore.Kind.SUM, null), 5), new int[] {B, C, A}, 4, 3, 2);
    }

    /** Over two: c (5 + 1) / 2, b 4 / 1, a (2 + 0) / 2. Over three: c 3 / 3. Over one: as the best. */
    @Test
    void theMeanIsOverTheBestWindows() {
        assertScores(score(new WindowScore(WindowScore.Kind.MEAN, 2), 5), new int[] {B, C, A}, 4, 3, 1);
        assertScores(score(new WindowScore(WindowScore.Kind.MEAN, 3), 5), new int[] {B, C, A}, 4, 1, 1);
        assertScores(score(new WindowScore(WindowScore.Kind.MEAN, 1), 5), new int[] {C, B, A}, 5, 4, 2);
    }

    private static WindowScore of(Map<String, Object> fields) {
        return Json.settings(new Fields(new Location(Path.of("r.yaml"), 1), Map.copyOf(fields)), WindowScore.class);
    }

    @Test
    void settingsAreChecked() {
        assertThat(of(Map.of())).isEqualTo(new WindowScore(WindowScore.Kind.MAX, null));
        assertThat(of(Map.of("score", "mean", "best", 3))).isEqualTo(new WindowScore(WindowScore.Kind.MEAN, 3));
        assertThatThrownBy(() -> of(Map.of("best", 3)))
                .hasMessageContainingAll("r.yaml:1:", "\"best\"", "score: max", "score: mean");
        assertThatThrownBy(() -> of(Map.of("score", "mean", "best", 0))).hasMessageContaining("field \"best\" is 0");
        assertThatThrownBy(() -> of(Map.of("score", "min"))).hasMessageContaining("field \"score\" is \"min\"");
    }

    private static int unreadIn(int[] byPassage) {
        return (int) Arrays.stream(byPassage)
                .filter(seen -> seen == TruncationReport.NEVER_READ)
                .count();
    }

    private static int[] seen(Windows windows, Map<String, Integer> cut) {
        int[] byWindow = new int[windows.size()];
        Arrays.fill(byWindow, TruncationReport.WHOLE);
        cut.forEach((id, units) -> byWindow[window(windows, id)] = units);
        TruncationReport truncation = windows.truncation(TruncationReport.ofPassages("m", 8, byWindow, 3));
        assertThat(truncation.stage()).isEqualTo("m");
        assertThat(truncation.total()).isEqualTo(3 - unreadIn(truncation.byPassage()));
        assertThat(truncation.queriesCut()).isEqualTo(3);
        assertThat(truncation.cut())
                .isEqualTo(Arrays.stream(truncation.byPassage())
                        .filter(units -> units >= 0)
                        .count());
        return truncation.byPassage();
    }

    @Test
    void aPassageWasSeenUpToTheFirstCharacterThatNoWindowShowed() {
        Windows windows = windows(Windows.Part.TEXT);
        int whole = TruncationReport.WHOLE;
        assertThat(seen(windows, Map.of())).containsExactly(whole, whole, whole);
        assertThat(seen(windows, Map.of("c\t1", 1))).containsExactly(5, whole, whole);
        assertThat(seen(windows, Map.of("c\t0", 1, "c\t1", 1))).containsExactly(1, whole, whole);
        assertThat(seen(windows, Map.of("a\t1", 0, "b", 2))).containsExactly(whole, 2, 4);
        assertThat(seen(windows, Map.of("a\t0", TruncationReport.UNKNOWN)))
                .containsExactly(whole, whole, TruncationReport.UNKNOWN);
        assertThat(seen(windows, Map.of("c\t2", TruncationReport.NEVER_READ)))
                .containsExactly(TruncationReport.NEVER_READ, whole, whole);
    }

    @Test
    void ofPairsOnlyThoseThatWereCutAreKept() {
        Windows windows = windows(Windows.Part.TEXT);
        Map<Integer, Integer> cut = Map.of(window(windows, "c\t1"), 3, window(windows, "b"), 2);
        TruncationReport truncation = windows.truncation(
                new TruncationReport("m", 8, TruncationReport.Unit.PAIRS, 9, 2, 0, true, new int[0], Map.of("q", cut)));
        assertThat(truncation.total()).isEqualTo(9);
        assertThat(truncation.cut()).isEqualTo(2);
        assertThat(truncation.byPair()).isEqualTo(Map.of("q", Map.of(C, 7, B, 2)));
    }
}
