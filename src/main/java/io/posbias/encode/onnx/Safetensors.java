package io.posbias.encode.onnx;

import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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
        refuseGaps();
    }

    /**
     * A tensor.
     *
     * @param values row by row
     * @param shape its sizes
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    record Tensor(float[] values, List<Integer> shape) {}

    /**
     * The format demands that the tensors cover the data: the first begins where the header ends, each where the one before
     * ends, the last ends with the file. A file of which some bytes were lost or added is refused, whatever is read of it.
     */
    private void refuseGaps() {
        List<long[]> places = new ArrayList<>();
        header.properties().stream()
                .filter(entry -> !entry.getKey().equals("__metadata__"))
                .forEach(entry -> places.add(place(entry.getKey(), entry.getValue())));
        places.sort(Comparator.<long[]>comparingLong(place -> place[0]).thenComparingLong(place -> place[1]));
        long end = 0;
        for (long[] place : places) {
            if (place[0] != end) {
                throw new PosbiasException(
                        name + " is no whole safetensors file: its tensors leave a gap or overlap at byte " + end
                                + " of the data");
            }
            end = place[1];
        }
        if (end != file.length - data) {
            throw new PosbiasException(name + " is no whole safetensors file: its tensors end at byte " + end
                    + " of the data, which has " + (file.length - data));
        }
    }

    /** Where a tensor begins and ends in the data. */
    private long[] place(String tensor, JsonNode entry) {
        JsonNode offsets = entry.path("data_offsets");
        JsonNode from = offsets.path(0);
        JsonNode to = offsets.path(1);
        if (offsets.size() != 2
                || !from.isIntegralNumber()
                || !to.isIntegralNumber()
                || !from.canConvertToLong()
                || !to.canConvertToLong()
                || from.asLong() < 0
                || to.asLong() < from.asLong()
                || to.asLong() > file.length - data) {
            throw new PosbiasException(name + ": tensor " + Printable.cut(tensor) + " does not lie in the file");
        }
        return new long[] {from.asLong(), to.asLong()};
    }

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
        long[] place = place(tensor, entry);
        long length = place[1] - place[0];
        if (length != count * bytes) {
            throw new PosbiasException(name + ": tensor " + tensor + " has " + length
                    + " bytes, not as many as its shape " + shape + " says");
        }
        ByteBuffer raw =
                ByteBuffer.wrap(file, data + (int) place[0], (int) length).order(ByteOrder.LITTLE_ENDIAN);
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
