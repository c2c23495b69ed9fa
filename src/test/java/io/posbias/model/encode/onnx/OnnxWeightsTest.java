package io.posbias.model.encode.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import io.posbias.model.retrieve.RecipeBook;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Weights in ONNX files: MiniLM's, and in files written here field by field, after onnx.proto. */
class OnnxWeightsTest {
    private static final ModelFiles MINILM =
            RecipeBook.find("all-minilm-l6-v2").files().getFirst();

    /** Two rows of three columns, as a linear layer of two inputs and three outputs is stored for MatMul. */
    private static final float[] STORED = {1, 2, 3, 4, 5, 6};

    private static final float[] TURNED = {1, 4, 2, 5, 3, 6};

    @TempDir
    Path temp;

    private static byte[] bytes(int field, byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(field << 3 | 2);
        for (int rest = all.size(); ; rest >>= 7) {
            out.write(rest > 127 ? (rest & 127) | 128 : rest);
            if (rest <= 127) {
                break;
            }
        }
        out.writeBytes(all.toByteArray());
        return out.toByteArray();
    }

    private static byte[] text(int field, String text) {
        return bytes(field, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] number(int field, int value) {
        return new byte[] {(byte) (field << 3), (byte) value};
    }

    private static byte[] floats(float... values) {
        ByteBuffer raw = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        raw.asFloatBuffer().put(values);
        return raw.array();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static byte[] tensor(String name, int type, byte[] data, int... shape) {
        byte[] dimensions = new byte[shape.length];
        for (int i = 0; i < shape.length; i++) {
            dimensions[i] = (byte) shape[i];
        }
        return bytes(5, bytes(1, dimensions), number(2, type), text(8, name), data);
    }

    private static byte[] matrix(String name) {
        return tensor(name, 1, bytes(9, floats(STORED)), 2, 3);
    }

    private static byte[] external(String name, String location, String... more) {
        byte[] data = bytes(13, text(1, "location"), text(2, location));
        for (int i = 0; i < more.length; i += 2) {
            data = join(data, bytes(13, text(1, more[i]), text(2, more[i + 1])));
        }
        return tensor(name, 1, join(data, number(14, 1)), 2, 3);
    }

    private static byte[] node(String name, String operator, String output, String inputs, byte[]... more) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String input : inputs.split(" ", -1)) {
            all.writeBytes(text(1, input));
        }
        return bytes(1, all.toByteArray(), text(2, output), text(3, name), text(4, operator), join(more));
    }

    private static byte[] file(byte[]... graph) {
        return join(number(1, 8), bytes(7, graph));
    }

    private static OnnxWeights weights(byte[]... graph) {
        return alone(file(graph));
    }

    private static OnnxWeights alone(byte[] file) {
        return new OnnxWeights("x.onnx", file, other -> {
            throw new AssertionError(other);
        });
    }

    private static void assertTurned(OnnxWeights weights, String name) {
        assertThat(weights.names()).contains(name);
        assertThat(weights.weight(name).shape()).containsExactly(3, 2);
        assertThat(weights.weight(name).values()).containsExactly(TURNED);
    }

    @Test
    void matricesAreFoundAsExportersNameThem() {
        byte[] bias = tensor("a.bias", 1, bytes(9, floats(7, 8, 9)), 3);
        // torch.onnx: the bias tells, on either side.
        assertTurned(
                weights(
                        matrix("onnx::MatMul_1"),
                        bias,
                        node("", "MatMul", "p", "x onnx::MatMul_1"),
                        node("", "Add", "y", "a.bias p")),
                "a.weight");
        // Its newer exporter, which turns some matrices before and leaves others to the graph.
        assertTurned(
                weights(matrix("val_1"), bias, node("", "MatMul", "p", "x val_1"), node("", "Add", "y", "p a.bias")),
                "a.weight");
        OnnxWeights left =
                weights(matrix("a.weight"), node("", "Transpose", "t", "a.weight"), node("", "MatMul", "p", "x t"));
        assertThat(left.weight("a.weight").values()).containsExactly(STORED);
        // No bias: the module that the node is of.
        assertTurned(
                weights(matrix("onnx::MatMul_1"), node("/m/layers.0/up/MatMul", "MatMul", "p", "x onnx::MatMul_1")),
                "m.layers.0.up.weight");
        // A name that stayed, though the matrix was turned.
        assertTurned(weights(matrix("a.weight"), node("", "MatMul", "p", "x a.weight")), "a.weight");
        // Gemm, which has the bias inside and may turn the matrix itself.
        assertTurned(weights(matrix("val_1"), bias, node("", "Gemm", "y", "x val_1 a.bias")), "a.weight");
        byte[] turns = bytes(5, text(1, "transB"), number(3, 1));
        OnnxWeights gemm = weights(matrix("a.weight"), bias, node("", "Gemm", "y", "x a.weight a.bias", turns));
        assertThat(gemm.weight("a.weight").values()).containsExactly(STORED);
        assertThat(gemm.weight("a.weight").shape()).containsExactly(2, 3);
    }

