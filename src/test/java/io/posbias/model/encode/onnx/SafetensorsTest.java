package io.posbias.model.encode.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.model.DenseEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafetensorsTest {
    @TempDir
    Path temp;

    private static byte[] file(String header, byte[] data) {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(json.length)
                .array());
        out.writeBytes(json);
        out.writeBytes(data);
        return out.toByteArray();
    }

    private static String entry(String name, String type, String shape, int from, int to) {
        return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":[" + from + ","
                + to + "]}";
    }

    private static byte[] floats(float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return bytes.array();
    }

    @Test
    void readsAllThreeKindsOfFloats() {
        // 1.5, -2 and 0.25 in half and brain floats, bit patterns by hand (IEEE 754).
        ByteBuffer data = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        data.putFloat(1.5f).putFloat(-2).putFloat(0.25f);
        data.putShort((short) 0x3E00).putShort((short) 0xC000).putShort((short) 0x3400);
        data.putShort((short) 0x3FC0).putShort((short) 0xC000).putShort((short) 0x3E80);
        String header = "{\"__metadata__\":{\"format\":\"pt\"}," + entry("full", "F32", "[3,1]", 0, 12) + ","
                + entry("half", "F16", "[3]", 12, 18) + "," + entry("brain", "BF16", "[1,3]", 18, 24) + "}";
        Safetensors tensors = new Safetensors("x", file(header, data.array()));
        for (String name : new String[] {"full", "half", "brain"}) {
            assertThat(tensors.tensor(name).values()).as(name).containsExactly(1.5f, -2, 0.25f);
        }
        assertThat(tensors.tensor("brain").shape()).containsExactly(1, 3);
        assertThat(tensors.has("half")).isTrue();
        assertThatThrownBy(() -> tensors.tensor("other"))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("x has no tensor other", "__metadata__, full, half, brain");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "F32;[2];0;12;x: tensor t has 12 bytes, not as many as its shape [2] says",
                "F32;[3];4;16;x: tensor t is outside the file",
                "F32;[3];-4;8;x: tensor t is outside the file",
                "F32;[65536,65536];0;12;x: tensor t has 12 bytes, not as many as its shape [65536, 65536] says",
                "F32;[-3];0;12;x: tensor t has 12 bytes, not as many as its shape [0] says",
                "U8;[1];0;12;x: tensor t has type U8, not F32, F16, BF16, F64, I8, I32, I64"
            })
    void tensorsThatCannotBeAreRefused(String type, String shape, int from, int to, String complaint) {
        byte[] file = file("{" + entry("t", type, shape, from, to) + "}", new byte[12]);
        assertThatThrownBy(() -> new Safetensors("x", file).tensor("t"))
                .isInstanceOf(PosbiasException.class)
                .hasMessage(complaint);
    }

    /** "The byte buffer needs to be entirely indexed, and cannot contain holes": the format's own words. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0;4;4;8;12;its tensors end at byte 8 of the data, which has 12",
                "4;8;8;12;12;its tensors leave a gap or overlap at byte 0 of the data",
                "0;4;8;12;12;its tensors leave a gap or overlap at byte 4 of the data",
                "0;8;4;12;12;its tensors leave a gap or overlap at byte 8 of the data",
                "0;4;0;4;4;its tensors leave a gap or overlap at byte 4 of the data",
            })
    void theDataIsCoveredExactly(int from, int to, int from2, int to2, int length, String complaint) {
        String header = "{" + entry("b", "F32", "[1]", from2, to2) + "," + entry("a", "F32", "[1]", from, to) + "}";
        assertThatThrownBy(() -> new Safetensors("x", file(header, new byte[length])))
                .isInstanceOf(PosbiasException.class)
                .hasMessage("x is not a complete safetensors file: " + complaint);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 8, 9})
    void otherFilesAreRefused(int length) {
        byte[] bytes = new byte[length];
        assertThatThrownBy(() -> new Safetensors("x", bytes))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("x is not a safetensors file", "header");
        if (length > 0) {
            bytes[0] = 100;
            assertThatThrownBy(() -> new Safetensors("x", bytes)).hasMessageStartingWith("x is not a safetensors file");
        }
        assertThatThrownBy(() -> new Safetensors("x", file("no json", new byte[4])))
                .hasMessageContainingAll("x is not a safetensors file", "header", "JSON");
    }

    /** W = [[1, 2], [0, -1], [3, 0]], b = [10, 0, -1]. */
    private DenseEncoder withHead(String settings) throws IOException {
        String header = "{" + entry("linear.weight", "F32", "[3,2]", 0, 24) + "," + entry("bias", "F32", "[3]", 24, 36)
                + "," + entry("wide", "F32", "[2,3]", 36, 60) + "}";
        byte[] data = floats(1, 2, 0, -1, 3, 0, 10, 0, -1, 0, 0, 0, 0, 0, 0);
        Files.write(temp.resolve("head.safetensors"), file(header, data));
        byte[] lookup = StandIns.lookup(StandIns.table(StandIns.VOCABULARY));
        return StandIns.open(
                temp, lookup, StandIns.PLAIN + "pooling: cls\nhead: {file: head.safetensors" + settings + "}\n");
    }

    @Test
    void aLinearHeadIsAppliedAfterPooling() throws IOException {
        // [CLS] has (2, 1).
        try (DenseEncoder encoder = withHead("")) {
            assertThat(encoder.dimension()).isEqualTo(3);
            assertThat(StandIns.encode(encoder, Role.QUERY, "a")[0]).containsExactly(4, -1, 6);
        }
        try (DenseEncoder encoder = withHead(", bias: bias")) {
            assertThat(StandIns.encode(encoder, Role.QUERY, "a")[0]).containsExactly(14, -1, 5);
        }
        try (DenseEncoder encoder = withHead(", bias: bias, activation: tanh")) {
            float[] vector = StandIns.encode(encoder, Role.QUERY, "a")[0];
            assertThat(vector[1]).isCloseTo((float) Math.tanh(-1), within(1e-6f));
        }
    }

    @Test
    void aHeadThatDoesNotFitIsOneLine() {
        assertThatThrownBy(() -> withHead(", weight: wide").close())
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("head", "3 numbers", "graph");
        assertThatThrownBy(() -> withHead(", weight: bias").close())
                .hasMessage("head.safetensors: bias is not a matrix: its shape is [3]");
        assertThatThrownBy(() -> withHead(", weight: none").close())
                .hasMessageContainingAll("head.safetensors", "tensor none");
    }
}
