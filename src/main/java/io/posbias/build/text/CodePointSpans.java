package io.posbias.build.text;

import io.posbias.dataset.Span;
import java.util.ArrayList;
import java.util.List;

/** Spans of UTF-16 units as spans of code points, which candidates have. */
public final class CodePointSpans {
    private CodePointSpans() {}

    /** Converts spans in the order of their starts in one walk over the text; they may overlap. */
    public static List<Span> of(String text, List<Span> spans) {
        List<Span> converted = new ArrayList<>();
        int unit = 0;
        int point = 0;
        for (Span span : spans) {
            point += text.codePointCount(unit, span.start());
            unit = span.start();
            converted.add(new Span(point, point + text.codePointCount(unit, span.end())));
        }
        return converted;
    }
}
