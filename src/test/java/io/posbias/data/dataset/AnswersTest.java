package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswersTest {
    /** Text, answer, and the place's text in the original; the spellings of a Java string. */
    @ParameterizedTest
    @CsvSource({
        "has ele\\u00ad\\nven arches, eleven arches, ele\\u00ad\\nven arches",
        "a twel\\u200bve hour rest, twelve hour, twel\\u200bve hour",
        "a green par\\u2060rot, parrot, par\\u2060rot",
        "it trem\\u2010\\nbles now, trembles, trem\\u2010\\nbles",
        "the po-\\nlitical act, political, po-\\nlitical",
        "a well-\\nknown town, well-known town, well-\\nknown town",
        "after the \\ufb02ood, flood, \\ufb02ood",
        "the \\ufb01nal o\\ufb03ce, final office, \\ufb01nal o\\ufb03ce",
        "10\\u00a0000 people, 10 000 people, 10\\u00a0000 people",
        "1\\u2009234\\u202fkm, 1 234 km, 1\\u2009234\\u202fkm",
        "in the cafe\\u0301 today, caf\\u00e9, cafe\\u0301",
        "in the caf\\u00e9 today, cafe\\u0301, caf\\u00e9",
        "he said \\u201cyes\\u201d, '\"yes\"', \\u201cyes\\u201d",
        "don\\u2019t go, don't go, don\\u2019t go",
        "from 1914\\u20131918 on, 1914-1918, 1914\\u20131918",
        "\\ud55c\\uad6d\\uc5b4, \\u1112\\u1161\\u11ab\\u1100\\u116e\\u11a8\\u110b\\u1165, \\ud55c\\uad6d\\uc5b4",
        "\\uff34\\uff4f\\uff4b\\uff59\\uff4f 2020, Tokyo, \\uff34\\uff4f\\uff4b\\uff59\\uff4f",
        "\\u0645\\u0640\\u0640\\u062d\\u0645\\u062f, \\u0645\\u062d\\u0645\\u062f, \\u0645\\u0640\\u0640\\u062d\\u0645\\u062f",
        "\\u0645\\u06cc\\u200c\\u0634\\u0648\\u062f, \\u0645\\u06cc\\u0634\\u0648\\u062f, \\u0645\\u06cc\\u200c\\u0634\\u0648\\u062f",
        "a \\ud835\\udc9clborg, Alborg, \\ud835\\udc9clborg",
        "\\u00ab\\u00a0\\u00e0 vide\\u00a0\\u00bb or not, '\"\\u00e0 vide\" or', \\u00ab\\u00a0\\u00e0 vide\\u00a0\\u00bb or",
        "I \\u2764\\ufe0f Paris, I \\u2764 Paris, I \\u2764\\ufe0f Paris",
        "pages 10-\\n12 here, 10-12, 10-\\n12",
        "lange Stra\\u00dfe, Strasse, Stra\\u00dfe",
        "fall to \\u22125 degrees, -5 degrees, \\u22125 degrees",
        "wait\\u2026 and left, wait... and, wait\\u2026 and",
        "area of 5 m\\u00b2 here, 5 m2, 5 m\\u00b2"
    })
    void textIsMatchedAsUnicode(String text, String answer, String place) {
        String whole = unescaped(text);
        assertThat(Answers.places(whole, unescaped(answer))).isEmpty();
        assertThat(Answers.folded(whole, unescaped(answer)))
                .extracting(span -> span.of(whole))
                .containsExactly(unescaped(place));
    }

    private static String unescaped(String text) {
        StringBuilder plain = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            if (text.startsWith("\\u", at)) {
                plain.append((char) Integer.parseInt(text.substring(at + 2, at + 6), 16));
                at += 5;
            } else if (text.startsWith("\\n", at)) {
                plain.append('\n');
                at++;
            } else {
                plain.append(text.charAt(at));
            }
        }
        return plain.toString();
    }

    @Test
    void wholeCharactersOnlyAndNothingElseIsEqual() {
        assertThat(Answers.folded("the cafe\u0301 is", "cafe")).isEmpty();
        assertThat(Answers.folded("\ufb01nland", "inland")).isEmpty();
        assertThat(Answers.folded("resume", "r\u00e9sum\u00e9")).isEmpty();
        assertThat(Answers.folded("co operate", "cooperate")).isEmpty();
        assertThat(Answers.folded("1-2", "12")).isEmpty();
        assertThat(Answers.folded("any text", "\u200b")).isEmpty();
        assertThat(Answers.folded("", "a")).isEmpty();
    }

    /** Several places are several, and exact words count first. */
    @Test
    void exactWordsComeFirst() {
        String text = "par\u00adrot and parrot";
        assertThat(Answers.places(text, List.of("parrot"))).containsExactly(new Span(12, 18));
        assertThat(Answers.folded(text, "parrot")).hasSize(2);
        Answers.Found<String> found = Answers.first(text, List.of("par-rot", "parrot"), answer -> answer)
                .orElseThrow();
        assertThat(found.answer()).isEqualTo("parrot");
        assertThat(found.isFolded()).isFalse();
    }
}
