package io.posbias.model.encode.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.StandInTokenizers;
import io.posbias.model.encode.StandIns;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PairRowsTest {
    private static final int CLS = 2;
    private static final int SEP = 3;
    private static final int A = 5;
    private static final int B = 6;
    private static final int C = 7;
    private static final int ALL = 1;

    @TempDir
    Path temp;

    private static byte[] bert() {
        return WordTokenizer.of(StandIns.WORDS).toJson();
    }

    private Tokenizer tokenizer(byte[] json) {
        return Tokenizer.read("tokenizer.json", json, Sessions.shared());
    }

    private static PairRow row(Tokenizer tokenizer, int maxTokens, boolean longest, double share, String... pair) {
        return new PairRows(tokenizer, tokenizer.pair(), maxTokens, longest, share)
                .row(new PairScorer.TextPair(pair[0], pair[1]));
    }

    @Test
    void bertsTypesTellTheTwoApart() {
        try (Tokenizer tokenizer = tokenizer(bert())) {
            TokenRow row = row(tokenizer, 16, false, ALL, "a b", "c").row();
            assertThat(row.ids()).containsExactly(CLS, A, B, SEP, C, SEP);
            assertThat(row.types()).containsExactly(0, 0, 0, 0, 1, 1);
        }
    }

    @Test
    void xlmRobertaHasTwoSeparatorsAndOneType() {
        try (Tokenizer tokenizer = tokenizer(StandInTokenizers.likeXlmRoberta(StandIns.WORDS))) {
            TokenRow row = row(tokenizer, 16, false, ALL, "a b", "c").row();
            assertThat(row.ids()).containsExactly(CLS, A, B, SEP, SEP, C, SEP);
            assertThat(row.types()).containsOnly(0).hasSize(7);
        }
    }

    @Test
    void onlyThePassageIsCut() {
        try (Tokenizer tokenizer = tokenizer(bert())) {
            PairRow pair = row(tokenizer, 8, false, ALL, "a b", "c c 🦉 c a");
            assertThat(pair.row().ids()).containsExactly(CLS, A, B, SEP, C, C, 1, SEP);
            assertThat(pair.row().seen()).isEqualTo("c c 🦉".length());
            assertThat(pair.queryCut()).isFalse();
        }
    }

    @Test
    void aPairThatJustFitsIsWhole() {
        try (Tokenizer tokenizer = tokenizer(bert())) {
            for (boolean longest : new boolean[] {false, true}) {
                PairRow pair = row(tokenizer, 8, longest, ALL, "a b", "c c c");
                assertThat(pair.row().size()).isEqualTo(8);
                assertThat(pair.row().seen()).isEqualTo(TokenRow.WHOLE);
                assertThat(pair.queryCut()).isFalse();
            }
        }
    }

    @Test
    void aQueryThatFillsTheRowLeavesNothingOfThePassage() {
        try (Tokenizer tokenizer = tokenizer(bert())) {
            PairRow pair = row(tokenizer, 6, false, ALL, "a a a a a", "c c");
            assertThat(pair.row().ids()).containsExactly(CLS, A, A, A, SEP, SEP);
            assertThat(pair.row().seen()).isZero();
            assertThat(pair.queryCut()).isTrue();
        }
    }

    @Test
    void aQueryGetsItsShareAtMost() {
        try (Tokenizer tokenizer = tokenizer(bert())) {
            PairRow cut = row(tokenizer, 12, false, 0.25, "a a a a", "c c");
            assertThat(cut.row().ids()).containsExactly(CLS, A, A, A, SEP, C, C, SEP);
            assertThat(cut.queryCut()).isTrue();
            assertThat(row(tokenizer, 12, false, 0.25, "a a a", "c c").queryCut())
                    .isFalse();
        }
    }

    /** The lengths that Hugging Face's tokenizers leave: the longer one is cut to the rest, or both to a half. */
    private static int[] longestFirst(int first, int second, int most) {
        if (first + second <= most) {
            return new int[] {first, second};
        }
        int shorter = Math.min(first, second);
        int longer = shorter > most ? shorter : Math.max(shorter, most - shorter);
        if (shorter + longer > most) {
            shorter = most / 2;
            longer = shorter + most % 2;
        }
        return first > second ? new int[] {longer, shorter} : new int[] {shorter, longer};
    }

    @Test
    void theLongestIsCutFirstAsDescribed() {
        try (Tokenizer tokenizer = tokenizer(bert())) {
            for (int maxTokens = 4; maxTokens <= 13; maxTokens++) {
                for (int first = 0; first <= 12; first++) {
                    for (int second = 0; second <= 12; second++) {
                        PairRow pair = row(tokenizer, maxTokens, true, ALL, "a ".repeat(first), "b ".repeat(second));
                        int[] kept = longestFirst(first, second, maxTokens - 3);
                        assertThat(count(pair.row().ids(), A))
                                .as("%d and %d in %d", first, second, maxTokens)
                                .isEqualTo(kept[0]);
                        assertThat(count(pair.row().ids(), B)).isEqualTo(kept[1]);
                        assertThat(pair.queryCut()).isEqualTo(kept[0] < first);
                        assertThat(pair.row().seen() == TokenRow.WHOLE).isEqualTo(kept[1] == second);
                    }
                }
            }
        }
    }

    private static long count(int[] ids, int id) {
        return Arrays.stream(ids).filter(one -> one == id).count();
    }

    private void sameAsTheLibrary(byte[] json, boolean longest) throws IOException {
        try (Tokenizer tokenizer = tokenizer(json)) {
            for (int maxTokens : new int[] {8, 9, 12}) {
                String strategy = longest ? "longest_first" : "only_second";
                try (HuggingFaceTokenizer library = HuggingFaceTokenizer.newInstance(
                        new ByteArrayInputStream(json),
                        Map.of("truncation", strategy, "maxLength", String.valueOf(maxTokens), "padding", "false"))) {
                    for (int first = 1; first <= (longest ? 12 : 3); first++) {
                        for (int second = 1; second <= 12; second++) {
                            String query = "a b ".repeat(first).substring(0, 2 * first);
                            String passage = "c d ".repeat(second).substring(0, 2 * second);
                            Encoding theirs = library.encode(query, passage);
                            TokenRow ours = row(tokenizer, maxTokens, longest, ALL, query, passage)
                                    .row();
                            assertThat(Arrays.stream(ours.ids()).asLongStream().toArray())
                                    .as("%d and %d in %d", first, second, maxTokens)
                                    .isEqualTo(theirs.getIds());
                            assertThat(Arrays.stream(ours.types())
                                            .asLongStream()
                                            .toArray())
                                    .isEqualTo(theirs.getTypeIds());
                        }
                    }
                }
            }
        }
    }

    @Test
    void rowsAreTheLibrarysOwn() throws IOException {
        sameAsTheLibrary(bert(), true);
        sameAsTheLibrary(bert(), false);
        sameAsTheLibrary(StandInTokenizers.likeXlmRoberta(StandIns.WORDS), true);
        sameAsTheLibrary(StandInTokenizers.likeXlmRoberta(StandIns.WORDS), false);
    }
}
