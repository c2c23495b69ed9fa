package io.posbias.model.encode.onnx;

import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reader of a safetensors file: eight bytes with the length of a JSON header, the header, then the numbers. Format: <a
 * href="https://huggingface.co/docs/safetensors">huggingface.co/docs/safetensors</a>.
 */
public final class Safetensors {
    private static final long MOST_HEADER = 100L << 20;
    /** Maximum size of an array on every Java. */
    private static final int MOST_FLOATS = Integer.MAX_VALUE - 8;

    private final String name;
    private final StoredFile file;
    private final long data;
    private final JsonNode header;

    /**
     * @param name in errors
     */
    public Safetensors(String name, byte[] file) {
        this(StoredFile.of(name, file));
    }

    /** Reads the header of a file of any size; tensors are read on demand. */
    public Safetensors(Path file) {
        this(StoredFile.of(file.toString(), file));
    }

    /** Reads the header; tensors are read on demand. */
    Safetensors(StoredFile file) {
        this.name = file.name();
        this.file = file;
        long length = file.size() < Long.BYTES
                ? -1
                : ByteBuffer.wrap(file.bytes(0, Long.BYTES))
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getLong();
        if (length < 2 || length > MOST_HEADER || length > file.size() - Long.BYTES) {
            throw new PosbiasException(name + " is not a safetensors file: its header has " + length + " bytes");
        }
        this.data = Long.BYTES + length;
        try {
            this.header = Json.mapper().readTree(file.bytes(Long.BYTES, (int) length));
        } catch (JacksonException broken) {
            throw new PosbiasException(name + " is not a safetensors file: its header is not JSON", broken);
        }
        refuseGaps();
    }

    /**
     * Refuses a file whose tensors do not cover the data without gap and overlap, as the format requires: bytes were
     * lost or added.
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
                        name + " is not a complete safetensors file: its tensors leave a gap or overlap at byte " + end
                                + " of the data");
            }
            end = place[1];
        }
        if (end != file.size() - data) {
            throw new PosbiasException(name + " is not a complete safetensors file: its tensors end at byte " + end
                    + " of the data, which has " + (file.size() - data));
        }
    }

    /** Returns the first byte of a tensor in the data, and the byte after its last. */
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
                || to.asLong() > file.size() - data) {
            throw new PosbiasException(name + ": tensor " + Printable.cut(tensor) + " is outside the file");
        }
        return new long[] {from.asLong(), to.asLong()};
    }

    public Set<String> names() {
        Set<String> names = new TreeSet<>(header.propertyNames());
        names.remove("__metadata__");
        return names;
    }

    public boolean has(String tensor) {
        return header.has(tensor);
    }

    /** Returns a tensor of floats or signed whole numbers, each as the nearest 32-bit float. */
    public Weight tensor(String tensor) {
        JsonNode entry = header.path(tensor);
        if (entry.isMissingNode()) {
            throw new PosbiasException(
                    name + " has no tensor " + tensor + "; it has " + String.join(", ", header.propertyNames()));
        }
        List<Integer> shape = entry.path("shape")
                .valueStream()
                .map(size -> Math.max(0, size.asInt(0)))
                .toList();
        // A double does not overflow, and is exact as far as a file reaches.
        double count = shape.stream().mapToDouble(size -> size).reduce(1, (a, b) -> a * b);
        String type = entry.path("dtype").asString("");
        StoredFile.Floats floats = floats(tensor, type);
        long[] place = place(tensor, entry);
        long length = place[1] - place[0];
        if (length != count * floats.bytes()) {
            throw new PosbiasException(name + ": tensor " + tensor + " has " + length
                    + " bytes, not as many as its shape " + shape + " says");
        }
        if (count > MOST_FLOATS) {
            throw new PosbiasException(
                    name + ": tensor " + tensor + " has " + (long) count + " numbers, more than " + MOST_FLOATS);
        }
        float[] values = file.floats(data + place[0], (int) count, floats);
        return new Weight(values, shape);
    }

    private StoredFile.Floats floats(String tensor, String type) {
        return Stream.of(StoredFile.Floats.values())
                .filter(floats -> floats.name().equals(type))
                .findFirst()
                .orElseThrow(() -> new PosbiasException(name + ": tensor " + tensor + " has type " + type + ", not "
                        + Stream.of(StoredFile.Floats.values()).map(Enum::name).collect(Collectors.joining(", "))));
    }

    public boolean isHalf(String tensor) {
        return header.path(tensor).path("dtype").asString("").matches("B?F16");
    }

    /** Writes tensors as 32-bit floats in the order of their names; files have any size. */
    public static void write(SortedMap<String, Weight> tensors, OutputStream out) throws IOException {
        SequencedMap<String, List<Integer>> shapes = new LinkedHashMap<>();
        tensors.forEach((name, tensor) -> shapes.put(name, tensor.shape()));
        writeHeader(shapes, out);
        for (Weight tensor : tensors.values()) {
            tensor.write(out);
        }
    }

    /** Writes what stands before the numbers of tensors, which follow in the same order as 32-bit floats. */
    public static void writeHeader(SequencedMap<String, List<Integer>> shapes, OutputStream out) throws IOException {
        ObjectNode header = Json.mapper().createObjectNode();
        header.putObject("__metadata__").put("format", "pt");
        long at = 0;
        for (Map.Entry<String, List<Integer>> tensor : shapes.entrySet()) {
            ObjectNode entry = header.putObject(tensor.getKey()).put("dtype", "F32");
            tensor.getValue().forEach(entry.withArray("shape")::add);
            long end = at + tensor.getValue().stream().mapToLong(size -> size).reduce(Float.BYTES, (a, b) -> a * b);
            entry.putArray("data_offsets").add(at).add(end);
            at = end;
        }
        byte[] head = Json.mapper().writeValueAsBytes(header);
        int padded = (head.length + 7) / 8 * 8;
        ByteBuffer start = ByteBuffer.allocate(Long.BYTES + padded).order(ByteOrder.LITTLE_ENDIAN);
        start.putLong(padded).put(head);
        while (start.hasRemaining()) {
            start.put((byte) ' ');
        }
        out.write(start.array());
    }
}
