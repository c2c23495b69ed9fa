package io.posbias.encode.onnx;

import java.util.Arrays;

/**
 * Makes rows of texts: prompt before, special tokens around, and what does not fit cut off at the end and measured.
 *
 * @param tokenizer splits texts
 * @param template what goes around
 * @param prompt exact text before every text
 * @param maxTokens tokens of a row at most, special ones and prompt included
 */
public record TextRows(Tokenizer tokenizer, Template template, String prompt, int maxTokens) {
    /** The row of a text. */
    public TokenRow row(String text) {
        Tokens tokens = tokenizer.tokenize(prompt + text);
        int room = Math.max(0, maxTokens - template.size());
        int kept = Math.min(room, tokens.size());
        int[] ids = template.around(Arrays.copyOf(tokens.ids(), kept));
        int[] types = template.typesAround(kept, 0);
        return new TokenRow(ids, types, 0, promptTokens(tokens, kept), seen(tokens, kept, text.length()));
    }

    /** How many tokens of a text fit into a row. */
    public int room() {
        return maxTokens - template.size() - tokenizer.tokenize(prompt).size();
    }

    /** Where a text's own tokens are, in it and in its row. */
    public TokenPlaces places(String text) {
        Tokens tokens = tokenizer.tokenize(prompt + text);
        int kept = Math.min(Math.max(0, maxTokens - template.size()), tokens.size());
        int own = ofPrompt(tokens, tokens.size());
        int[] starts = new int[tokens.size() - own];
        int[] ends = new int[starts.length];
        for (int i = 0; i < starts.length; i++) {
            // A token may begin in the prompt, with its last space.
            starts[i] = Math.max(0, tokens.starts()[own + i] - prompt.length());
            ends[i] = Math.max(starts[i], tokens.ends()[own + i] - prompt.length());
        }
        return new TokenPlaces(starts, ends, template.before().length + own, Math.max(0, kept - own));
    }

    /** Tokens before the text's own first one. */
    private int promptTokens(Tokens tokens, int kept) {
        return prompt.isEmpty() ? 0 : template.before().length + ofPrompt(tokens, kept);
    }

    /** How many of the first tokens are the prompt's. */
    private int ofPrompt(Tokens tokens, int most) {
        int own = 0;
        while (own < most && !prompt.isEmpty() && tokens.ends()[own] <= prompt.length()) {
            own++;
        }
        return own;
    }

    private int seen(Tokens tokens, int kept, int length) {
        if (kept == tokens.size()) {
            return TokenRow.WHOLE;
        }
        int end = kept == 0 ? 0 : tokens.ends()[kept - 1];
        return Math.clamp(end - (long) prompt.length(), 0, length);
    }
}
