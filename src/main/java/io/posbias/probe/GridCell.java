package io.posbias.probe;

/**
 * The mean score of queries whose head is named so often in an article of such a length.
 *
 * @param heads band of mentions of the head
 * @param words band of words of title and text
 * @param n queries
 * @param mean of their scores
 */
public record GridCell(String heads, String words, int n, double mean) {
    int leastHeads() {
        return begin(heads);
    }

    int leastWords() {
        return begin(words);
    }

    private static int begin(String band) {
        return Integer.parseInt(band.split("-", 2)[0]);
    }
}
