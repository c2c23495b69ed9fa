package io.posbias.score.measure;

import io.posbias.score.measure.Truncation.EvidenceCuts.Read;
import java.util.stream.IntStream;

/** Evidence that is read whole, or not at all, by place. */
public final class Reads {
    private Reads() {}

    public static Read[] of(boolean... unread) {
        return IntStream.range(0, unread.length)
                .mapToObj(place -> unread[place] ? Read.NONE : Read.WHOLE)
                .toArray(Read[]::new);
    }
}
