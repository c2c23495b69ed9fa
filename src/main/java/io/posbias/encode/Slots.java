package io.posbias.encode;

/**
 * Workers that there would be: what a plan divides work for.
 *
 * @param count how many blocks are done at once, at least 1, as {@link Workers#slots()}
 * @param threads of each
 * @param seeFiles as {@link Workers#seeFiles()}
 */
public record Slots(int count, int threads, boolean seeFiles) {
    /** More or fewer of the same. */
    public Slots times(int other) {
        return new Slots(other, threads, seeFiles);
    }
}
