package io.posbias.build.text;

/** A set of digests of 64 bits in 16 to 32 bytes each, as millions of documents need it: open addressing, half full at most. */
final class DigestSet {
    private static final int FIRST_SIZE = 1024;

    /** A power of two of places; 0 is an empty one. */
    private long[] places = new long[FIRST_SIZE];

    private int size;
    private boolean hasZero;

    /** Adds a digest; whether it was not there before. */
    boolean add(long digest) {
        if (digest == 0) {
            boolean isNew = !hasZero;
            hasZero = true;
            return isNew;
        }
        int place = find(places, digest);
        if (places[place] == digest) {
            return false;
        }
        places[place] = digest;
        size++;
        if (2 * size > places.length) {
            grow();
        }
        return true;
    }

    private void grow() {
        long[] wider = new long[2 * places.length];
        for (long digest : places) {
            if (digest != 0) {
                wider[find(wider, digest)] = digest;
            }
        }
        places = wider;
    }

    /** Where a digest is, or would be: digests are as good as random, so their lowest bits will do. */
    private static int find(long[] places, long digest) {
        int place = (int) digest & (places.length - 1);
        while (places[place] != 0 && places[place] != digest) {
            place = (place + 1) & (places.length - 1);
        }
        return place;
    }
}
