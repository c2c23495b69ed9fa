package io.posbias.model.strategy;

import io.posbias.base.json.Setting;
import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import io.posbias.model.retrieve.Recipe;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Cutter of a text into overlapping windows that cover it. A text of at most {@code size} tokens is one window.
 *
 * <p>Without {@code sentences} a window has {@code size} tokens and begins {@code stride} tokens after the previous
 * one; both ends move back to the beginning of a word, if that is in the second half.
 *
 * <p>With {@code sentences} a window has as many whole sentences as fit, and the next one begins with the first
 * sentence that starts at least {@code stride} tokens later; a sentence that does not fit is cut as without.
 *
 * <p>The last window has the rest. With {@code fullLast} it begins earlier, at the first word or sentence from which
 * the rest fits.
 *
 * @param size maximum tokens of a window, without special tokens; at least 1
 * @param stride from 1 to {@code size}
 * @param tokens cuts a text into tokens, in ascending order
 */
record TextWindows(int size, int stride, boolean sentences, boolean fullLast, Function<String, List<Span>> tokens) {
    /**
     * Fields of a recipe.
     *
     * @param window by default near the 150 words of Dai and Callan 2019 (arXiv:1905.09217), whose
     *     stride is half a window
     * @param stride null for half a window
     */
    record WindowSettings(
            @Setting(usual = "" + WindowSettings.USUAL, least = 1)
            int window,

            @Nullable Integer stride,
            @Setting(usual = "false") boolean sentences,
            @Setting(usual = "false") boolean fullLast) {
        static final int USUAL = 128;

        /** Special tokens that fit beside a window. */
        private static final int SPECIAL = 8;

        /**
         * Returns the settings that are compared by default: windows of the usual size, or of half as many tokens as the model
         * reads where these do not fit, then of a half and of a quarter of it, since a window that holds a whole passage
         * changes nothing.
         */
        static List<String> usual(Recipe model) {
            int most = model.maxTokens();
            int largest = most > 0 && most < USUAL + SPECIAL ? Math.max(1, most / 2) : USUAL;
            return IntStream.of(largest, largest / 2, largest / 4)
                    .filter(size -> size > 0)
                    .mapToObj(size -> size == USUAL ? "" : ":window=" + size)
                    .toList();
        }

        WindowSettings {
            if (stride != null && (stride < 1 || stride > window)) {
                throw new Setting.Wrong("stride", "is " + stride, "it must be from 1 to window, which is " + window);
            }
        }

        TextWindows over(Function<String, List<Span>> tokens) {
            int step = Objects.requireNonNullElse(stride, Math.max(1, window / 2));
            return new TextWindows(window, step, sentences, fullLast, tokens);
        }
    }

    /**
     * Returns the windows in UTF-16 units. Each begins at the previous one's end or earlier, and ends after it; none
     * is blank.
     */
    List<Span> cut(String text) {
        return cut(text, tokens.apply(text));
    }

    /**
     * @param all the text's tokens
     */
    List<Span> cut(String text, List<Span> all) {
        if (all.size() <= size) {
            return List.of(new Span(0, text.length()));
        }
        int[] units = sentences ? sentenceStarts(text, all) : new int[0];
        List<Span> windows = new ArrayList<>();
        Cutting cutting = new Cutting(text, all);
        for (int from = 0, to = 0; to < all.size(); ) {
            to = sentences ? cutting.endOfUnits(units, from) : cutting.end(from);
            add(text, cutting.span(from, to), windows);
            from = Math.min(to, sentences ? first(units, from + stride) : cutting.wordStart(from + stride, from));
            if (fullLast && from + size > all.size()) {
                from = sentences ? Math.min(from, first(units, all.size() - size)) : cutting.lastStart(from);
            }
        }
        return windows.isEmpty() ? List.of(new Span(0, text.length())) : windows;
    }

    /** Joins a blank window to a neighbour, and drops a window inside the previous one. */
    private static void add(String text, Span window, List<Span> windows) {
        if (!windows.isEmpty() && window.end() <= windows.getLast().end()) {
            return;
        }
        boolean blank = window.of(text).isBlank();
        if (!windows.isEmpty() && blank) {
            windows.set(windows.size() - 1, new Span(windows.getLast().start(), window.end()));
        } else if (!blank) {
            windows.add(windows.isEmpty() ? new Span(0, window.end()) : window);
        }
    }

    /**
     * Returns the tokens at which a window may begin: starts of sentences, and of parts of sentences that do not fit.
     */
    private int[] sentenceStarts(String text, List<Span> all) {
        List<Integer> starts = new ArrayList<>();
        Cutting cutting = new Cutting(text, all);
        int token = 0;
        List<Span> spans = Sentences.of(text, "").spans();
        for (int i = 0; i < spans.size(); i++) {
            int end = i + 1 == spans.size() ? all.size() : token;
            while (i + 1 < spans.size()
                    && end < all.size()
                    && all.get(end).start() < spans.get(i + 1).start()) {
                end++;
            }
            while (token < end) {
                starts.add(token);
                token = Math.min(end, cutting.end(token));
            }
        }
        return starts.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Returns the first unit that begins at a token or later. */
    private static int first(int[] units, int earliest) {
        return Arrays.stream(units).filter(unit -> unit >= earliest).findFirst().orElse(Integer.MAX_VALUE);
    }

    private final class Cutting {
        private final String text;
        private final List<Span> all;
        private final BreakIterator words = BreakIterator.getWordInstance(Locale.ROOT);

        Cutting(String text, List<Span> all) {
            this.text = text;
            this.all = all;
            words.setText(text);
        }

        /** Returns the token after a window's last. */
        int end(int from) {
            return from + size >= all.size() ? all.size() : wordStart(from + size, from);
        }

        /** Returns the token after the last whole unit that fits. */
        int endOfUnits(int[] units, int from) {
            if (from + size >= all.size()) {
                return all.size();
            }
            int end = from;
            for (int unit : units) {
                end = unit > from && unit <= from + size ? unit : end;
            }
            return end > from ? end : end(from);
        }

        /**
         * Returns the last token up to the given one that begins a word, at most half a step back; else the given
         * token.
         */
        int wordStart(int token, int from) {
            if (token >= all.size()) {
                return all.size();
            }
            for (int at = token; at > from && at > (from + token) / 2; at--) {
                if (beginsWord(at)) {
                    return at;
                }
            }
            return token;
        }

        /**
         * Returns the first token that begins a word and from which the rest of the text fits a window; else the given
         * token.
         */
        int lastStart(int latest) {
            return IntStream.range(all.size() - size, latest)
                    .filter(this::beginsWord)
                    .findFirst()
                    .orElse(latest);
        }

        private boolean beginsWord(int token) {
            int start = all.get(token).start();
            return start > all.get(token - 1).end() || words.isBoundary(start);
        }

        Span span(int from, int to) {
            return new Span(
                    all.get(from).start(),
                    to == all.size() ? text.length() : all.get(to).start());
        }
    }
}
