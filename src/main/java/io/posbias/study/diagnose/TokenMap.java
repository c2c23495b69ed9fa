package io.posbias.study.diagnose;

import io.posbias.base.plot.WordMap;
import io.posbias.data.dataset.Span;
import io.posbias.data.dataset.Words;
import io.posbias.model.inside.Reading;
import io.posbias.study.diagnose.SaliencyPairs.SaliencyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A score decomposed by DecompX into pairs of query and document tokens.
 *
 * @param products inner products of token parts, shape (query tokens, document tokens)
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every number
public record TokenMap(Reading asked, Reading read, float[] products) {
    public double sum() {
        return IntStream.range(0, products.length).mapToDouble(i -> products[i]).sum();
    }

    private double product(int askedToken, int readToken) {
        return products[askedToken * read.tokens().size() + readToken];
    }

    /**
     * The contribution of each document token. Special and prompt tokens are summed as the rest.
     *
     * @param score from the retriever
     */
    public SaliencyMap saliency(SaliencyPair pair, double score) {
        List<Span> units = new ArrayList<>();
        List<SaliencyMap.SaliencyPart> parts = new ArrayList<>();
        double rest = 0;
        for (int i = 0; i < read.tokens().size(); i++) {
            int column = i;
            double total = IntStream.range(0, asked.tokens().size())
                    .mapToDouble(row -> product(row, column))
                    .sum();
            Span span = read.tokens().get(i).span();
            if (span == null) {
                rest += total;
            } else {
                parts.add(new SaliencyMap.SaliencyPart(units.size(), units.size() + 1, total));
                units.add(span);
            }
        }
        return new SaliencyMap(pair, score, rest, units, parts, read.cut(), this);
    }

    /**
     * Tokens of a word.
     *
     * @param of index of the word; -1 for a special token
     */
    private record TokenGroup(int of, String text, boolean isEvidence, List<Integer> tokens) {
        WordMap.Word word() {
            return new WordMap.Word(
                    text, of < 0 ? WordMap.Mark.SPECIAL : isEvidence ? WordMap.Mark.EVIDENCE : WordMap.Mark.PLAIN);
        }
    }

    /** The score by pairs of words: sums over the tokens of both. Special and prompt tokens have their own rows and columns. */
    public WordMap words(String title, SaliencyPair pair, SaliencyPairs pairs) {
        List<TokenGroup> rows = groups(asked, pair.query(), null, pairs.queryLanguage());
        List<TokenGroup> columns = groups(read, pair.document(), pair.evidence(), pairs.language());
        double[][] values = new double[rows.size()][columns.size()];
        for (int row = 0; row < rows.size(); row++) {
            for (int column = 0; column < columns.size(); column++) {
                values[row][column] = sum(rows.get(row), columns.get(column));
            }
        }
        return new WordMap(
                title,
                rows.stream().map(TokenGroup::word).toList(),
                columns.stream().map(TokenGroup::word).toList(),
                values);
    }

    private double sum(TokenGroup row, TokenGroup column) {
        double sum = 0;
        for (int askedToken : row.tokens) {
            for (int readToken : column.tokens) {
                sum += product(askedToken, readToken);
            }
        }
        return sum;
    }

    private static List<TokenGroup> groups(Reading reading, String text, @Nullable Span evidence, String language) {
        List<Span> words = Words.cut(text, language);
        List<TokenGroup> groups = new ArrayList<>();
        for (int token = 0; token < reading.tokens().size(); token++) {
            Reading.Token own = reading.tokens().get(token);
            int word = word(own.span(), words);
            boolean isEvidence = SaliencyMap.holdsAny(own.span(), evidence);
            TokenGroup last = groups.isEmpty() ? null : groups.getLast();
            if (last != null && word >= 0 && last.of == word) {
                last.tokens.add(token);
                groups.set(
                        groups.size() - 1, new TokenGroup(word, last.text, last.isEvidence || isEvidence, last.tokens));
            } else {
                String label = own.span() == null
                        ? own.piece()
                        : (words.isEmpty() ? own.span() : words.get(word))
                                .of(text)
                                .strip();
                groups.add(new TokenGroup(word, label, isEvidence, new ArrayList<>(List.of(token))));
            }
        }
        return groups;
    }

    /** The index of the word that a token begins in, 0 in a text without words; -1 for a special token. */
    private static int word(@Nullable Span token, List<Span> words) {
        if (token == null) {
            return -1;
        }
        int low = 0;
        int high = words.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (words.get(middle).start() <= token.start()) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
