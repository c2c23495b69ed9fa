package io.posbias.dataset.convert;

/**
 * How much an archive may unpack to: a small file can hold terabytes.
 *
 * @param bytes in all
 * @param ratio times the archive's own size; {@value #FREE} bytes are always allowed
 */
public record UnpackLimits(long bytes, int ratio) {
    /** Text compresses to a tenth at best; BEIR's largest benchmark has 9 GB. */
    public static final UnpackLimits USUAL = new UnpackLimits(50_000_000_000L, 100);

    private static final long FREE = 100_000_000;

    /** The bytes that an archive of so many may unpack to. */
    long of(long archive) {
        return Math.min(bytes, Math.max(FREE, archive * ratio));
    }
}
