package io.posbias.study.build.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedDrawTest {
    /** By Python: {@code sorted("abcdef", key=lambda c: hashlib.sha256(f"7\n{c}".encode()).hexdigest())}. */
    private static final List<String> ORDER = List.of("e", "c", "d", "b", "a", "f");

    private static List<String> drawn(int n, String... ids) {
        BoundedDraw<String> draw = new BoundedDraw<>(7, n);
        for (String id : ids) {
            draw.add(id.substring(0, 1), id);
        }
        assertThat(draw.size()).isEqualTo(draw.drawn().size());
        return draw.drawn();
    }

    @Test
    void thoseWithTheSmallestDigestsAreDrawnInTheirOrder() {
        assertThat(drawn(3, "a", "b", "c", "d", "e", "f")).isEqualTo(ORDER.subList(0, 3));
        assertThat(drawn(3, "f", "e", "d", "c", "b", "a")).isEqualTo(ORDER.subList(0, 3));
        assertThat(drawn(9, "a", "b", "c", "d", "e", "f")).isEqualTo(ORDER);
    }

    @Test
    void ofEqualIdentifiersTheFirstIsDrawn() {
        String first = ORDER.getFirst();
        assertThat(drawn(1, first + "1", first + "2")).containsExactly(first + "1");
        assertThat(drawn(2, first + "1", first + "2", first + "3")).containsExactly(first + "1", first + "2");
    }
}
