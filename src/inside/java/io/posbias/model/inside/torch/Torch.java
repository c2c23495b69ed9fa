package io.posbias.model.inside.torch;

import io.posbias.base.process.Session;
import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import io.posbias.fetch.jars.NativeLibraries;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.onnx.Weight;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * PyTorch through DJL. PyTorch uses one thread per thread of posbias: sums are then equal for any number of threads,
 * and two threads of posbias are faster than two threads of PyTorch on one batch.
 */
public final class Torch {
    private static final String LIBRARY_PATH = "PYTORCH_LIBRARY_PATH";
    private static final Pattern ERROR = Pattern.compile("[A-Za-z.]+Error: ");

    /** Numbers per copied piece. */
    private static final int PIECE = 1 << 20;

    private Torch() {}

    /**
     * Creates a manager of arrays on a device.
     *
     * @throws PosbiasException if PyTorch cannot be loaded
     */
    static NDManager open(io.posbias.model.encode.Device device, Session session) {
        prepare(session);
        try {
            Engine engine = Engine.getEngine("PyTorch");
            return engine.newBaseManager(device.isCuda() ? Device.gpu(device.index()) : Device.cpu());
        } catch (EngineException | IllegalStateException | LinkageError refused) {
            throw new PosbiasException("cannot load PyTorch: " + refused.getMessage(), refused);
        }
    }

    /** Prevents DJL from downloading a library and reporting usage. {@code Tokenizer} has equal settings. */
    private static synchronized void prepare(Session session) {
        session.shutdown().haltsWhenInterrupted();
        Properties settings = System.getProperties();
        Map.of(
                        "ai.djl.offline", "true",
                        "OPT_OUT_TRACKING", "true",
                        "ai.djl.pytorch.num_threads", "1",
                        "ai.djl.pytorch.num_interop_threads", "1",
                        // Compiling a graph takes longer than it saves.
                        "ai.djl.pytorch.graph_optimizer", "false")
                .forEach(settings::putIfAbsent);
        if (!settings.containsKey(LIBRARY_PATH)) {
            unpack(session).ifPresent(folder -> settings.put(LIBRARY_PATH, folder.toString()));
        }
    }

    /** Returns the resources of PyTorch's libraries and of DJL's binding. DJL would unpack them to the user's home. */
    static List<String> libraries(Properties jar) {
        String flavor = jar.getProperty("flavor");
        String platform = jar.getProperty("classifier");
        String folder = "pytorch/" + flavor + "/" + platform + "/";
        return Stream.concat(
                        Stream.of(jar.getProperty("libraries").split(",", -1)).map(folder::concat),
                        Stream.of("jnilib/" + platform + "/" + flavor + "/" + System.mapLibraryName("djl_torch")))
                .toList();
    }

    /** Unpacks the native libraries listed in the jar of PyTorch; empty without this jar. */
    private static Optional<Path> unpack(Session session) {
        try (@Nullable InputStream in = Torch.class.getResourceAsStream("/native/lib/pytorch.properties")) {
            if (in == null) {
                return Optional.empty();
            }
            Properties jar = new Properties();
            jar.load(in);
            System.getProperties().putIfAbsent("PYTORCH_FLAVOR", jar.getProperty("flavor"));
            System.getProperties()
                    .putIfAbsent("PYTORCH_VERSION", jar.getProperty("version").replaceFirst("-.*", ""));
            return Optional.of(new NativeLibraries(session).unpack(Torch.class.getClassLoader(), libraries(jar)));
        } catch (IOException unreadable) {
            throw new PosbiasException(
                    "cannot read what libraries PyTorch has: " + unreadable.getMessage(), unreadable);
        }
    }

    /** Returns the version of PyTorch. */
    public static String version() {
        return Engine.getEngine("PyTorch").getVersion();
    }

