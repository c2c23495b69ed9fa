package io.posbias.probe;

/** Mean score of queries in a band of head mentions and a band of article length in words. */
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
