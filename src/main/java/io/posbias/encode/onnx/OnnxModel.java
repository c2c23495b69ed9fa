package io.posbias.encode.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A transformer's graph. The names of its inputs are read from it and each is filled by what it means; an input that is
 * not known is an error, not a guess. Safe for several threads.
 */
public final class OnnxModel implements AutoCloseable {
    private final String name;
    private final OrtSession session;
    private final String sha256;
    private final Map<String, TensorInfo> inputs = new LinkedHashMap<>();
    private final Map<String, TensorInfo> outputs = new LinkedHashMap<>();

    /**
     * @param name what errors call it
     * @param session closed with this
     * @param sha256 over names and contents of all its files, as {@link ModelFiles#load} knows it
     */
    OnnxModel(String name, OrtSession session, String sha256) {
        this.name = name;
        this.session = session;
        this.sha256 = sha256;
        try {
            session.getInputInfo().forEach((key, info) -> inputs.put(key, tensor(key, info)));
            session.getOutputInfo().forEach((key, info) -> outputs.put(key, tensor(key, info)));
        } catch (OrtException broken) {
            throw new PosbiasException("graph " + name + ": " + OnnxRuntime.line(broken), broken);
        }
    }

    private TensorInfo tensor(String key, NodeInfo info) {
        if (info.getInfo() instanceof TensorInfo tensor) {
            return tensor;
        }
        throw new PosbiasException("graph " + name + ": " + key + " is not a tensor");
    }

    /** SHA-256 over names and contents of all its files, the tokenizer's included. */
    String sha256() {
        return sha256;
    }

    /** Its inputs with their shapes; -1 stands for a size that is known when it runs. */
    public Map<String, TensorInfo> inputs() {
        return inputs;
    }

    /** Its outputs, likewise. */
    public Map<String, TensorInfo> outputs() {
        return outputs;
    }

    /**
     * The output to read: the one asked for, else the first that the graph has of some known names, else its only one.
     *
     * @param wanted a name, or empty
     * @param known names in order of preference
     */
    public String output(String wanted, List<String> known) {
        if (!wanted.isEmpty()) {
            if (!outputs.containsKey(wanted)) {
                throw new PosbiasException("graph " + name + " has no output " + wanted + "; it has "
                        + String.join(", ", outputs.keySet()));
            }
            return wanted;
        }
        return known.stream().filter(outputs::containsKey).findFirst().orElseGet(() -> {
            if (outputs.size() == 1) {
                return outputs.keySet().iterator().next();
            }
            throw new PosbiasException("graph " + name + " has outputs " + String.join(", ", outputs.keySet())
                    + ", none of them " + String.join(" or ", known) + "; name one in the recipe: 'output: …'");
        });
    }

    /**
     * What the graph gave.
     *
     * @param values row by row
     * @param rows one for each text
     * @param columns tokens of a row; 1 where there is one value or vector for each text
     * @param width the size of a vector
     */
    public record OnnxOutput(FloatBuffer values, int rows, int columns, int width) {
        static OnnxOutput of(FloatBuffer values, long... shape) {
            int rows = (int) shape[0];
            int columns = shape.length > 2 ? (int) shape[1] : 1;
            int width = shape.length > 1 ? (int) shape[shape.length - 1] : 1;
            return new OnnxOutput(values, rows, columns, width);
        }
    }

