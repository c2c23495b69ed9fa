package io.posbias.model.encode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CachedScorerTest {
    @TempDir
    Path temp;

    /** A pair's score is the number of its letters; remembers what it was asked. */
    private static final class Letters implements PairScorer {
        final List<TextPair> asked = new ArrayList<>();
        private final String bad;
        boolean closed;

        Letters(String bad) {
            this.bad = bad;
        }

        @Override
        public String space() {
            return "0123456789abcdef";
        }

        @Override
        public PairWork prepare(List<TextPair> pairs) {
            return sink -> {
                for (int i = 0; i < pairs.size(); i++) {
                    TextPair pair = pairs.get(i);
                    asked.add(pair);
                    if (pair.passage().equals(bad)) {
                        throw new PosbiasException("out of luck");
                    }
                    float score = 100f * pair.query().length() + pair.passage().length();
                    int seen = pair.passage().length() > 3 ? 3 : TextEncoder.WHOLE;
                    sink.accept(List.of(new Scored(i, score, seen, pair.query().length() > 2)));
                }
            };
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private CachedScorer open(PairScorer scorer, boolean keep) {
        Engine engine = new Engine(Device.CPU, 1, 0, keep, CallLimit.none(), Sessions.in(temp));
        return new CachedScorer(scorer, "m", engine);
    }

    private static CachedScorer.KeyedPairs pairs(List<String> read, String... texts) {
        List<String> queries = new ArrayList<>();
        List<CachedScorer.KeyedText> queryKeys = new ArrayList<>();
        List<CachedScorer.KeyedText> passageKeys = new ArrayList<>();
        List<String> passages = new ArrayList<>();
        for (int i = 0; i < texts.length; i += 2) {
            queries.add(texts[i]);
            queryKeys.add(new CachedScorer.KeyedText(Role.QUERY, texts[i]));
            passageKeys.add(new CachedScorer.KeyedText(Role.PASSAGE, texts[i + 1]));
            passages.add(texts[i + 1]);
        }
        return new CachedScorer.KeyedPairs(queries, queryKeys, passageKeys, pair -> {
            read.add(passages.get(pair));
            return passages.get(pair);
        });
    }

    private static List<CachedScorer.PairScore> scored(CachedScorer scorer, CachedScorer.KeyedPairs pairs) {
        return scorer.score(pairs, Progress.NONE.start("pairs", -1));
    }

    private static CachedScorer.KeyedPairs pairs(String... texts) {
        return pairs(new ArrayList<>(), texts);
    }

    private static PairScorer.TextPair pair(String query, String passage) {
        return new PairScorer.TextPair(query, passage);
    }

    @Test
    void everyPairIsScoredOnceAndComesBackInItsPlace() {
        Letters letters = new Letters("");
        try (CachedScorer scorer = open(letters, true)) {
            List<CachedScorer.PairScore> scores = scored(scorer, pairs("q", "aa", "why", "b", "q", "aa", "q", "four"));
            assertThat(scores)
                    .containsExactly(
                            new CachedScorer.PairScore(102, TextEncoder.WHOLE, false),
                            new CachedScorer.PairScore(301, TextEncoder.WHOLE, true),
                            new CachedScorer.PairScore(102, TextEncoder.WHOLE, false),
                            new CachedScorer.PairScore(104, 3, false));
            assertThat(letters.asked).containsExactly(pair("q", "aa"), pair("why", "b"), pair("q", "four"));
        }
        assertThat(letters.closed).isTrue();
    }

    @Test
    void knownPairsAreNotEvenRead() {
        List<CachedScorer.PairScore> before;
        try (CachedScorer scorer = open(new Letters(""), true)) {
            before = scored(scorer, pairs("q", "aa", "why", "four"));
            assertThat(scorer.usage()).containsEntry("pairs_scored", 2L).containsEntry("pairs_from_cache", 0L);
        }
        Letters second = new Letters("");
        List<String> read = new ArrayList<>();
        try (CachedScorer scorer = open(second, true)) {
            assertThat(scored(scorer, pairs(read, "why", "four", "q", "aa"))).isEqualTo(before.reversed());
            assertThat(scorer.usage()).containsEntry("pairs_scored", 0L).containsEntry("pairs_from_cache", 2L);
        }
        assertThat(second.asked).isEmpty();
        assertThat(read).isEmpty();
    }

    @Test
    void aPairTurnedAroundIsAnother() {
        Letters letters = new Letters("");
        try (CachedScorer scorer = open(letters, true)) {
            scored(scorer, pairs("a", "bb", "bb", "a"));
        }
        assertThat(letters.asked).hasSize(2);
    }

    @Test
    void whatWasScoredBeforeAFailureIsNotScoredAgain() {
        String[] texts = {"q", "one", "q", "three", "q", "bad", "q", "fifteen"};
        Letters failing = new Letters("bad");
        try (CachedScorer scorer = open(failing, true)) {
            assertThatThrownBy(() -> scored(scorer, pairs(texts))).hasMessage("out of luck");
        }
        assertThat(failing.asked).hasSize(3);
        Letters sound = new Letters("");
        try (CachedScorer scorer = open(sound, true)) {
            assertThat(scored(scorer, pairs(texts)).stream().map(CachedScorer.PairScore::score))
                    .containsExactly(103f, 105f, 103f, 107f);
            assertThat(scorer.usage()).containsEntry("pairs_scored", 2L).containsEntry("pairs_from_cache", 2L);
        }
        assertThat(sound.asked).containsExactly(pair("q", "bad"), pair("q", "fifteen"));
    }

    @Test
    void scoresThatAreNotKeptLeaveNothing() {
        for (int i = 0; i < 2; i++) {
            Letters letters = new Letters("");
            try (CachedScorer scorer = open(letters, false)) {
                scored(scorer, pairs("q", "aa"));
            }
            assertThat(letters.asked).hasSize(1);
        }
        assertThat(temp).isEmptyDirectory();
    }
}
