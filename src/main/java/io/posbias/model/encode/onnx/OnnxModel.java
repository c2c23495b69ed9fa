package io.posbias.model.encode.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** Graph of a transformer. Inputs are filled by their names; an unknown input is an error. Safe for several threads. */
public final class OnnxModel implements AutoCloseable {
    private final String name;
    private final OrtSession session;
    private final String sha256;
    private final Semaphore turns;
    private final Map<String, TensorInfo> inputs = new LinkedHashMap<>();
    private final Map<String, TensorInfo> outputs = new LinkedHashMap<>();

    /**
     * @param name in errors
     * @param session closed with this
     * @param sha256 over names and contents of all files, as computed by {@link ModelFiles#load}
     * @param turns a permit for each batch that may be on the device at once
     */
    OnnxModel(String name, OrtSession session, String sha256, Semaphore turns) {
        this.name = name;
        this.session = session;
        this.sha256 = sha256;
        this.turns = turns;
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

    /**
     * Refuses a graph without a field of a value in one of its metadata, which is a record in JSON.
     *
     * @param key of the metadata
     */
    public void requireMetadata(String key, String field, String value) {
        try {
            String found = session.getMetadata().getCustomMetadataValue(key).orElse("{}");
            Object own = Json.parseYaml(Path.of(name), found.getBytes(StandardCharsets.UTF_8))
                    .raw(field);
            if (!value.equals(own)) {
                throw new PosbiasException("graph " + name + " has " + (own == null ? "no " : "another ") + key
                        + ", the recipe needs one of " + field + ": " + value);
            }
        } catch (OrtException broken) {
            throw new PosbiasException("graph " + name + ": " + OnnxRuntime.line(broken), broken);
        }
    }

    String sha256() {
        return sha256;
    }

    /** Returns the inputs with their shapes; -1 is a size known at run time. */
    public Map<String, TensorInfo> inputs() {
        return inputs;
    }

    public Map<String, TensorInfo> outputs() {
        return outputs;
    }

    /**
     * Returns the wanted output, else the first of the known names, else the only one.
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
     * Output of a batch.
     *
     * @param values row by row
     * @param rows one per text
     * @param columns tokens of a row; 1 if a text has one value or vector
     * @param width of a vector
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
     * @param reader called before the output's memory is released
     */
    public <T> T run(TokenBatch batch, String output, Function<OnnxOutput, T> reader) {
        Map<String, OnnxTensor> feed = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, TensorInfo> input : inputs.entrySet()) {
                feed.put(input.getKey(), tensor(input.getKey(), input.getValue(), batch));
            }
            try (OrtSession.Result result = computed(feed, output)) {
                OnnxTensor tensor = (OnnxTensor) result.get(0);
                FloatBuffer values = tensor.getFloatBuffer();
                if (values == null) {
                    throw new PosbiasException("graph " + name + ": output " + output + " is not a tensor of floats");
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

    private OrtSession.Result computed(Map<String, OnnxTensor> feed, String output) throws OrtException {
        turns.acquireUninterruptibly();
        try {
            return session.run(feed, Set.of(output));
        } finally {
            turns.release();
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
                throw new PosbiasException("graph " + name + " has an unknown input " + Printable.quoted(input)
                        + "; supported are input_ids, attention_mask,"
                        + " token_type_ids, position_ids, global_attention_mask, past_key_values.* and the"
                        + " recipe's pool-mask-input and role-input");
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
            default -> throw new PosbiasException("graph " + name + " has an input of unsupported type " + type);
        };
    }

    /** Returns a number in the shape of the input: a scalar, or one per row. */
    private OnnxTensor repeated(int number, TensorInfo info, int rows) throws OrtException {
        long[] shape = Arrays.stream(info.getShape())
                .map(size -> size < 0 ? rows : size)
                .toArray();
        long[] values = new long[(int) Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
        Arrays.fill(values, number);
        return tensor(values, shape, info.type);
    }

    /** Returns an empty key-value cache of a decoder. */
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
            default ->
                throw new PosbiasException("graph " + name + " has a key-value cache of unsupported type " + info.type);
        };
    }

    @Override
    public void close() {
        OnnxRuntime.close("graph " + name, session);
    }
}
