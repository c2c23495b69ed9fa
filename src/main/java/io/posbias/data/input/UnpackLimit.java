package io.posbias.data.input;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Location;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Limit on the unpacked bytes of a compressed file: 50 GB, and 100 MB or a hundred times the file's size. */
public final class UnpackLimit {
    private static final long MOST = 50_000_000_000L;
    private static final int MOST_RATIO = 100;
    private static final long FREE = 100_000_000;

    private final Path file;
    private final String unpacked;
    private final long all;
    private long left;

    /** @param unpacked what the user gives in place of a trusted file: {@code folder} */
    public UnpackLimit(Path file, String unpacked) throws IOException {
        this.file = file;
        this.unpacked = unpacked;
        this.all = Math.min(MOST, Math.max(FREE, Files.size(file) * MOST_RATIO));
        this.left = all;
    }

    /**
     * Counts unpacked bytes.
     *
     * @throws BadInputException above the limit
     */
    public void take(long bytes) {
        left -= bytes;
        if (left < 0) {
            throw new BadInputException(
                    Location.of(file),
                    "unpacks to more than " + all + " bytes",
                    "if it is to be trusted, unpack it and give the " + unpacked);
        }
    }
}
