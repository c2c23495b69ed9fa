package io.posbias.rank.trec;

import io.posbias.base.files.IoErrors;
import io.posbias.base.process.Parallel;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Writer of gzipped TREC runs, {@code query Q0 passage rank score tag}, ranks from 1. Scores are the shortest decimals
 * that read back as the same float, so ties remain.
 *
 * <p>Every gzip member has a fixed number of queries, compressed independently, so the bytes do not depend on the
 * number of threads.
 */
public final class TrecRunWriter {
    private static final int QUERIES_PER_MEMBER = 512;

    private TrecRunWriter() {}

    /**
     * @param file ends with {@code .gz}; replaced if it exists
     * @param tag the system's name, without white space
     */
    public static void write(Path file, Run run, String tag, int threads) {
        int members = Math.ceilDiv(run.queries().size(), QUERIES_PER_MEMBER);
        AtomicInteger next = new AtomicInteger();
        IoErrors.run("write", file, () -> {
            try (OutputStream out = Files.newOutputStream(file)) {
                Parallel.mapInOrder(
                        threads,
                        () -> next.get() < members ? next.getAndIncrement() : null,
                        member -> member(run, tag, member),
                        member -> append(out, member));
            }
        });
    }

    private static byte[] member(Run run, String tag, int member) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 20);
        try (OutputStream gzip = new FastGzip(bytes)) {
            int end = Math.min(run.queries().size(), (member + 1) * QUERIES_PER_MEMBER);
            for (int query = member * QUERIES_PER_MEMBER; query < end; query++) {
                gzip.write(lines(run, tag, query).getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void append(OutputStream out, byte[] bytes) {
        try {
            out.write(bytes);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private static String lines(Run run, String tag, int query) {
        Ranking ranking = run.ranking(query);
        StringBuilder lines = new StringBuilder();
        for (int rank = 0; rank < ranking.size(); rank++) {
            lines.append(run.queries().get(query))
                    .append(" Q0 ")
                    .append(run.passages().id(ranking.passage(rank)))
                    .append(' ')
                    .append(rank + 1)
                    .append(' ')
                    .append(ranking.score(rank))
                    .append(' ')
                    .append(tag)
                    .append('\n');
        }
        return lines.toString();
    }

    /** Level 1: a run is large and seldom read; level 6 takes three times as long for a sixth less. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, 1 << 15);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
