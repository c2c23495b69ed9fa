package io.posbias.model.encode.onnx;

import java.util.Arrays;

/**
 * Makes rows of texts: prompt, special tokens and truncation.
 *
 * @param prompt before every text, exact
 * @param maxTokens maximum tokens of a row, special tokens and prompt included
 */
public record TextRows(Tokenizer tokenizer, Template template, String prompt, int maxTokens) {
    public TokenRow row(String text) {
        Tokens tokens = tokenizer.tokenize(prompt + text);
        int room = Math.max(0, maxTokens - template.size());
        int kept = Math.min(room, tokens.size());
        int[] ids = template.around(Arrays.copyOf(tokens.ids(), kept));
        int[] types = template.typesAround(kept, 0);
        return new TokenRow(ids, types, 0, promptTokens(tokens, kept), seen(tokens, kept, text.length()));
    }

    /** Returns the tokens available for a text. */
    public int room() {
        return maxTokens - template.size() - tokenizer.tokenize(prompt).size();
    }

    /** Returns the positions of a text's tokens in the text and in its row. */
    public TokenPlaces places(String text) {
        Tokens tokens = tokenizer.tokenize(prompt + text);
        int kept = Math.min(Math.max(0, maxTokens - template.size()), tokens.size());
        int own = ofPrompt(tokens, tokens.size());
        int[] starts = new int[tokens.size() - own];
        int[] ends = new int[starts.length];
        for (int i = 0; i < starts.length; i++) {
            // A token may begin with the prompt's last space.
            starts[i] = Math.max(0, tokens.starts()[own + i] - prompt.length());
            ends[i] = Math.max(starts[i], tokens.ends()[own + i] - prompt.length());
        }
        return new TokenPlaces(starts, ends, template.before().length + own, Math.max(0, kept - own));
    }

    /** Returns the number of tokens before the text's first token. */
    private int promptTokens(Tokens tokens, int kept) {
        return prompt.isEmpty() ? 0 : template.before().length + ofPrompt(tokens, kept);
    }

    /** Returns the number of leading tokens that are in the prompt. */
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
