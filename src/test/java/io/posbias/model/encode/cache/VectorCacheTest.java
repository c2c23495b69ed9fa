package io.posbias.model.encode.cache;

import static io.posbias.model.encode.cache.FixedVectors.item;
import static io.posbias.model.encode.cache.FixedVectors.key;
import static io.posbias.model.encode.cache.FixedVectors.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.cache.VectorCache.VectorFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class VectorCacheTest {
    @TempDir
    Path temp;

    private VectorCache open() {
        return open("space", VectorFormat.FLOAT32);
    }

    private VectorCache open(String space, VectorFormat format) {
        return open(space, VectorCache.Shape.ofTokens(format));
    }

    private VectorCache open(String space, VectorCache.Shape shape) {
        return VectorCache.open(temp.resolve("cache"), "model", space, 3, shape);
    }

    private Path file() throws IOException {
        List<Path> files = VectorCache.files(temp.resolve("cache"));
        assertThat(files).hasSize(1);
        return files.getFirst();
    }

    /** A map reaches {@code Integer.MAX_VALUE} bytes. */
    @ParameterizedTest
    @CsvSource({
        "0, 2147483647, true",
        "1073741823, 1073741824, true",
        "1073741823, 1073741825, false",
        "1073741824, 20, false"
    })
    void aBlockGoesIntoAFileOnlyIfAMapReachesItsEnd(long size, long block, boolean fits) {
        assertThat(Segment.fits(size, block)).isEqualTo(fits);
    }

    @ParameterizedTest
    @EnumSource(VectorFormat.class)
    void readsBackWhatItKept(VectorFormat format) {
        float[] exact = {0.5f, -2, 1024};
        try (VectorCache cache = open("space", format)) {
            assertThat(cache.find(key(0))).isNegative();
            cache.append(List.of(item(0, TextEncoder.WHOLE, exact), item(1, 17, 1, 2, 3)));
            assertThat(read(cache, 0, 3)).containsExactly(exact);
        }
        try (VectorCache cache = open("space", format)) {
            assertThat(read(cache, 0, 3)).containsExactly(exact);
            assertThat(read(cache, 1, 3)).containsExactly(1, 2, 3);
            assertThat(cache.seen(cache.find(key(0)))).isEqualTo(TextEncoder.WHOLE);
            assertThat(cache.seen(cache.find(key(1)))).isEqualTo(17);
            assertThat(cache.find(key(2))).isNegative();
        }
    }

    @Test
    void halfFloatsRoundToElevenBits() {
        try (VectorCache cache = open("space", VectorFormat.FLOAT16)) {
            cache.append(List.of(item(0, TextEncoder.WHOLE, 0.1f, 1 / 3f, -1e-9f)));
            float[] read = read(cache, 0, 3);
            assertThat(read).containsExactly(0.099975586f, 0.33325195f, -0f);
        }
    }

    @Test
    void aTextMayHaveManyVectors() {
        try (VectorCache cache = open()) {
            float[] vectors = {1, 2, 3, 4, 5, 6};
            cache.append(List.of(
                    item(1, TextEncoder.WHOLE, 7, 8, 9),
                    new VectorCache.CachedText(key(0), new TextEncoder.Encoded(0, vectors, 2, TextEncoder.WHOLE)),
                    item(2, TextEncoder.WHOLE, 0, 0, 1)));
            assertThat(cache.rows(cache.find(key(0)))).isEqualTo(2);
            assertThat(read(cache, 0, 3)).containsExactly(vectors);
            assertThat(read(cache, 2, 3)).containsExactly(0, 0, 1);
        }
    }

    @Test
    void whatIsKnownIsNotKeptTwice() throws IOException {
        try (VectorCache cache = open()) {
            cache.append(List.of(item(0, TextEncoder.WHOLE, 1, 2, 3), item(0, TextEncoder.WHOLE, 9, 9, 9)));
            long size = Files.size(file());
            cache.append(List.of(item(0, TextEncoder.WHOLE, 8, 8, 8)));
            assertThat(Files.size(file())).isEqualTo(size);
            assertThat(read(cache, 0, 3)).containsExactly(1, 2, 3);
        }
    }

    /** Two blocks, the second of two entries; where the second begins. */
    private long twoBlocks() throws IOException {
        try (VectorCache cache = open()) {
            cache.append(List.of(item(0, TextEncoder.WHOLE, 1, 2, 3)));
            long first = Files.size(file());
            cache.append(List.of(item(1, TextEncoder.WHOLE, 4, 5, 6), item(2, TextEncoder.WHOLE, 7, 8, 9)));
            return first;
        }
    }

    @Test
    void aTailThatWasCutShortAnywhereIsMadeAgain() throws IOException {
        long first = twoBlocks();
        byte[] whole = Files.readAllBytes(file());
        Path torn = file();
        for (int length = (int) first; length < whole.length; length++) {
            for (Path file : VectorCache.files(temp.resolve("cache"))) {
                Files.delete(file);
            }
            Files.write(torn, Arrays.copyOf(whole, length));
            try (VectorCache cache = open()) {
                assertThat(read(cache, 0, 3)).containsExactly(1, 2, 3);
                assertThat(cache.find(key(1))).as("of %d bytes", length).isNegative();
                assertThat(cache.find(key(2))).isNegative();
                cache.append(List.of(item(1, TextEncoder.WHOLE, 4, 5, 6)));
            }
            try (VectorCache cache = open()) {
                assertThat(read(cache, 1, 3)).containsExactly(4, 5, 6);
            }
        }
    }

    @Test
    void aFlippedBitAnywhereDropsItsBlockAndWhatFollows() throws IOException {
        long first = twoBlocks();
        byte[] whole = Files.readAllBytes(file());
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << (at % 8));
            Files.write(file(), damaged);
            try (VectorCache cache = open()) {
                assertThat(cache.find(key(0)) >= 0).as("bit of byte %d", at).isEqualTo(at >= first);
                assertThat(cache.find(key(1))).isNegative();
                assertThat(cache.find(key(2))).isNegative();
            }
        }
    }

    /** Blocks whose checksum is right: their texts are encoded again. */
    @ParameterizedTest
    @CsvSource({
        "ONE, 1, true",
        "ONE, 0, false",
        "ONE, 2, false",
        "SEVERAL, 2, true",
        "SEVERAL, 0, false",
        "TOKENS, 0, true"
    })
    void aTextHasAsManyVectorsAsTheModelGives(String wanted, int rows, boolean known) {
        VectorCache.Shape tokens = VectorCache.Shape.ofTokens(VectorFormat.FLOAT32);
        try (VectorCache cache = open("space", tokens)) {
            cache.append(List.of(new VectorCache.CachedText(
                    key(0), new TextEncoder.Encoded(0, new float[3 * rows], rows, TextEncoder.WHOLE))));
        }
        Map<String, VectorCache.Shape> shapes =
                Map.of("ONE", VectorCache.Shape.ONE, "SEVERAL", VectorCache.Shape.SEVERAL, "TOKENS", tokens);
        try (VectorCache cache = open("space", Objects.requireNonNull(shapes.get(wanted)))) {
            assertThat(cache.find(key(0)) >= 0).isEqualTo(known);
            cache.append(List.of(item(0, TextEncoder.WHOLE, 1, 2, 3)));
            assertThat(cache.rows(cache.find(key(0)))).isEqualTo(known ? rows : 1);
        }
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void aNumberThatIsNoneDropsItsBlock(float number) throws IOException {
        try (VectorCache cache = open()) {
            cache.append(List.of(item(0, TextEncoder.WHOLE, 1, 2, Float.MAX_VALUE)));
            cache.append(List.of(item(1, TextEncoder.WHOLE, 1, number, 3)));
        }
        try (VectorCache cache = open()) {
            assertThat(cache.find(key(0))).isNotNegative();
            assertThat(cache.find(key(1))).isNegative();
        }
    }

    @Test
    void whatHalfFloatsCannotHoldIsRefused() {
        try (VectorCache cache = open("space", VectorFormat.FLOAT16)) {
            cache.append(List.of(item(0, TextEncoder.WHOLE, 65_504, -65_504, 65_519)));
            assertThatThrownBy(() -> cache.append(List.of(item(1, TextEncoder.WHOLE, 0, 65_520, 0))))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageContainingAll("65520", "vectors: float32");
            assertThat(cache.find(key(1))).isNegative();
        }
        try (VectorCache cache = open("space", VectorFormat.FLOAT16)) {
            assertThat(read(cache, 0, 3)).containsExactly(65_504, -65_504, 65_504);
        }
    }

    @Test
    void whatWasReadIsNotBeyondUnknown() {
        try (VectorCache cache = open()) {
            cache.append(List.of(item(0, TextEncoder.UNKNOWN, 1, 2, 3)));
            cache.append(List.of(item(1, -3, 1, 2, 3)));
        }
        try (VectorCache cache = open()) {
            assertThat(cache.find(key(0))).isNotNegative();
            assertThat(cache.find(key(1))).isNegative();
        }
    }

    @Test
    void filesWithoutABlockAreLeftAlone() throws IOException {
        twoBlocks();
        Files.write(temp.resolve("cache/empty.vectors"), new byte[0]);
        Files.write(
                temp.resolve("cache/other.vectors"),
                "no vectors at all, but long enough".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        try (VectorCache cache = open()) {
            assertThat(read(cache, 2, 3)).containsExactly(7, 8, 9);
        }
    }

    @Test
    void twoAtOnceDoNotMeet() {
        try (VectorCache one = open();
                VectorCache two = open()) {
            for (int i = 0; i < 20; i++) {
                one.append(List.of(item(i, TextEncoder.WHOLE, i, 1, 1)));
                two.append(List.of(item(i + 10, TextEncoder.WHOLE, i + 10, 1, 1)));
            }
            assertThat(read(one, 5, 3)[0]).isEqualTo(5);
            assertThat(one.find(key(25))).isNegative();
        }
        try (VectorCache both = open()) {
            for (int i = 0; i < 30; i++) {
                assertThat(read(both, i, 3)[0]).isEqualTo(i);
            }
        }
    }

    @Test
    void anotherModelsFolderIsRefused() {
        open().close();
        assertThatThrownBy(() -> open("other", VectorFormat.FLOAT32))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll(
                        temp.resolve("cache").toString(), "another model", "'posbias cache clear model'");
    }

    @Test
    void theTableFindsManyKeysAndOnlyThem() {
        KeyTable table = new KeyTable();
        Random random = new Random(1);
        long[] low = random.longs(5_000).toArray();
        for (int i = 0; i < low.length; i++) {
            // Keys that differ in one half only, and land in the same slot.
            table.put(new Key(i, low[i] << 20), i % 7, i);
        }
        table.put(new Key(0, low[0] << 20), 9, 9);
        for (int i = 0; i < low.length; i++) {
            long place = table.find(new Key(i, low[i] << 20));
            assertThat(KeyTable.segment(place)).isEqualTo(i % 7);
            assertThat(KeyTable.entry(place)).isEqualTo(i);
            assertThat(table.find(new Key(i + 1L, low[i] << 20))).isNegative();
        }
    }
}
