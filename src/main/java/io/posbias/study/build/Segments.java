package io.posbias.study.build;

import io.posbias.base.json.Setting;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DatasetStatistics;
import io.posbias.data.dataset.Span;
import io.posbias.study.build.text.TextSentences;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Equal segments of documents. With borders between {@code characters} segment i of n has {@code floor(z / n)} of z
 * code points and the last one the rest, as in Algorithm 1 of FineWeb-PosQ. With borders between {@code sentences}
 * each border is the sentence start nearest to its share of the length in {@code unit} (our choice).
 *
 * @param unit of sentence lengths; null: words
 */
record Segments(
        @Setting(words = {"characters", SENTENCES}) String borders,
        @Nullable LengthUnit unit) {
    private static final String SENTENCES = "sentences";

    Segments {
        if (unit != null && !borders.equals(SENTENCES)) {
            throw new Setting.Wrong("unit", "has no meaning here", "it goes with borders: sentences");
        }
    }

    private LengthUnit lengths() {
        return unit == null ? new LengthUnit(LengthUnit.WORDS) : unit;
    }

    Object inputs(StageContext context) {
        return lengths().inputs(context);
    }

    /**
     * Cuts a document into n segments without gaps.
     *
     * @return spans of code points; empty if the document has too few characters or sentences
     */
    List<Span> cut(String text, int n, StageContext context) {
        return borders.equals(SENTENCES)
                ? bySentences(text, context.language(), n, lengths().counter(context))
                : equal(CodePoints.count(text), n);
    }

    /** Cuts a document into the texts of its thirds; empty as for {@link #cut}. */
    List<String> thirds(String text, StageContext context) {
        return cut(text, 3, context).stream().map(part -> textOf(part, text)).toList();
    }

    /** Cuts into the texts of thirds: by characters for an empty language, else at sentences with lengths in words. */
    static List<String> thirds(String text, String language) {
        List<Span> cut = language.isEmpty() ? List.of() : bySentences(text, language, 3, DatasetStatistics::words);
        List<Span> parts = cut.isEmpty() ? equal(CodePoints.count(text), 3) : cut;
        return parts.stream().map(part -> textOf(part, text)).toList();
    }

    static String textOf(Span part, String text) {
        return CodePoints.toUtf16(text, part.start(), part.end()).of(text);
    }

    /** Cuts code points into segments of equal length; the last one also has the rest. */
    static List<Span> equal(int codePoints, int n) {
        int length = codePoints / n;
        List<Span> parts = new ArrayList<>();
        for (int i = 0; i < n && length > 0; i++) {
            parts.add(new Span(i * length, i + 1 == n ? codePoints : (i + 1) * length));
        }
        return parts;
    }

    /** Cuts at sentence starts; white space after a sentence belongs to its segment. */
    static List<Span> bySentences(String text, String language, int n, ToIntFunction<String> length) {
        List<Span> sentences = TextSentences.of(text, language);
        if (sentences.size() < n) {
            return List.of();
        }
        long[] before = new long[sentences.size() + 1];
        for (int i = 0; i < sentences.size(); i++) {
            before[i + 1] = before[i] + length.applyAsInt(sentences.get(i).of(text));
        }
        List<Span> parts = new ArrayList<>();
        int first = 0;
        int start = 0;
        for (int i = 1; i <= n; i++) {
            first = i == n ? sentences.size() : border(before, first + 1, sentences.size() - (n - i), i, n);
            int end = i == n ? text.length() : sentences.get(first).start();
            parts.add(new Span(start, end));
            start = end;
        }
        return CodePoints.fromUtf16(text, parts);
    }

    /** The sentence at which the i-th border is nearest to i / n of the whole; the earlier of two that are as near. */
    private static int border(long[] before, int least, int most, int i, int n) {
        long whole = before[before.length - 1];
        int best = least;
        for (int at = least; at <= most; at++) {
            if (Math.abs(before[at] * n - whole * i) < Math.abs(before[best] * n - whole * i)) {
                best = at;
            }
        }
        return best;
    }
}
