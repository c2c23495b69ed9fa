package io.posbias.model.encode.onnx;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Files of external data that an ONNX file names. ONNX Runtime reads them wherever a tensor can be: in initializers,
 * dense and sparse, and in attributes of nodes, of the graph, of its subgraphs and of functions. Field numbers: <a
 * href="https://github.com/onnx/onnx/blob/main/onnx/onnx.proto">onnx.proto</a>.
 */
final class ExternalData {
    /** Protocol buffers' own limit. */
    private static final int DEEPEST = 100;

    private static final String LOCATION = "location";
    private static final char NOT_UTF_8 = '\uFFFD';

    private final SortedSet<String> files = new TreeSet<>();
    private final String name;
    private boolean hasGraph;

    private ExternalData(String name) {
        this.name = name;
    }

    /** Message with tensors in it. */
    private enum Message {
        MODEL,
        GRAPH,
        FUNCTION,
        NODE,
        ATTRIBUTE,
        SPARSE_TENSOR,
        TENSOR,
        DATA_ENTRY;

        Map<Integer, Message> fields() {
            return switch (this) {
                case MODEL -> Map.of(7, GRAPH, 25, FUNCTION);
                case GRAPH -> Map.of(1, NODE, 5, TENSOR, 15, SPARSE_TENSOR);
                case FUNCTION -> Map.of(7, NODE, 11, ATTRIBUTE);
                case NODE -> Map.of(5, ATTRIBUTE);
                case ATTRIBUTE ->
                    Map.of(5, TENSOR, 6, GRAPH, 10, TENSOR, 11, GRAPH, 22, SPARSE_TENSOR, 23, SPARSE_TENSOR);
                case SPARSE_TENSOR -> Map.of(1, TENSOR, 2, TENSOR);
                case TENSOR -> Map.of(13, DATA_ENTRY);
                case DATA_ENTRY -> Map.of();
            };
        }
    }

    /**
     * Returns the paths of the files, relative to the ONNX file and as written there.
     *
     * @param name in errors
     * @param file its content; tensors in it are skipped
     * @throws PosbiasException if it is not a complete ONNX file
     */
    static SortedSet<String> files(String name, ByteBuffer file) {
        ExternalData data = new ExternalData(name);
        try {
            data.read(Message.MODEL, new MessageReader(file, 0, file.limit()), 0);
        } catch (IndexOutOfBoundsException torn) {
            throw new PosbiasException(name + " is not a complete ONNX file", torn);
        }
        if (!data.hasGraph) {
            throw new PosbiasException(name + " is not an ONNX file: it contains no graph");
        }
        return data.files;
    }

    private void read(Message message, MessageReader reader, int depth) {
        if (depth > DEEPEST) {
            throw new PosbiasException(name + " nests its messages deeper than " + DEEPEST + " levels");
        }
        hasGraph |= message == Message.GRAPH;
        Map<Integer, Message> fields = message.fields();
        while (reader.next()) {
            Message inner = fields.get(reader.field);
            if (inner == Message.DATA_ENTRY) {
                readEntry(reader);
            } else if (inner != null) {
                read(inner, reader.message(), depth + 1);
            }
        }
    }

    private void readEntry(MessageReader entry) {
        if (entry.message().textOf(1).equals(LOCATION)) {
            String file = entry.message().textOf(2);
            if (file.indexOf(NOT_UTF_8) >= 0) {
                throw new PosbiasException(
                        name + " names a data file " + Printable.quoted(file) + ", which is not in UTF-8");
            }
            files.add(file);
        }
    }
}