    @Test
    void numbersPackedOneByOneAreReadLikeRawOnes() {
        OnnxWeights packed = weights(tensor("a.bias", 1, bytes(4, floats(1.5f, -2, 0.25f)), 3));
        assertThat(packed.weight("a.bias").values()).containsExactly(1.5f, -2, 0.25f);
    }

    @Test
    void weightsBesideTheGraphAreRead() throws IOException {
        Files.createDirectories(temp.resolve("onnx"));
        Files.write(temp.resolve("onnx/data"), join(new byte[8], floats(STORED), new byte[4]));
        Files.write(temp.resolve("onnx/short"), new byte[20]);
        Files.write(
                temp.resolve("onnx/model.onnx"),
                file(
                        external("a.weight", "data", "offset", "8", "length", "24"),
                        external("b.weight", "data", "offset", "12"),
                        external("c.weight", "short"),
                        external("d.weight", "../../etc/passwd"),
                        external("e.weight", "none")));
        Path recipe = Files.writeString(
                temp.resolve("r.yaml"),
                "name: r\nkind: dense\nsource: {folder: .}\nonnx: {float32: onnx/model.onnx}\nmax-tokens: 8\ndimension: 3\n");
        OnnxWeights weights =
                RecipeBook.find(recipe.toString()).files().getFirst().graphWeights(temp);
        assertThat(weights.weight("a.weight").values()).containsExactly(STORED);
        assertThat(weights.weight("b.weight").values()).containsExactly(2, 3, 4, 5, 6, 0);
        assertFails(
                () -> weights.weight("c.weight"),
                "onnx/model.onnx: c.weight is outside onnx/short, which has 20 bytes");
        assertFails(
                () -> weights.weight("d.weight"),
                "onnx/model.onnx has weights in \"../../etc/passwd\", which is not inside the model's folder");
        assertThatThrownBy(() -> weights.weight("e.weight"))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("/onnx/none is missing");
    }

    private static void assertFails(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String line) {
        assertThatThrownBy(call).isInstanceOf(PosbiasException.class).hasMessage(line);
    }

    @Test
    void whatCannotBeReadIsOneLine() {
        String advice = "; give the model's float32 graph, or its safetensors file as transformer.weights";
        assertFails(
                () -> weights(tensor("a.bias", 10, bytes(9, new byte[6]), 3)).weight("a.bias"),
                "x.onnx: a.bias has 16-bit floats" + advice);
        assertFails(
                () -> weights(tensor("a.bias", 3, bytes(9, new byte[3]), 3)).weight("a.bias"),
                "x.onnx: a.bias does not contain floats (a quantised graph?)" + advice);
        assertFails(
                () -> weights(node("", "MatMulInteger", "y", "x w")),
                "x.onnx is a quantised graph (it has MatMulInteger)" + advice);
        assertFails(
                () -> weights(node("", "SkipLayerNormalization", "y", "x w", text(7, "com.microsoft"))),
                "x.onnx was rewritten by ONNX Runtime's optimizer (it has SkipLayerNormalization), which merges weights;"
                        + " give the graph as it was exported, or the model's safetensors file as transformer.weights");
        assertFails(
                () -> weights(tensor("a.bias", 1, bytes(9, new byte[8]), 3)).weight("a.bias"),
                "x.onnx: a.bias has 8 bytes in the file, not as many as its shape [3] says; give the model's safetensors"
                        + " file as transformer.weights");
        assertFails(() -> weights().weight("a.bias"), "x.onnx has no weight a.bias");
        byte[] whole = file(matrix("a.weight"));
        for (int length = 3; length < whole.length; length++) {
            byte[] torn = Arrays.copyOf(whole, length);
            assertFails(() -> alone(torn), "x.onnx is not a complete ONNX file");
        }
    }

    @Test
    void miniLmsWeightsHaveTheirModulesNamesAndShapes() {
        OnnxWeights weights = MINILM.graphWeights(temp);
        assertThat(weights.weight("embeddings.word_embeddings.weight").shape()).containsExactly(30522, 384);
        assertThat(weights.weight("encoder.layer.5.intermediate.dense.weight").shape())
                .containsExactly(1536, 384);
        assertThat(weights.weight("encoder.layer.5.output.dense.weight").shape())
                .containsExactly(384, 1536);
        // 5 of the embeddings, 16 of each layer.
        assertThat(weights.names())
                .filteredOn(name -> !name.startsWith("pooler."))
                .hasSize(5 + 6 * 16);
    }
}
