package io.posbias.model.encode.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.cache.CacheFolders;
import io.posbias.model.encode.cache.CachedEncoder;
import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One vector a token; the graph says of each token its id, and whether attention saw it. */
class TokenEncoderTest {
    private static final List<String> WORDS =
            List.of("[unused0]", "[unused1]", "a", "b", "c", "d", ",", ".", "-", "[", "]");
    private static final int CLS = 2;
    private static final int SEP = 3;
    private static final int MASK = 4;
    private static final int QUERY_MARKER = 5;
    private static final int MARKER = 6;
    private static final int A = 7;
    private static final int B = 8;
    private static final int C = 9;
    private static final int COMMA = 11;
    private static final int POINT = 12;

    private static final int ECHO = 5;

    private static final String MARKED = "query-marker: \"[unused0]\"\ndocument-marker: \"[unused1]\"\n";

    @TempDir
    Path temp;

    private Fields recipe(byte[] graph, String settings) throws IOException {
        Fields recipe = StandIns.write(temp, graph, settings);
        Files.write(temp.resolve("tokenizer.json"), WordTokenizer.of(WORDS).toJson());
        return recipe;
    }

    private TokenEncoder open(byte[] graph, String settings) throws IOException {
        return new TokenEncoder(StandIns.tokens(recipe(graph, settings)), StandIns.engine(temp, 2, 0));
    }

    private TokenEncoder echo(String settings) throws IOException {
        return open(StandIns.echo(), "normalise: false\n" + settings);
    }

    private static TextEncoder.Encoded encode(TokenEncoder encoder, Role role, String text) {
        List<TextEncoder.Encoded> all = new ArrayList<>();
        encoder.prepare(List.of(text), role).run(all::addAll);
        assertThat(all).hasSize(1);
        TextEncoder.Encoded encoded = all.getFirst();
        assertThat(encoded.vectors()).hasSize(encoded.rows() * encoder.dimension());
        return encoded;
    }

    private static int[] column(TextEncoder.Encoded encoded, int column) {
        return IntStream.range(0, encoded.rows())
                .map(i -> (int) encoded.vectors()[i * ECHO + column])
                .toArray();
    }

    private static int[] ids(TokenEncoder encoder, Role role, String text) {
        return column(encode(encoder, role, text), 0);
    }

    @Test
    void markersGoBehindTheFirstToken() throws IOException {
        try (TokenEncoder encoder = echo("max-tokens: 32\n" + MARKED)) {
            assertThat(ids(encoder, Role.QUERY, "a b")).containsExactly(CLS, QUERY_MARKER, A, B, SEP);
            assertThat(ids(encoder, Role.PASSAGE, "a b")).containsExactly(CLS, MARKER, A, B, SEP);
        }
    }

