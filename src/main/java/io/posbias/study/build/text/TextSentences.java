package io.posbias.study.build.text;

import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sentences of raw text: {@link Sentences} within each paragraph, joined after abbreviations. A blank line ends a
 * sentence, a line break does not.
 */
public final class TextSentences {
    private static final Pattern BLANK_LINE = Pattern.compile("(?>\\R)[ \\t\\u00a0]*(?>\\R)\\s*");

    private static final Pattern ABBREVIATION = Pattern.compile(
            "(?:^|[\\s(\\[])(?:\\p{Lu}|Dr|Mr|Mrs|Ms|Prof|St|Fig|Figs|Eq|Eqs|"
                    + "Ref|Refs|Tab|Sec|No|Nos|Vol|vs|cf|et al|al|approx|ca|resp|e\\.g|i\\.e|Jr|Sr|Inc|Ltd|Co|spp|sp)\\.$");

    private TextSentences() {}

    /** Returns the sentences in UTF-16 units, without surrounding white space. */
    public static List<Span> of(String text, String language) {
        List<Span> sentences = new ArrayList<>();
        Matcher blank = BLANK_LINE.matcher(text);
        int start = 0;
        while (blank.find()) {
            add(text, start, blank.start(), language, sentences);
            start = blank.end();
        }
        add(text, start, text.length(), language, sentences);
        return sentences;
    }

    private static void add(String text, int from, int to, String language, List<Span> sentences) {
        String paragraph = text.substring(from, to);
        int first = sentences.size();
        for (Span span : Sentences.of(paragraph, language).spans()) {
            Span own = new Span(from + span.start(), from + span.end());
            if (sentences.size() > first
                    && ABBREVIATION.matcher(sentences.getLast().of(text)).find()) {
                own = new Span(sentences.removeLast().start(), own.end());
            }
            sentences.add(own);
        }
    }
}
