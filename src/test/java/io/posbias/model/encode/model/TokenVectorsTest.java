package io.posbias.model.encode.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenVectorsTest {
    private static final byte[] LOOKUP = StandIns.lookup(StandIns.table(StandIns.VOCABULARY));
    private static final String NORMALISED = "max-tokens: 64\npooling: mean\n";

    @TempDir
    Path temp;

    /** y = [[1, 2], [0, -1], [3, 0]] x + [10, 0, -1]. */
    @BeforeEach
    void writeHead() throws IOException {
        String header = "{\"linear.weight\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[0,24]},"
                + "\"bias\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[24,36]}}";
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer file = ByteBuffer.allocate(8 + json.length + 36).order(ByteOrder.LITTLE_ENDIAN);
        file.putLong(json.length).put(json);
        for (float number : new float[] {1, 2, 0, -1, 3, 0, 10, 0, -1}) {
            file.putFloat(number);
        }
        Files.write(temp.resolve("head.safetensors"), file.array());
    }

    private static float[] sum(TokenVectors tokens) {
        float[] sum = new float[tokens.width()];
        for (int i = 0; i < tokens.vectors().length; i++) {
            sum[i % sum.length] += tokens.vectors()[i];
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                StandIns.PLAIN + "pooling: mean\n",
                NORMALISED,
                NORMALISED + "document-prompt: 'h g '\n",
                NORMALISED + "document-prompt: 'h g '\npool-prompt: false\n",
                NORMALISED + "padding-side: left\nappend: ['[MASK]']\n",
                NORMALISED + "head: {file: head.safetensors, bias: bias}\n",
                StandIns.PLAIN + "pooling: mean\nhead: {file: head.safetensors, bias: bias}\n",
                "max-tokens: 4\npooling: mean\n"
            })
    void aPassagesVectorIsTheSumOfItsTokens(String settings) {
        try (DenseEncoder encoder = StandIns.open(temp, LOOKUP, settings)) {
            float[] whole = StandIns.encode(encoder, Role.PASSAGE, "a b, c h")[0];
            assertThat(sum(encoder.tokens("a b, c h"))).containsExactly(whole, within(1e-6f));
            assertThat(encoder.query("d e")).containsExactly(StandIns.encode(encoder, Role.QUERY, "d e")[0]);
        }
    }

    /** [CLS] h a b [SEP], of which three fit; c is cut off, the prompt's h is no word of the text. */
    @Test
    void vectorsKnowTheirTokens() {
        String settings = "max-tokens: 5\npooling: mean\ndocument-prompt: 'h '\n";
        try (DenseEncoder encoder = StandIns.open(temp, LOOKUP, settings)) {
            TokenVectors tokens = encoder.tokens("🦊a  b c");
            assertThat(tokens.owners()).containsExactly(-1, -1, 0, 1, -1);
            assertThat(tokens.starts()).containsExactly(0, 5, 7);
            assertThat(tokens.ends()).containsExactly(3, 6, 8);
        }
    }

    @Test
    void aPromptThatIsNotPooledHasNoVector() {
        String settings = "max-tokens: 64\npooling: mean\ndocument-prompt: 'h '\npool-prompt: false\n";
        try (DenseEncoder encoder = StandIns.open(temp, LOOKUP, settings)) {
            assertThat(encoder.tokens("a b").owners()).containsExactly(0, 1, -1);
            assertThat(encoder.tokens("").owners()).containsExactly(-1);
        }
    }

    @Test
    void onlyMeansAndLinearHeadsAreSums() {
        assertThat(notASum("pooling: last\n")).startsWith("has pooling: last, ");
        assertThat(notASum("pooling: none\n")).startsWith("has pooling: none, ");
        assertThat(notASum("head: {file: head.safetensors, activation: tanh}\n"))
                .startsWith("has a head that ends in tanh");
        assertThat(notASum("head: {file: head.safetensors, bias: bias}\n")).isEmpty();
        try (DenseEncoder encoder = StandIns.open(temp, LOOKUP, StandIns.PLAIN + "pooling: cls\n")) {
            assertThatThrownBy(() -> encoder.tokens("a")).isInstanceOf(IllegalStateException.class);
        }
    }

    private String notASum(String settings) {
        Fields fields = StandIns.write(temp, LOOKUP, StandIns.PLAIN + settings);
        return StandIns.dense(fields).notASum().orElse("");
    }

    /** Behind [CLS] a marker, the symbol b left out, the first vector dropped, e cut off. */
    @Test
    void lateInteractionLeavesTokensOut() {
        String settings = "max-tokens: 7\ndocument-marker: h\nskip: [b]\ndrop-first: true\n";
        Fields fields = StandIns.write(temp, LOOKUP, settings);
        try (TokenEncoder encoder = new TokenEncoder(StandIns.tokens(fields), StandIns.engine(temp, 1, 0))) {
            TokenVectors tokens = encoder.tokens("a b c d e");
            assertThat(tokens.owners()).containsExactly(-1, 0, 2, 3, -1);
            assertThat(tokens.starts()).containsExactly(0, 2, 4, 6, 8);
            assertThat(tokens.vectors()).containsExactly(StandIns.encode(encoder, Role.PASSAGE, "a b c d e")[0]);
            assertThat(encoder.query("a")).containsExactly(StandIns.encode(encoder, Role.QUERY, "a")[0]);
        }
    }

    @Test
    void halfFloatsAreRounded() {
        assertThat(TokenVectors.rounded(new float[] {0.1f, 1, 2049}, true)).containsExactly(0.099975586f, 1, 2048);
        assertThat(TokenVectors.rounded(new float[] {0.1f}, false)).containsExactly(0.1f);
    }
}
