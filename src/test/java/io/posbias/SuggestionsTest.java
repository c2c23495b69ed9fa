package io.posbias;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SuggestionsTest {
    @Test
    void suggestsTheNearestAndListsTheRest() {
        assertThat(Suggestions.unknown("model", "bm52", List.of("bm25", "bm25-lucene")))
                .isEqualTo("unknown model \"bm52\"; did you mean bm25? Known: bm25, bm25-lucene");
    }

    @Test
    void suggestsNothingFarAway() {
        assertThat(Suggestions.unknown("model", "colbert", List.of("bm25", "bm25-lucene")))
                .isEqualTo("unknown model \"colbert\"; known: bm25, bm25-lucene");
    }

    @Test
    void cutsLongLists() {
        List<String> many = IntStream.range(0, 30).mapToObj(i -> "name" + i).toList();
        assertThat(Suggestions.unknown("dataset", "?", many)).endsWith("name22, name23 and 6 more");
    }

    @Test
    void looksAtNoCase() {
        assertThat(Suggestions.nearest("NDCG@10", List.of("P@10", "nDCG@10"))).contains("nDCG@10");
    }
}
