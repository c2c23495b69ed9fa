package io.posbias.data.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import io.posbias.data.dataset.RowFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineReaderTest {
    private static List<String> read(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        LineReader reader = new LineReader(in);
        while (reader.next()) {
            lines.add(new String(reader.bytes(), reader.start(), reader.length(), StandardCharsets.UTF_8));
        }
        return lines;
    }

    private static List<String> read(String text) throws IOException {
        return read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Hands out a few bytes at a time, as a network or a gzip stream may. */
    private static InputStream dribble(byte[] bytes, int step) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, step));
            }
        };
    }

    @Test
    void splitsAtLineEnds() throws IOException {
        assertThat(read("a\nb\r\n\nc")).containsExactly("a", "b", "", "c");
        assertThat(read("a\n")).containsExactly("a");
        assertThat(read("")).isEmpty();
        assertThat(read("\uFEFFa\n\uFEFFb")).containsExactly("a", "\uFEFFb");
    }

    @Property(tries = 200)
    void losesNothingWhateverTheLengths(
            @ForAll @Size(max = 8) List<@IntRange(min = 0, max = 200_000) Integer> lengths,
            @ForAll @IntRange(min = 1, max = 5000) int step)
            throws IOException {
        List<String> lines = lengths.stream().map(length -> "é".repeat(length)).toList();
        byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
        assertThat(read(dribble(bytes, step))).isEqualTo(lines.isEmpty() ? List.of("") : lines);
    }

    /** 130 MB of spaces take 130 KB of gzip: they must not be taken for a line. The noise keeps the file below its limit. */
    @Test
    void aLineWithoutEndIsNotReadWhole(@TempDir Path temp) throws IOException {
        Path file = temp.resolve("corpus.jsonl.gz");
        byte[] spaces = " ".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("{}\n".getBytes(StandardCharsets.US_ASCII));
            byte[] noise = new byte[3_000_000];
            new Random(1).nextBytes(noise);
            for (int i = 0; i < noise.length; i++) {
                noise[i] = (byte) ('a' + (noise[i] & 15));
            }
            out.write(noise);
            for (int i = 0; i < 130; i++) {
                out.write(spaces);
            }
        }
        assertThatThrownBy(() -> RowFile.open(file).forEach(row -> {}))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll(file.toString(), "line 2", "128 MiB");
    }
}
