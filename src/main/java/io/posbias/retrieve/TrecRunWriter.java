package io.posbias.retrieve;

import io.posbias.Parallel;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.dataset.PassageIds;
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
 * Writes a run as gzipped TREC lines, {@code query Q0 passage rank score tag}, ranks counted from 1. Scores are the
 * shortest decimals that read back as the same float, so ties stay ties.
 *
 * <p>A fixed number of queries makes one gzip member, compressed on its own: every gzip reader joins them, and the bytes
 * do not depend on how many threads compressed.
 */
public final class TrecRunWriter {
    private static final int QUERIES_PER_MEMBER = 512;
    private static final byte[] Q0 = " Q0 ".getBytes(StandardCharsets.US_ASCII);

    private final Run run;
    private final byte[] tail;
    private final byte[][] passageIds;

    private TrecRunWriter(Run run, String tag) {
        this.run = run;
        this.tail = (" " + tag + "\n").getBytes(StandardCharsets.UTF_8);
        PassageIds ids = run.passages();
        this.passageIds = new byte[ids.size()][];
        for (int ordinal = 0; ordinal < passageIds.length; ordinal++) {
            passageIds[ordinal] = ids.id(ordinal).getBytes(StandardCharsets.UTF_8);
        }
    }

    /**
     * Writes the run.
     *
     * @param file ends with {@code .gz}; replaced if it exists
     * @param tag the system's name, without white space
     * @param threads how many threads format and compress
     */
    public static void write(Path file, Run run, String tag, int threads) {
        TrecRunWriter writer = new TrecRunWriter(run, tag);
        int members = Math.ceilDiv(run.queries().size(), QUERIES_PER_MEMBER);
        AtomicInteger next = new AtomicInteger();
        try (OutputStream out = Files.newOutputStream(file)) {
            Parallel.mapInOrder(
                    threads,
                    () -> next.get() < members ? next.getAndIncrement() : null,
                    writer::member,
                    member -> append(out, member));
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", file, refused), refused);
        } catch (UncheckedIOException refused) {
            throw new PosbiasException(Problems.describe("write", file, refused), refused);
        }
    }

    private static void append(OutputStream out, byte[] member) {
        try {
            out.write(member);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private byte[] member(int member) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 20);
        try (OutputStream gzip = new FastGzip(bytes)) {
            ByteArrayOutputStream lines = new ByteArrayOutputStream(1 << 14);
            int end = Math.min(run.queries().size(), (member + 1) * QUERIES_PER_MEMBER);
            for (int query = member * QUERIES_PER_MEMBER; query < end; query++) {
                lines.reset();
                addLines(lines, query);
                lines.writeTo(gzip);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private void addLines(ByteArrayOutputStream lines, int query) {
        byte[] id = run.queries().get(query).getBytes(StandardCharsets.UTF_8);
        Ranking ranking = run.ranking(query);
        for (int rank = 0; rank < ranking.size(); rank++) {
            lines.writeBytes(id);
            lines.writeBytes(Q0);
            lines.writeBytes(passageIds[ranking.passage(rank)]);
            lines.write(' ');
            lines.writeBytes(ascii(Integer.toString(rank + 1)));
            lines.write(' ');
            lines.writeBytes(ascii(Float.toString(ranking.score(rank))));
            lines.writeBytes(tail);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Level 1: a run is large and read seldom; level 6 takes three times as long for a sixth less. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, 1 << 15);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