    /**
     * Copies a tensor to an array in native memory, in pieces: a Java buffer is limited to 2 GiB and counts towards the
     * heap.
     */
    static NDArray array(Weight weight, NDManager manager) {
        NDArray array = manager.create(
                new Shape(weight.shape().stream().mapToLong(size -> size).toArray()));
        float[] values = weight.values();
        try (NDArray row = array.reshape(values.length)) {
            for (int from = 0; from < values.length; from += PIECE) {
                int to = Math.min(values.length, from + PIECE);
                try (NDArray part = manager.create(Arrays.copyOfRange(values, from, to))) {
                    row.set(new NDIndex(from + ":" + to), part);
                }
            }
        }
        return array;
    }

    /**
     * Looks up rows of an embedding table.
     *
     * @param ids row indices, (rows, columns)
     * @return (rows, columns, width)
     */
    static NDArray rows(NDArray table, NDArray ids) {
        return ids.getNDArrayInternal()
                .embedding(ids, table, SparseFormat.DENSE)
                .singletonOrThrow();
    }

    /** Switches gradients on or off for the current thread. */
    static void gradients(boolean on) {
        JniUtils.setGradMode(on);
    }

    /**
     * Creates a scalar operand for differentiated products, quotients and maxima. DJL frees the array of a Java number
     * after the forward pass, although the backward pass reads it: a garbage collection in between would give wrong
     * gradients. The created scalar lives as long as {@code beside}.
     */
    static NDArray number(double value, NDArray beside) {
        return beside.getManager().create((float) value);
    }

    /**
     * Adds the gradient of a scalar to all its leaves that {@linkplain NDArray#setRequiresGradient require gradients}.
     *
     * @param number zero-dimensional array
     */
    static void backward(NDArray number) {
        backward(number, number.getManager().ones(new Shape()));
    }

    /**
     * Propagates a gradient from an array to all its leaves that require gradients.
     *
     * @param gradient has the shape of the array
     */
    static void backward(NDArray array, NDArray gradient) {
        backward(array, gradient, false);
    }

    private static void backward(NDArray array, NDArray gradient, boolean keep) {
        try {
            JniUtils.backward((PtNDArray) array, (PtNDArray) gradient, keep, false);
        } catch (EngineException refused) {
            throw new PosbiasException("PyTorch cannot compute the model's gradients: " + reason(refused), refused);
        }
    }

    /** The error itself, which ends what the interpreter says, and begins what the reader of files says. */
    static String reason(RuntimeException refused) {
        List<String> lines = String.valueOf(refused.getMessage())
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        return lines.stream()
                .filter(line -> ERROR.matcher(line).lookingAt())
                .findFirst()
                .orElse(lines.isEmpty() ? "no reason given" : lines.getFirst());
    }

    /**
     * Returns the gradient of the inner product of an array and a direction with respect to a leaf. The graph is kept
     * for further directions.
     *
     * @param direction has the shape of the array
     * @return as many numbers as the leaf
     */
    static float[] gradient(NDArray array, NDArray direction, NDArray leaf) {
        backward(array, direction, true);
        try (NDArray gradient = leaf.getGradient()) {
            return gradient.toFloatArray();
        } finally {
            JniUtils.zeroGrad((PtNDArray) leaf);
        }
    }

    /** Returns a leaf with a separate gradient that shares the memory of an array. */
    static NDArray leaf(NDArray numbers, NDManager manager) {
        NDArray leaf = numbers.stopGradient();
        leaf.attach(manager);
        leaf.setRequiresGradient(true);
        return leaf;
    }

    /** Returns the gradient that {@link #backward} accumulated in a leaf, in its manager; null if there is none. */
    static @Nullable NDArray gradient(NDArray leaf) {
        return JniUtils.getGradient((PtNDArray) leaf);
    }

    /** Sets the gradient of a leaf to 0. */
    static void clear(NDArray leaf) {
        try (@Nullable NDArray gradient = gradient(leaf)) {
            if (gradient != null) {
                gradient.muli(0);
            }
        }
    }
}
