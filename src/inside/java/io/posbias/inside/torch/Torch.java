package io.posbias.inside.torch;

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
import io.posbias.NativeLibraries;
import io.posbias.PosbiasException;
import io.posbias.Shutdown;
import io.posbias.encode.onnx.Weight;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * PyTorch through DJL, the engine of this room. Each thread of posbias runs PyTorch on itself alone: a sum is then the same
 * for any number of threads, and two threads are faster than PyTorch's own two on one batch.
 */
public final class Torch {
    private static final String LIBRARY_PATH = "PYTORCH_LIBRARY_PATH";
    /** Numbers. */
    private static final int PIECE = 1 << 20;

    private Torch() {}

    /**
     * A manager of arrays.
     *
     * @param device what arrays are on
     * @throws PosbiasException if its library cannot be loaded
     */
    static NDManager open(io.posbias.encode.Device device) {
        prepare();
        try {
            Engine engine = Engine.getEngine("PyTorch");
            return engine.newBaseManager(device.isCuda() ? Device.gpu(device.index()) : Device.cpu());
        } catch (EngineException | IllegalStateException | LinkageError refused) {
            throw new PosbiasException("cannot load PyTorch: " + refused.getMessage(), refused);
        }
    }

    /** DJL would otherwise ask the network for a library and report its use; {@code Tokenizer} says the same for its own. */
    private static synchronized void prepare() {
        Shutdown.haltsWhenInterrupted();
        Properties settings = System.getProperties();
        Map.of(
                        "ai.djl.offline", "true",
                        "OPT_OUT_TRACKING", "true",
                        "ai.djl.pytorch.num_threads", "1",
                        "ai.djl.pytorch.num_interop_threads", "1",
                        // Compiling graphs that are run twice costs more than it gives.
                        "ai.djl.pytorch.graph_optimizer", "false")
                .forEach(settings::putIfAbsent);
        if (!settings.containsKey(LIBRARY_PATH)) {
            unpack().ifPresent(folder -> settings.put(LIBRARY_PATH, folder.toString()));
        }
    }

    /** PyTorch's own and DJL's binding, which DJL would otherwise unpack to a folder below the user's home. */
    static List<String> libraries(Properties jar) {
        String flavor = jar.getProperty("flavor");
        String platform = jar.getProperty("classifier");
        String folder = "/pytorch/" + flavor + "/" + platform + "/";
        return Stream.concat(
                        Stream.of(jar.getProperty("libraries").split(",", -1)).map(folder::concat),
                        Stream.of("/jnilib/" + platform + "/" + flavor + "/" + System.mapLibraryName("djl_torch")))
                .toList();
    }

    /** Whole or not at all, as all native libraries; which ones says the jar that brings them. */
    private static Optional<Path> unpack() {
        try (@Nullable InputStream in = Torch.class.getResourceAsStream("/native/lib/pytorch.properties")) {
            if (in == null) {
                return Optional.empty();
            }
            Properties jar = new Properties();
            jar.load(in);
            System.getProperties().putIfAbsent("PYTORCH_FLAVOR", jar.getProperty("flavor"));
            System.getProperties()
                    .putIfAbsent("PYTORCH_VERSION", jar.getProperty("version").replaceFirst("-.*", ""));
            return Optional.of(NativeLibraries.unpack(libraries(jar)));
        } catch (IOException unreadable) {
            throw new PosbiasException(
                    "cannot read what libraries PyTorch has: " + unreadable.getMessage(), unreadable);
        }
    }

    /** The library's version. */
    public static String version() {
        return Engine.getEngine("PyTorch").getVersion();
    }

    /**
     * An array of a tensor's numbers, in PyTorch's own memory. They go there in pieces: a buffer of Java's has at most
     * 2 GiB, and counts towards its heap.
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
     * Rows of a table.
     *
     * @param ids (rows, columns), whole numbers
     * @return (rows, columns, width)
     */
    static NDArray rows(NDArray table, NDArray ids) {
        return ids.getNDArrayInternal()
                .embedding(ids, table, SparseFormat.DENSE)
                .singletonOrThrow();
    }

    /** Whether what this thread computes from now on can be differentiated. */
    static void gradients(boolean on) {
        JniUtils.setGradMode(on);
    }

    /**
     * A number for products, quotients and maxima that are differentiated. Of a Java number DJL makes an array whose memory it
     * gives back after the forward pass, although PyTorch reads it again in the backward pass: gradients would be wrong
     * whenever a collection of garbage falls in between. This array lives as long as those beside it.
     */
    static NDArray number(double value, NDArray beside) {
        return beside.getManager().create((float) value);
    }

    /**
     * Adds the gradient of a number to each array that it was computed from and that {@linkplain NDArray#setRequiresGradient
     * wants one}.
     *
     * @param number of no dimension
     */
    static void backward(NDArray number) {
        backward(number, number.getManager().ones(new Shape()));
    }

    /**
     * The same for an array of which the gradient of something else is known.
     *
     * @param gradient of the shape of the array
     */
    static void backward(NDArray array, NDArray gradient) {
        JniUtils.backward((PtNDArray) array, (PtNDArray) gradient, false, false);
    }

    /**
     * The gradient of an array's inner product with a direction, with respect to a leaf. It may be asked for again with
     * another direction: what was computed on the way is kept.
     *
     * @param direction of the shape of the array
     * @return as many numbers as the leaf has
     */
    static float[] gradient(NDArray array, NDArray direction, NDArray leaf) {
        JniUtils.backward((PtNDArray) array, (PtNDArray) direction, true, false);
        try (NDArray gradient = leaf.getGradient()) {
            return gradient.toFloatArray();
        } finally {
            JniUtils.zeroGrad((PtNDArray) leaf);
        }
    }

    /** The same numbers in the same memory, with a gradient of their own. */
    static NDArray leaf(NDArray numbers, NDManager manager) {
        NDArray leaf = numbers.stopGradient();
        leaf.attach(manager);
        leaf.setRequiresGradient(true);
        return leaf;
    }

    /** What {@link #backward} added to a leaf, in its manager; null where nothing was computed from it. */
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
