package io.posbias.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SuggestionsTest {
    @Test
    void suggestsTheNearestAndListsTheRest() {
        assertThat(Suggestions.unknown("model", "bm52", List.of("bm25", "bm25-lucene")))
                .contains("model \"bm52\"", "did you mean bm25?", "bm25, bm25-lucene");
    }

    @Test
    void suggestsNothingFarAway() {
        assertThat(Suggestions.unknown("model", "colbert", List.of("bm25", "bm25-lucene")))
                .contains("model \"colbert\"", "bm25, bm25-lucene")
                .doesNotContain("did you mean");
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

    @Test
    void longListsAreLeftToTheCommandThatPrintsThem() {
        List<String> many = IntStream.range(0, 30).mapToObj(i -> "name" + i).toList();
        assertThat(Suggestions.unknown("model", "namee2", many, "list"))
                .contains("\"namee2\"", "name2, name12, name22, name0 or name1?", "'list' lists all 30");
        assertThat(Suggestions.unknown("model", "colbert", many, "list"))
                .contains("\"colbert\"", "'list' lists all 30")
                .doesNotContain("did you mean");
        assertThat(Suggestions.unknown("model", "bm52", List.of("bm25"), "list"))
                .contains("\"bm52\"", "did you mean bm25?")
                .endsWith(" bm25");
    }

    @Test
    void partsOfNamesAreSuggestions() {
        List<String> known = List.of("all-minilm-l6-v2", "bge-m3", "bge-m3-colbert");
        assertThat(Suggestions.near("MiniLM", known)).containsExactly("all-minilm-l6-v2");
        assertThat(Suggestions.near("bge", known)).containsExactly("bge-m3", "bge-m3-colbert");
        assertThat(Suggestions.near("xyz", known)).isEmpty();
    }

    @Test
    void capitalsDoNotMatterWhereOneNameIsMeant() {
        assertThat(Suggestions.meant("BM25", List.of("bm25", "bm25-lucene"))).contains("bm25");
        assertThat(Suggestions.meant("a", List.of("A", "a"))).contains("a");
        assertThat(Suggestions.meant("X", List.of("x", "X"))).contains("X");
        assertThat(Suggestions.meant("xy", List.of("xY", "Xy"))).isEmpty();
    }
}
