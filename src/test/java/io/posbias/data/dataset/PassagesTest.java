package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PassagesTest {
    private final Passages passages = Passages.of(Stream.of("b", "d", "a", "e", "c")
            .map(id -> new Passage(id, "", id))
            .toList());

    private static List<Map.Entry<Integer, String>> seen(Consumer<BiConsumer<Integer, Passage>> visit) {
        List<Map.Entry<Integer, String>> seen = new ArrayList<>();
        visit.accept((ordinal, passage) -> seen.add(Map.entry(ordinal, passage.text())));
        return seen;
    }

    /** Ordinals are ranks by descending identifier. */
    @Test
    void passagesComeByOrdinal() {
        assertThat(seen(passages::forEach))
                .containsExactly(
                        Map.entry(0, "e"), Map.entry(1, "d"), Map.entry(2, "c"), Map.entry(3, "b"), Map.entry(4, "a"));
    }

    @Test
    void theFileHasAnOrderOfItsOwn() {
        assertThat(seen(passages::inFileOrder))
                .containsExactly(
                        Map.entry(3, "b"), Map.entry(1, "d"), Map.entry(4, "a"), Map.entry(0, "e"), Map.entry(2, "c"));
    }
}
