package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class CodePointsTest {
    @Provide
    Arbitrary<String> texts() {
        Arbitrary<Integer> codePoints = Arbitraries.integers()
                .between(1, Character.MAX_CODE_POINT)
                .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE);
        return codePoints.array(int[].class).ofMaxSize(12).map(points -> new String(points, 0, points.length));
    }

    @Property
    void orderIsThatOfUtf8Bytes(@ForAll("texts") String a, @ForAll("texts") String b) {
        int bytes = Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
        assertThat(Integer.signum(CodePoints.ORDER.compare(a, b))).isEqualTo(Integer.signum(bytes));
    }

    @Property
    void spansCutWhatPythonWouldCut(
            @ForAll("texts") String before, @ForAll("texts") String answer, @ForAll("texts") String after) {
        String text = before + answer + after;
        int start = before.codePointCount(0, before.length());
        int end = start + answer.codePointCount(0, answer.length());
        assertThat(CodePoints.toUtf16(text, start, end).of(text)).isEqualTo(answer);
    }

    @Test
    void anEmojiIsOneCodePoint() {
        assertThat(CodePoints.count("a🦉b")).isEqualTo(3);
        assertThat(CodePoints.toUtf16("a🦉b", 2, 3)).isEqualTo(new Span(3, 4));
    }

    @Test
    void surrogatesSortAboveAllOfTheBasicPlane() {
        assertThat(CodePoints.ORDER.compare("\uFF5E", "🦉")).isNegative();
        assertThat("\uFF5E".compareTo("🦉")).isPositive();
    }
}
