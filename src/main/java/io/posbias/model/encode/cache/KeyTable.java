package io.posbias.model.encode.cache;

import java.util.Arrays;

/**
 * Map of keys to places in flat arrays: millions of pairs would take ten times the memory in a map of objects. Open
 * addressing; a digest's bits are a good hash.
 */
final class KeyTable {
    private static final int FIRST = 1 << 10;
    private static final long FREE = -1;

    private long[] high = new long[FIRST];
    private long[] low = new long[FIRST];
    private long[] places = free(FIRST);
    private int size;

    private static long[] free(int length) {
        long[] places = new long[length];
        Arrays.fill(places, FREE);
        return places;
    }

    /** A place combines a segment's number and an entry's index. */
    private static long place(int segment, int entry) {
        return ((long) segment << 32) | entry;
    }

    static int segment(long place) {
        return (int) (place >> 32);
    }

    static int entry(long place) {
        return (int) place;
    }

    long find(Key key) {
        return places[slot(key.high(), key.low())];
    }

    /** Adds a key; the first place of a key stays. */
    void put(Key key, int segment, int entry) {
        int slot = slot(key.high(), key.low());
        if (places[slot] != FREE) {
            return;
        }
        high[slot] = key.high();
        low[slot] = key.low();
        places[slot] = place(segment, entry);
        size++;
        if (size > places.length / 2) {
            grow();
        }
    }

    private int slot(long keyHigh, long keyLow) {
        int mask = places.length - 1;
        int slot = (int) keyLow & mask;
        while (places[slot] != FREE && (high[slot] != keyHigh || low[slot] != keyLow)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldHigh = high;
        long[] oldLow = low;
        long[] oldPlaces = places;
        high = new long[oldHigh.length * 2];
        low = new long[high.length];
        places = free(high.length);
        for (int i = 0; i < oldPlaces.length; i++) {
            if (oldPlaces[i] != FREE) {
                int slot = slot(oldHigh[i], oldLow[i]);
                high[slot] = oldHigh[i];
                low[slot] = oldLow[i];
                places[slot] = oldPlaces[i];
            }
        }
    }
}
