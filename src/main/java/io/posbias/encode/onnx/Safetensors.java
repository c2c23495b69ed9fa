package io.posbias.encode.onnx;

import io.posbias.Json;
import io.posbias.PosbiasException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Reads tensors of a safetensors file: eight bytes with the length of a JSON header, the header, then the numbers. No
 * code is in it. Format: <a href="https://huggingface.co/docs/safetensors">huggingface.co/docs/safetensors</a>.
 */
final class Safetensors {
    private static final long MOST_HEADER = 100L << 20;

    private final String name;
    private final byte[] file;
    private final int data;
    private final JsonNode header;

    /**
     * @param name what errors call it
     * @param file its content
     */
    Safetensors(String name, byte[] file) {
        this.name = name;
        this.file = file;
        long length = file.length < Long.BYTES
                ? -1
                : ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (length < 2 || length > MOST_HEADER || length > file.length - Long.BYTES) {
            throw new PosbiasException(name + " is no safetensors file: its header has " + length + " bytes");
        }
        this.data = Long.BYTES + (int) length;
        try {
            this.header = Json.mapper().readTree(Arrays.copyOfRange(file, Long.BYTES, data));
        } catch (JacksonException broken) {
            throw new PosbiasException(name + " is no safetensors file: its header is no JSON", broken);
        }
    }

    /**
     * A tensor.
     *
     * @param values row by row
     * @param shape its sizes
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    record Tensor(float[] values, List<Integer> shape) {}

    boolean has(String tensor) {
        return header.has(tensor);
    }

    /** A tensor of 32-bit, 16-bit or brain floats. */
    Tensor tensor(String tensor) {
        JsonNode entry = header.path(tensor);
        if (entry.isMissingNode()) {
            throw new PosbiasException(
                    name + " holds no tensor " + tensor + "; it holds " + String.join(", ", header.propertyNames()));
        }
        List<Integer> shape = entry.path("shape")
                .valueStream()
                .map(size -> Math.max(0, size.asInt(0)))
                .toList();
        // A double does not overflow, and is exact as far as a file reaches.
        double count = shape.stream().mapToDouble(size -> size).reduce(1, (a, b) -> a * b);
        String type = entry.path("dtype").asString("");
        int bytes = switch (type) {
            case "F32" -> Float.BYTES;
            case "F16", "BF16" -> Short.BYTES;
            default -> throw new PosbiasException(name + ": tensor " + tensor + " is of " + type);
        };
        long from = data + entry.path("data_offsets").path(0).asLong(-1);
        long to = data + entry.path("data_offsets").path(1).asLong(-1);
        if (from < data || to > file.length || to - from != count * bytes) {
            throw new PosbiasException(name + ": tensor " + tensor + " does not lie in the file");
        }
        ByteBuffer raw = ByteBuffer.wrap(file, (int) from, (int) (to - from)).order(ByteOrder.LITTLE_ENDIAN);
        float[] values = new float[(int) count];
        for (int i = 0; i < values.length; i++) {
            values[i] = switch (type) {
                case "F32" -> raw.getFloat();
                case "F16" -> Float.float16ToFloat(raw.getShort());
                default -> Float.intBitsToFloat(raw.getShort() << 16);
            };
        }
        return new Tensor(values, shape);
    }
}
