package io.posbias.model.inside;

/**
 * A vector as a sum over the tokens of its text.
 *
 * @param width numbers of a vector
 * @param values the parts of the tokens, special ones and prompt included, one behind the other, which sum to the vector
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record TokenParts(int width, float[] values) {
    public int tokens() {
        return values.length / width;
    }

    /**
     * The score of two texts, taken apart: the inner products of the parts of their tokens.
     *
     * @return (own tokens, the other's tokens), which sum to the inner product of the two vectors
     */
    public float[] products(TokenParts other) {
        int columns = other.tokens();
        float[] products = new float[tokens() * columns];
        for (int i = 0; i < products.length; i++) {
            products[i] = (float) product(i / columns, other, i % columns);
        }
        return products;
    }

    private double product(int token, TokenParts other, int others) {
        double sum = 0;
        for (int i = 0; i < width; i++) {
            sum += (double) values[token * width + i] * other.values[others * width + i];
        }
        return sum;
    }
}
