package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.plot.WordMap;
import io.posbias.data.dataset.DataOrigin;
import io.posbias.data.dataset.Span;
import io.posbias.model.inside.Reading;
import io.posbias.study.diagnose.SaliencyPairs.SaliencyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TokenMapTest {
    private static final Offset<Double> CLOSE = within(1e-6);

    private static final SaliencyPair PAIR = new SaliencyPair("q", "", "ab", "aa bb cc dd", new Span(4, 7), "u");

    private static Reading reading(Span... spans) {
        List<Reading.Token> tokens = new ArrayList<>();
        tokens.add(new Reading.Token("[CLS]", null));
        for (Span span : spans) {
            tokens.add(new Reading.Token("piece", span));
        }
        tokens.add(new Reading.Token("[SEP]", null));
        return new Reading(tokens, false);
    }

    private static TokenMap map(Span... read) {
        float[] products = {
            0.01f, 0.01f, 0.01f, 0.01f, 0.01f, 0.01f, //
            0, 0.4f, 0.1f, -0.1f, 0.2f, 0, //
            0, 0, 0, 0, 0, 0
        };
        return new TokenMap(reading(new Span(0, 2)), reading(read), products);
    }

    /** Columns sum to .01, .41, .11, -.09, .21, .01; the evidence begins in the second token and ends in the third. */
    @Test
    void theDocumentAndTheRestAddUpToTheScore() {
        TokenMap map = map(new Span(0, 2), new Span(3, 5), new Span(6, 8), new Span(9, 11));
        assertThat(map.sum()).isCloseTo(0.66, CLOSE);
        SaliencyMap text = map.saliency(PAIR, 0.66);
        assertThat(text.values()).containsExactly(new double[] {0.41, 0.11, -0.09, 0.21}, CLOSE);
        assertThat(text.rest()).isCloseTo(0.02, CLOSE);
        assertThat(text.evidenceShare().orElseThrow().saliency()).isCloseTo(0.11 / 0.73, CLOSE);
    }

    @Test
    void wordsHoldTheirTokens() {
        SaliencyPair pair = new SaliencyPair("q", "", "ab", "aabb cc dd", new Span(2, 3), "u");
        SaliencyPairs pairs =
                new SaliencyPairs(new DataOrigin("d", Map.of(), Map.of()), null, "en", "en", List.of(pair));
        WordMap words = map(new Span(0, 2), new Span(2, 4), new Span(5, 7), new Span(8, 10))
                .words("t", pair, pairs);
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