    @Test
    void withoutMarkersThereAreNone() throws IOException {
        try (TokenEncoder encoder = echo("max-tokens: 32")) {
            assertThat(ids(encoder, Role.QUERY, "a b")).containsExactly(CLS, A, B, SEP);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void queriesAreFilledUpWithMaskTokensWhoseVectorsCount(boolean attend) throws IOException {
        String expansion = "query-length: 8\nquery-expansion: true\nattend-to-expansion: " + attend + "\n";
        try (TokenEncoder encoder = echo("max-tokens: 32\n" + MARKED + expansion)) {
            TextEncoder.Encoded query = encode(encoder, Role.QUERY, "a b");
            assertThat(column(query, 0)).containsExactly(CLS, QUERY_MARKER, A, B, SEP, MASK, MASK, MASK);
            int seen = attend ? 1 : 0;
            assertThat(column(query, 1)).containsExactly(1, 1, 1, 1, 1, seen, seen, seen);
            assertThat(query.seen()).isEqualTo(TextEncoder.WHOLE);
            assertThat(ids(encoder, Role.PASSAGE, "a b")).containsExactly(CLS, MARKER, A, B, SEP);
        }
    }

    @Test
    void theMaskTokenIsTheRecipes() throws IOException {
        String expansion = "query-length: 6\nquery-expansion: true\nmask-token: \"[PAD]\"\n";
        try (TokenEncoder encoder = echo("max-tokens: 32\n" + expansion)) {
            assertThat(ids(encoder, Role.QUERY, "a b")).containsExactly(CLS, A, B, SEP, 0, 0);
        }
    }

    @Test
    void aQueryBeyondItsLengthIsCutAndSaysSo() throws IOException {
        String expansion = "query-length: 6\nquery-expansion: true\n";
        try (TokenEncoder encoder = echo("max-tokens: 32\n" + MARKED + expansion)) {
            TextEncoder.Encoded query = encode(encoder, Role.QUERY, "a b c d a b");
            assertThat(column(query, 0)).containsExactly(CLS, QUERY_MARKER, A, B, C, SEP);
            assertThat(query.seen()).isEqualTo("a b c".length());
            assertThat(encode(encoder, Role.QUERY, "a b c").seen()).isEqualTo(TextEncoder.WHOLE);
        }
    }

    @Test
    void withoutALengthOfTheirOwnQueriesReachAsFarAsPassages() throws IOException {
        try (TokenEncoder encoder = echo("max-tokens: 6\n")) {
            assertThat(ids(encoder, Role.QUERY, "a b c d a b")).hasSize(6);
            assertThat(ids(encoder, Role.QUERY, "a")).hasSize(3);
        }
        try (TokenEncoder encoder = echo("max-tokens: 6\nquery-length: 32\n")) {
            assertThat(ids(encoder, Role.QUERY, "a b c d a b")).hasSize(6);
        }
    }

    @Test
    void passagesAreCutAtTheLimitMarkersIncluded() throws IOException {
        try (TokenEncoder encoder = echo("max-tokens: 6\nquery-length: 4\n" + MARKED)) {
            TextEncoder.Encoded passage = encode(encoder, Role.PASSAGE, "🦉 a b c d");
            assertThat(column(passage, 0)).containsExactly(CLS, MARKER, 1, A, B, SEP);
            assertThat(passage.seen()).isEqualTo("🦉 a b".length());
            assertThat(encode(encoder, Role.PASSAGE, "a b c").seen()).isEqualTo(TextEncoder.WHOLE);
        }
    }

    @Test
    void punctuationIsLeftOutOfPassagesOnly() throws IOException {
        try (TokenEncoder encoder = echo("max-tokens: 32\nskip: punctuation\n" + MARKED)) {
            assertThat(ids(encoder, Role.PASSAGE, "a, b. - [ ]")).containsExactly(CLS, MARKER, A, B, SEP);
            assertThat(ids(encoder, Role.QUERY, "a, b.")).containsExactly(CLS, QUERY_MARKER, A, COMMA, B, POINT, SEP);
        }
    }

    @Test
    void skippedTokensStillTakeRoomAndAttention() throws IOException {
        try (TokenEncoder encoder = echo("max-tokens: 5\nskip: [\",\"]\n")) {
            TextEncoder.Encoded passage = encode(encoder, Role.PASSAGE, "a , . b");
            assertThat(column(passage, 0)).containsExactly(CLS, A, POINT, SEP);
            assertThat(passage.seen()).isEqualTo("a , .".length());
        }
    }

    /** The tokenizer writes small letters: "A" is no token, but encoding it begins with one. */
    @ParameterizedTest
    @CsvSource({"token, true", "first-piece, false"})
    void symbolsAreLookedUpAsTheRecipeSays(String lookup, boolean kept) throws IOException {
        try (TokenEncoder encoder = echo("max-tokens: 32\nskip: [\"A\"]\nskip-lookup: " + lookup + "\n")) {
            int[] expected = kept ? new int[] {CLS, A, B, SEP} : new int[] {CLS, B, SEP};
            assertThat(ids(encoder, Role.PASSAGE, "a b")).isEqualTo(expected);
        }
    }

    @Test
    void theFirstVectorCanBeLeftOut() throws IOException {
        try (TokenEncoder encoder = echo("max-tokens: 32\ndrop-first: true\n")) {
            assertThat(ids(encoder, Role.PASSAGE, "a b")).containsExactly(A, B, SEP);
            assertThat(ids(encoder, Role.QUERY, "a")).containsExactly(A, SEP);
        }
    }

    /** A layer from (id, mask, type, position, past) to (id + 10, mask + 20). */
    private void writeHead() throws IOException {
        float[] numbers = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 10, 20};
        String header = "{\"linear.weight\":{\"dtype\":\"F32\",\"shape\":[2,5],\"data_offsets\":[0,40]},"
                + "\"linear.bias\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[40,48]}}";
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer file = ByteBuffer.allocate(Long.BYTES + json.length + Float.BYTES * numbers.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(json.length)
                .put(json);
        file.asFloatBuffer().put(numbers);
        Files.write(temp.resolve("head.safetensors"), file.array());
    }

    @Test
    void everyVectorGoesThroughTheProjection() throws IOException {
        writeHead();
        String head = "head: {file: head.safetensors, bias: linear.bias}\ndimension: 2\n";
        try (TokenEncoder encoder = echo("max-tokens: 32\n" + head)) {
            assertThat(encode(encoder, Role.PASSAGE, "a b").vectors())
                    .containsExactly(CLS + 10, 21, A + 10, 21, B + 10, 21, SEP + 10, 21);
        }
    }

    @Test
    void everyVectorIsScaledToLengthOneBehindTheProjection() throws IOException {
        writeHead();
        String head = "head: {file: head.safetensors, bias: linear.bias}\n";
        try (TokenEncoder encoder = open(StandIns.echo(), "max-tokens: 32\n" + head)) {
            float[] vectors = encode(encoder, Role.QUERY, "a").vectors();
            int[] ids = {CLS, A, SEP};
            for (int i = 0; i < ids.length; i++) {
                double length = Math.hypot(ids[i] + 10, 21);
                assertThat((double) vectors[2 * i]).isCloseTo((ids[i] + 10) / length, within(1e-6));
                assertThat((double) vectors[2 * i + 1]).isCloseTo(21 / length, within(1e-6));
            }
        }
    }

    @Test
    void vectorsCanBeKeptInHalfTheRoom() throws IOException {
        float[] table = new float[2 * (WordTokenizer.SPECIAL.size() + WORDS.size())];
        Random random = new Random(1);
        for (int i = 0; i < table.length; i++) {
            table[i] = (float) random.nextGaussian();
        }
        Fields recipe = recipe(StandIns.lookup(table), "max-tokens: 32\nvectors: float16\n");
        Engine engine = new Engine(Device.CPU, 1, 0, true, CallLimit.none(), Sessions.in(temp.resolve("home")));
        float[] exact;
        try (TokenEncoder encoder = new TokenEncoder(StandIns.tokens(recipe), engine)) {
            exact = encode(encoder, Role.PASSAGE, "a b c d").vectors();
        }
        FloatBuffer kept = FloatBuffer.allocate(exact.length);
        VectorCache.Shape shape = StandIns.tokens(recipe).shape();
        try (CachedEncoder encoder =
                new CachedEncoder(new TokenEncoder(StandIns.tokens(recipe), engine), "stand-in", engine, shape)) {
            Vectors vectors = encoder.encode(List.of("a b c d"), Role.PASSAGE, "");
            assertThat(vectors.rows(0)).isEqualTo(6);
            vectors.read(0, kept);
        }
        assertThat(kept.array()).isNotEqualTo(exact);
        for (int i = 0; i < exact.length; i++) {
            // 11 bits of a number below 1.
            assertThat(kept.get(i)).isCloseTo(exact[i], within(0x1p-11f));
        }
        assertThat(CacheFolders.list(temp.resolve("home")).getFirst().format()).isEqualTo("float16");
    }

    @Test
    void aGraphWithOneVectorForAllIsRefused() {
        assertThatThrownBy(() -> open(StandIns.pooled(), "max-tokens: 32\n"))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("1 vectors", "3 tokens");
    }

    @Test
    void vectorsOfAnotherSizeThanTheRecipeSaysAreRefused() {
        assertThatThrownBy(() -> echo("max-tokens: 32\ndimension: 128\n"))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("dimension 128", "gives 5");
    }

    @Test
    void numbersThatAreNoneAreRefused() throws IOException {
        float[] table = new float[2 * (WordTokenizer.SPECIAL.size() + WORDS.size())];
        table[2 * B + 1] = Float.NaN;
        try (TokenEncoder encoder = open(StandIns.lookup(table), "max-tokens: 32\n")) {
            assertThatThrownBy(() -> encode(encoder, Role.PASSAGE, "a b"))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessage("the model gave a vector with NaN in it");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "query-expansion: true|query-expansion fills queries up to it",
                "attend-to-expansion: true|has no meaning without query-expansion",
                "query-length: -1|is -1",
                "skip-lookup: id|it is one of token, first-piece",
                "vectors: int8|it is one of float32, float16",
                "query-marker: \"[Q]\"|has no token \"[Q]\"",
                "mask-token: \"<mask>\"\\nquery-expansion: true\\nquery-length: 8|has no token \"<mask>\"",
            })
    void wrongSettingsAreNamed(String settings, String message) {
        assertThatThrownBy(() -> echo("max-tokens: 32\n" + settings.replace("\\n", "\n") + "\n"))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining(message);
    }

    @Test
    void spacesDifferWithWhatVectorsDependOn() throws IOException {
        List<String> spaces = new ArrayList<>();
        for (String settings : List.of("", MARKED, "skip: punctuation\n", "drop-first: true\n", "query-length: 8\n")) {
            try (TokenEncoder encoder = echo("max-tokens: 32\n" + settings)) {
                spaces.add(encoder.space());
            }
        }
        assertThat(spaces).doesNotHaveDuplicates();
    }
}