    /**
     * Runs a batch.
     *
     * @param output which output to read
     * @param reader what is done with it before its memory is released
     */
    public <T> T run(TokenBatch batch, String output, Function<OnnxOutput, T> reader) {
        Map<String, OnnxTensor> feed = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, TensorInfo> input : inputs.entrySet()) {
                feed.put(input.getKey(), tensor(input.getKey(), input.getValue(), batch));
            }
            try (OrtSession.Result result = session.run(feed, Set.of(output))) {
                OnnxTensor tensor = (OnnxTensor) result.get(0);
                FloatBuffer values = tensor.getFloatBuffer();
                if (values == null) {
                    throw new PosbiasException("graph " + name + ": output " + output + " holds no floats");
                }
                return reader.apply(OnnxOutput.of(values, tensor.getInfo().getShape()));
            }
        } catch (OrtException failed) {
            throw new PosbiasException(
                    "graph " + name + " failed on " + batch.describe() + ": " + OnnxRuntime.line(failed), failed);
        } finally {
            feed.values().forEach(OnnxTensor::close);
        }
    }

    private OnnxTensor tensor(String input, TensorInfo info, TokenBatch batch) throws OrtException {
        if (input.startsWith("past_key_values.") || input.startsWith("past_")) {
            return emptyPast(info, batch.rows());
        }
        Integer number = batch.numbers().get(input);
        if (number != null) {
            return repeated(number, info, batch.rows());
        }
        long[] values = switch (input) {
            case "input_ids" -> batch.ids();
            case "attention_mask" -> batch.mask();
            case "token_type_ids" -> batch.types();
            case "position_ids" -> batch.positions();
            case "global_attention_mask" -> batch.globalMask();
            default -> {
                if (input.equals(batch.poolMaskInput())) {
                    yield batch.poolMask();
                }
                throw new PosbiasException("graph " + name + " wants an input " + Printable.quoted(input)
                        + ", which posbias does not know; it knows input_ids, attention_mask,"
                        + " token_type_ids, position_ids, global_attention_mask, past_key_values.* and what"
                        + " the recipe names as pool-mask-input or role-input");
            }
        };
        return tensor(values, new long[] {batch.rows(), batch.columns()}, info.type);
    }

    private OnnxTensor tensor(long[] values, long[] shape, OnnxJavaType type) throws OrtException {
        return switch (type) {
            case INT64 -> OnnxTensor.createTensor(OnnxRuntime.environment(), LongBuffer.wrap(values), shape);
            case INT32 -> {
                int[] narrow =
                        Arrays.stream(values).mapToInt(value -> (int) value).toArray();
                yield OnnxTensor.createTensor(OnnxRuntime.environment(), IntBuffer.wrap(narrow), shape);
            }
            case FLOAT -> {
                FloatBuffer floats = FloatBuffer.allocate(values.length);
                Arrays.stream(values).forEach(floats::put);
                yield OnnxTensor.createTensor(OnnxRuntime.environment(), floats.flip(), shape);
            }
            default -> throw new PosbiasException("graph " + name + " wants its tokens as " + type);
        };
    }

    /** A number as the graph takes it: alone, or once for each row. */
    private OnnxTensor repeated(int number, TensorInfo info, int rows) throws OrtException {
        long[] shape = Arrays.stream(info.getShape())
                .map(size -> size < 0 ? rows : size)
                .toArray();
        long[] values = new long[(int) Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
        Arrays.fill(values, number);
        return tensor(values, shape, info.type);
    }

    /** A decoder's memory of earlier tokens, of which there are none. */
    private OnnxTensor emptyPast(TensorInfo info, int rows) throws OrtException {
        long[] shape = info.getShape().clone();
        shape[0] = rows;
        for (int i = 1; i < shape.length; i++) {
            // Heads and head size are fixed in the graph, the length of the past is not.
            shape[i] = shape[i] < 0 ? 0 : shape[i];
        }
        return switch (info.type) {
            case FLOAT -> OnnxTensor.createTensor(OnnxRuntime.environment(), FloatBuffer.allocate(0), shape);
            case FLOAT16 ->
                OnnxTensor.createTensor(
                        OnnxRuntime.environment(), ShortBuffer.allocate(0), shape, OnnxJavaType.FLOAT16);
            default -> throw new PosbiasException("graph " + name + " wants its past as " + info.type);
        };
    }

    @Override
    public void close() {
        OnnxRuntime.close("graph " + name, session);
    }
}
