package io.posbias.data.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.zstd.ZstdOutputStream;
import io.posbias.base.json.BadInputException;
import io.posbias.base.process.PosbiasException;
import io.posbias.data.dataset.RowFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextInputTest {
    @TempDir
    private Path temp;

    private static List<String> ids(Path file) {
        List<String> ids = new ArrayList<>();
        RowFile.open(file).forEach(row -> ids.add(row.id("_id")));
        return ids;
    }

    /** The line {@code {"_id":"p"}}, compressed by the commands of these names. */
    @ParameterizedTest
    @CsvSource({
        "gzip, 1f8b0800000000000003ab568acf4c51b2522a50aae50200553df3700c000000",
        "zstd, 28b52ffd04586100007b225f6964223a2270227d0a7d76dd05",
        "xz, fd377a585a000004e6d6b4460200210116000000742fe5a301000b7b225f6964223a2270227d0a00ea492a3f35f810850001240ca618d8d81fb6f37d010000000004595a",
        "bzip2, 425a6839314159265359e287d4930000055b8000101000001000008420400a2000220323d420c98818cd80b2bc5dc914e142438a1f524c",
    })
    void readsCompressedTextByItsFirstBytes(String command, String hex) throws IOException {
        byte[] packed = HexFormat.of().parseHex(hex);
        for (String name : List.of("rows.jsonl", "rows.jsonl.zst", "rows.jsonl.bz2", "rows.jsonl.xz")) {
            assertThat(ids(Files.write(temp.resolve(name), packed))).as(name).containsExactly("p");
        }

        byte[] twice = HexFormat.of().parseHex(hex + hex);
        assertThat(ids(Files.write(temp.resolve("two.jsonl"), twice))).containsExactly("p", "p");

        Path cut = Files.write(temp.resolve("cut.jsonl"), Arrays.copyOf(packed, packed.length - 6));
        assertThatThrownBy(() -> ids(cut))
                .isInstanceOf(PosbiasException.class)
                .hasMessageStartingWith("cannot read " + cut + ": the compressed data is corrupt or cut off (")
                .hasMessageEndingWith("); fetch or make the file again");
        for (int at = 0; at < packed.length; at++) {
            byte[] changed = packed.clone();
            changed[at] ^= 0x55;
            Path file = Files.write(temp.resolve("changed.jsonl"), changed);
            try {
                assertThat(ids(file)).containsExactly("p");
            } catch (PosbiasException told) {
                assertThat(told).hasMessageContaining("changed.jsonl");
            }
        }
    }

    private static byte[] zstd(byte[] text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new ZstdOutputStream(bytes)) {
            out.write(text);
        }
        return bytes.toByteArray();
    }

    @Test
    void refusesTextThatIsCompressedTwice() throws IOException {
        Path file = Files.write(temp.resolve("rows.jsonl.zst"), zstd(zstd(new byte[10])));
        assertThatThrownBy(() -> ids(file))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll("rows.jsonl.zst", "is compressed twice", "zstd -d rows.jsonl.zst");
    }

    @Test
    void limitsWhatAFileUnpacksTo() throws IOException {
        byte[] blanks = new byte[101_000_000];
        Arrays.fill(blanks, (byte) '\n');
        Path file = Files.write(temp.resolve("bomb.jsonl"), zstd(blanks));
        assertThatThrownBy(() -> ids(file))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll("bomb.jsonl", "100000000", "give the unpacked file");
    }
}
