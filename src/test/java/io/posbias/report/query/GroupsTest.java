package io.posbias.report.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.UsageException;
import io.posbias.report.query.QueryFields.Kind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupsTest {
    private static final Map<String, Kind> KINDS = Map.of("words", Kind.NUMBER, "language", Kind.TEXT);

    private static Map<String, List<Object>> groups(String by, List<Object> values, List<String> order) {
        Map<String, List<Object>> groups = new LinkedHashMap<>();
        Groups.parse(by, KINDS)
                .of(values, order)
                .forEach(group -> groups.put(
                        group.name(), values.stream().filter(group.holds()).toList()));
        return groups;
    }

    /** numpy.quantile([1, 2, 3, 4, 10], [.25, .5, .75]) is 2, 3, 4; of [1, 2, 3, 4] 1.75, 2.5, 3.25. */
    @Test
    void numbersAreGroupedByQuartiles() {
        assertThat(groups("words", List.of(10, 1, 4, 2, 3), List.of()))
                .isEqualTo(Map.of("<2", List.of(1), "[2,3)", List.of(2), "[3,4)", List.of(3), ">=4", List.of(10, 4)));
        assertThat(groups("words", List.of(1, 2, 3, 4), List.of()))
                .containsOnlyKeys("<1.75", "[1.75,2.5)", "[2.5,3.25)", ">=3.25");
        assertThat(groups("words", Collections.nCopies(9, 5), List.of()))
                .isEqualTo(Map.of("<5", List.of(), ">=5", Collections.nCopies(9, 5)));
    }

    @Test
    void edgesBelongToTheRangeAbove() {
        assertThat(groups("words:100,300", List.of(99, 100, 299.5, 300), List.of()))
                .isEqualTo(Map.of("<100", List.of(99), "[100,300)", List.of(100, 299.5), ">=300", List.of(300)));
    }

    @Test
    void textsAreGroupedByValueInTheirOrder() {
        assertThat(groups("language", List.of("fr", "de", "fr"), List.of()).keySet())
                .containsExactly("de", "fr");
        assertThat(groups("language", List.of("b", List.of("a", "b")), List.of("b", "a")))
                .containsExactly(
                        Map.entry("b", List.of("b", List.of("a", "b"))), Map.entry("a", List.of(List.of("a", "b"))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            word          | --by: unknown field "word"; did you mean words?
            words:3,2     | --by words:3,2: edges are ascending numbers, for example words:100,300
            words:        | --by words:: edges are ascending numbers
            words:1,,2    | --by words:1,,2: edges are ascending numbers
            language:1    | --by language:1: language is text, so it has no edges
            """)
    void whatMakesNoSenseIsRefused(String by, String error) {
        assertThatThrownBy(() -> Groups.parse(by, KINDS))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(error);
    }

    @Test
    void moreValuesThanATableShowsAreRefused() {
        List<Object> many =
                IntStream.range(0, 51).<Object>mapToObj(i -> "v" + i).toList();
        assertThat(groups("language", many.subList(0, 50), List.of())).hasSize(50);
        assertThatThrownBy(() -> groups("language", many, List.of()))
                .hasMessageContainingAll("--by language", "51 values", "50", "--where");
    }
}
