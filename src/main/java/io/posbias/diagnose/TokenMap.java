package io.posbias.diagnose;

import io.posbias.dataset.Span;
import io.posbias.inside.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A score taken apart: what each token of the query has with each token of the document. All numbers sum to the score.
 *
 * @param score that the retriever gives, on another engine
 * @param asked the query as the model reads it
 * @param read the document as the model reads it
 * @param products inner products of the parts of tokens, (query tokens, document tokens)
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every number
public record TokenMap(TokenPair pair, double score, Reading asked, Reading read, float[] products) {
    /** What all of them sum to. */
    public double sum() {
        return IntStream.range(0, products.length).mapToDouble(i -> products[i]).sum();
    }

    /** By how much the sum is another than the score. */
    public double difference() {
        return Math.abs(sum() - score);
    }

    /** One of the numbers. */
    public double product(int askedToken, int readToken) {
        return products[askedToken * read.tokens().size() + readToken];
    }

    /** What each token of the query has in the score. */
    public double[] askedTotals() {
        return IntStream.range(0, asked.tokens().size())
                .mapToDouble(row -> IntStream.range(0, read.tokens().size())
                        .mapToDouble(column -> product(row, column))
                        .sum())
                .toArray();
    }

    /** What each token of the document has in the score. */
    public double[] totals() {
        return IntStream.range(0, read.tokens().size())
                .mapToDouble(column -> IntStream.range(0, asked.tokens().size())
                        .mapToDouble(row -> product(row, column))
                        .sum())
                .toArray();
    }

    /**
     * Parts of a score.
     *
     * @param whole their sum
     * @param thirds of the document's own tokens: token i of n is from i/n to (i+1)/n, and one across a border counts for
     *     both by its parts
     * @param special of its special tokens and of a prompt
     * @param askedSpecial of those of the query, with all of the document; the other parts hold them too
     * @param evident what is in the evidence; null where it is not known or none of it was read
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    public record Parts(
            double whole,
            double[] thirds,
            double special,
            double askedSpecial,
            @Nullable Evident evident) {
        /** What the document's own tokens have. */
        double own() {
            return thirds[0] + thirds[1] + thirds[2];
        }
    }

    /**
     * The evidence.
     *
     * @param sum of its tokens
     * @param tokens its share of the document's own tokens
     */
    public record Evident(double sum, double tokens) {}

    /** The parts of the score. */
    public Parts parts() {
        double[] totals = totals();
        double[] own = IntStream.range(0, totals.length)
                .filter(i -> read.tokens().get(i).isOwn())
                .mapToDouble(i -> totals[i])
                .toArray();
        double whole = sum();
        return new Parts(
                whole, SaliencyMap.thirds(own), rest(read, totals), rest(asked, askedTotals()), evident(totals, own.length));
    }

    /** What special tokens and prompt have. */
    private static double rest(Reading reading, double[] totals) {
        return IntStream.range(0, totals.length)
                .filter(i -> !reading.tokens().get(i).isOwn())
                .mapToDouble(i -> totals[i])
                .sum();
    }

    private @Nullable Evident evident(double[] totals, int own) {
        int[] held = IntStream.range(0, totals.length)
                .filter(i -> isEvidence(read.tokens().get(i).span()))
                .toArray();
        return held.length == 0
                ? null
                : new Evident(IntStream.of(held).mapToDouble(i -> totals[i]).sum(), (double) held.length / own);
    }

    /** True if a token holds any of the evidence. */
    boolean isEvidence(@Nullable Span token) {
        return SaliencyMap.holdsAny(token, pair.evidence());
    }

    /** The document with what each of its own tokens has in the score, which adds up to it with the rest. */
    public SaliencyMap saliency() {
        double[] totals = totals();
        List<Span> units = new ArrayList<>();
        List<SaliencyMap.Part> parts = new ArrayList<>();
        for (int i = 0; i < totals.length; i++) {
            Span span = read.tokens().get(i).span();
            if (span != null) {
                parts.add(new SaliencyMap.Part(units.size(), units.size() + 1, totals[i]));
                units.add(span);
            }
        }
        return new SaliencyMap(
                pair.id(),
                pair.query(),
                pair.document(),
                pair.evidence(),
                score,
                rest(read, totals),
                units,
                parts,
                read.cut());
    }
}
