package io.posbias.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.dataset.Span;
import io.posbias.inside.Reading;
import io.posbias.plot.WordMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Parts of a score by hand. */
class TokenMapTest {
    private static final Offset<Double> CLOSE = within(1e-6);

    private static final TokenPair PAIR =
            new TokenPair("q", "", "ab", "aa bb cc dd", new Span(4, 7), List.of("late"), "u");

    private static Reading reading(Span... spans) {
        List<Reading.Token> tokens = new ArrayList<>();
        tokens.add(new Reading.Token("[CLS]", null));
        for (Span span : spans) {
            tokens.add(new Reading.Token("piece", span));
        }
        tokens.add(new Reading.Token("[SEP]", null));
        return new Reading(tokens, false);
    }

    private static TokenMap map(TokenPair pair, double by) {
        float[] products = {
            0.01f, 0.01f, 0.01f, 0.01f, 0.01f, 0.01f, //
            0, 0.4f, 0.1f, -0.1f, 0.2f, 0, //
            0, 0, 0, 0, 0, 0
        };
        for (int i = 0; i < products.length; i++) {
            products[i] *= (float) by;
        }
        return new TokenMap(
                pair,
                0.66 * by,
                reading(new Span(0, 2)),
                reading(new Span(0, 2), new Span(3, 5), new Span(6, 8), new Span(9, 11)),
                products);
    }

    /** Columns sum to .01, .41, .11, -.09, .21, .01; a third of four tokens is one and a third of one. */
    @Test
    void thirdsAndSpecialTokensAreTheWhole() {
        TokenMap map = map(PAIR, 1);
        assertThat(map.difference()).isCloseTo(0, CLOSE);
        TokenMap.Parts parts = map.parts();
        assertThat(parts.whole()).isCloseTo(0.66, CLOSE);
        assertThat(parts.thirds()[0]).isCloseTo(0.41 + 0.11 / 3, CLOSE);
        assertThat(parts.thirds()[1]).isCloseTo(2 * 0.11 / 3 - 2 * 0.09 / 3, CLOSE);
        assertThat(parts.thirds()[2]).isCloseTo(-0.09 / 3 + 0.21, CLOSE);
        assertThat(parts.special()).isCloseTo(0.02, CLOSE);
        assertThat(parts.askedSpecial()).isCloseTo(0.06, CLOSE);
        assertThat(map.askedTotals()[1]).isCloseTo(0.6, CLOSE);
    }

    /** It begins in the second token and ends in the third. */
    @Test
    void theEvidenceHasTheTokensThatHoldAnyOfIt() {
        TokenMap.Evident evident = Objects.requireNonNull(map(PAIR, 1).parts().evident());
        assertThat(evident.sum()).isCloseTo(0.11 - 0.09, CLOSE);
        assertThat(evident.tokens()).isEqualTo(0.5);
        TokenPair unread = new TokenPair("q", "", "ab", PAIR.document(), new Span(11, 12), List.of(), "u");
        assertThat(map(unread, 1).parts().evident()).isNull();
    }

    @Test
    void theDocumentAndTheRestAddUpToTheScore() {
        SaliencyMap text = map(PAIR, 1).saliency();
        assertThat(text.values()).hasSize(4);
        double sum = 0;
        for (double value : text.values()) {
            sum += value;
        }
        assertThat(sum + Objects.requireNonNull(text.rest())).isCloseTo(text.score(), CLOSE);
    }

    private static TokenPairs pairs(TokenPair... all) {
        return new TokenPairs("d", Map.of(), null, Map.of(), "en", "en", List.of("early", "late"), List.of(all));
    }

    /** All pairs have the same shares, whatever their scores: no spread. The bucket without a pair is left out. */
    @Test
    void sharesAreOfTheSumOfScores() {
        TokenPair other = new TokenPair("p", "", "ab", PAIR.document(), null, List.of(), "v");
        TokenProfile profile = TokenProfile.of(pairs(PAIR, other), List.of(map(PAIR, 1), map(other, 3)), 0.95);
        assertThat(profile.pairs()).isEqualTo(2);
        assertThat(profile.slices()).extracting(TokenProfile.Slice::bucket).containsExactly(null, "late");
        TokenProfile.Slice all = profile.slices().getFirst();
        assertThat(all.score()).isCloseTo(1.32, CLOSE);
        TokenProfile.Shares shares = Objects.requireNonNull(all.shares());
        assertThat(shares.first().value()).isCloseTo((0.41 + 0.11 / 3) / 0.66, CLOSE);
        assertThat(Objects.requireNonNull(shares.first().interval()).high())
                .isCloseTo(shares.first().value(), CLOSE);
        assertThat(shares.first().value()
                        + shares.middle().value()
                        + shares.last().value()
                        + shares.special().value())
                .isCloseTo(1, CLOSE);
        TokenProfile.EvidenceShare evidence = Objects.requireNonNull(all.evidence());
        assertThat(evidence.pairs()).isEqualTo(1);
        assertThat(evidence.tokens()).isEqualTo(0.5);
        assertThat(evidence.share().value()).isCloseTo(0.02 / 0.66, CLOSE);
        assertThat(evidence.even().value()).isCloseTo(0.32 / 0.66, CLOSE);
        assertThat(evidence.difference()).isNull();
    }

    @Test
    void scoresThatSumToNothingHaveNoShares() {
        TokenProfile profile = TokenProfile.of(pairs(PAIR, PAIR), List.of(map(PAIR, 1), map(PAIR, -1)), 0.95);
        assertThat(profile.slices().getFirst().shares()).isNull();
        assertThat(profile.slices().getFirst().evidence()).isNull();
    }

    /** Two pieces of one word are a column; its number is their sum. */
    @Test
    void wordsHoldTheirTokens() {
        TokenPair pair = new TokenPair("q", "", "ab", "aabb cc dd", new Span(2, 3), List.of(), "u");
        TokenMap map = new TokenMap(
                pair,
                0.66,
                reading(new Span(0, 2)),
                reading(new Span(0, 2), new Span(2, 4), new Span(5, 7), new Span(8, 10)),
                map(PAIR, 1).products());
        WordMap words = TokenWords.of("t", map, pairs(pair));
        assertThat(words.columns())
                .containsExactly(
                        new WordMap.Word("[CLS]", WordMap.Mark.SPECIAL),
                        new WordMap.Word("aabb", WordMap.Mark.EVIDENCE),
                        new WordMap.Word("cc", WordMap.Mark.PLAIN),
                        new WordMap.Word("dd", WordMap.Mark.PLAIN),
                        new WordMap.Word("[SEP]", WordMap.Mark.SPECIAL));
        assertThat(words.values()[1][1]).isCloseTo(0.5, CLOSE);
        assertThat(words.values()[0][1]).isCloseTo(0.02, CLOSE);
    }
}
