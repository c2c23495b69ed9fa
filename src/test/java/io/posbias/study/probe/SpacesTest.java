package io.posbias.study.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpacesTest {
    private static final String FAR = "a" + " ".repeat(1_000_000) + "b";

    /** Expected values: Python's {@code str.strip}, {@code " ".join(text.split())}, {@code len(text.split())}. */
    @Test
    void whiteSpaceIsPythons() {
        String text = "\u00a0\t a \u2009 b\u3000c\u2028\n";
        assertThat(Spaces.strip(text)).isEqualTo("a \u2009 b\u3000c");
        assertThat(Spaces.single(text)).isEqualTo("a b c");
        assertThat(Spaces.words(text)).isEqualTo(3);
        assertThat(Spaces.strip(" \n ")).isEmpty();
        assertThat(Spaces.words("")).isZero();
    }

    @Test
    void wholeWordsAreReplacedTheLongestNameFirst() {
        String text = "  New\u00a0 York, New York City and New Yorkers like New York ";
        assertThat(Spaces.replaced(text, List.of("New York", "New  York City", "New York,"), "$1\\"))
                .isEqualTo("  $1\\ $1\\ and New Yorkers like $1\\ ");
        assertThat(Spaces.replaced("a b", List.of("a b c", "b c"), "x")).isEqualTo("a b");
        assertThat(Spaces.replaced("a a a", List.of("a a"), "a a")).isEqualTo("a a a");
    }

    @Test
    void aMillionSpacesTakeNoTime() {
        assertTimeout(Duration.ofSeconds(5), () -> {
            assertThat(Spaces.strip(FAR)).isEqualTo(FAR);
            assertThat(Spaces.words(FAR)).isEqualTo(2);
            assertThat(Spaces.replaced(FAR, List.of("a b"), "c")).isEqualTo("c");
        });
    }

    @Test
    void aNameMayHaveAnyNumberOfWords() {
        String name = "a b ".repeat(50_000);
        assertThat(Spaces.replaced("x " + name + "y", List.of("a", name), "c")).isEqualTo("x c y");
    }
}
