package io.posbias.model.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PortionTest {
    private static Portion<String> portion(List<Integer> places, List<String> items) {
        return new Portion<>(new ArrayList<>(places), new ArrayList<>(items));
    }

    @Test
    void neighboursGoToDifferentPortions() {
        List<String> items = List.of("a", "b", "c", "d", "e", "f");
        assertThat(Portion.deal(items, 1))
                .containsExactly(
                        portion(List.of(0, 4), List.of("a", "e")),
                        portion(List.of(1, 5), List.of("b", "f")),
                        portion(List.of(2), List.of("c")),
                        portion(List.of(3), List.of("d")));
    }

    @Test
    void noPortionIsEmptyOrHasMoreThanMayBeLost() {
        assertThat(Portion.deal(List.of("a", "b"), 8)).hasSize(2);
        int many = 3 * 4 * Portion.MAX_ITEMS + 1;
        List<Portion<Integer>> portions =
                Portion.deal(IntStream.range(0, many).boxed().toList(), 3);
        assertThat(portions)
                .hasSize(13)
                .allSatisfy(one -> assertThat(one.items())
                        .hasSizeLessThanOrEqualTo(Portion.MAX_ITEMS)
                        .isEqualTo(one.places()));
    }

    @Test
    void itemsAreTakenOneByOneOnce() {
        Portion<String> two = portion(List.of(3, 7), List.of("a", "b"));
        assertThat(two.single()).containsExactly(portion(List.of(3), List.of("a")), portion(List.of(7), List.of("b")));
        assertThat(two.single().getFirst().single()).isEmpty();
    }

    @Test
    void errorsNameOneOfThem() {
        assertThat(portion(List.of(3, 7), List.of("a", "b")).name("texts", text -> "the text " + text))
                .isEqualTo("2 texts from the text a on");
        assertThat(portion(List.of(3), List.of("a")).name("texts", text -> "the text " + text))
                .isEqualTo("the text a");
        assertThat(Portion.deal(Collections.nCopies(9, "a"), 2)).hasSize(8);
    }
}
