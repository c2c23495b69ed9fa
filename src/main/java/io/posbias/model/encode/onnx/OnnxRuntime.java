package io.posbias.model.encode.onnx;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtProvider;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.providers.OrtCUDAProviderOptions;
import io.posbias.base.files.Checksums;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.fetch.jars.CudaLibraries;
import io.posbias.fetch.jars.LibraryJars;
import io.posbias.fetch.jars.NativeLibraries;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.TextEncoder;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * Sessions of ONNX Runtime on one device.
 *
 * <p>On the CPU a session uses one thread and calls run in parallel. So a call's result depends on its input alone,
 * not on {@code --threads}, and threads never wait inside small matrix products.
 */
public final class OnnxRuntime {
    /**
     * Fusions that are slower on the CPU: the fused layer normalisation and GELU are scalar, the operators they
     * replace are vectorised. 14 % more MiniLM passages per second; see docs/performance.md.
     */
    private static final String SLOW_FUSIONS = "LayerNormFusionL1;LayerNormFusionL2;BiasGeluFusion";

    /** Failures are thrown, and reported once by the caller. */
    private static final OrtLoggingLevel LOGGING = OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL;

    private static final String NAME = "posbias";
    private static final int CUDA_BATCHES = 2;

    /** Of a session that has tried. */
    private static final String NO_CUDA = "CUDA does not work";

    private static final String FOLDER = "onnxruntime.native.path";
    private static final String BINDING = "onnxruntime4j_jni";
    private static final String CUDA = "onnxruntime_providers_cuda";

    /** System property with the files that this process has unpacked, or that the library's jar lacks; each is loaded once. */
    private static final String UNPACKED = "posbias.onnxruntime.unpacked";

    private final Device device;

    private OnnxRuntime(Device device) {
        this.device = device;
    }

    @FunctionalInterface
    private interface Loader {
        OrtSession load(OrtSession.SessionOptions options) throws OrtException;
    }

    /**
     * Returns the runtime on a device.
     *
     * @param wanted {@code auto} becomes CUDA where it works without a download
     * @param session receives a message if {@code auto} falls back to the CPU; its home has the library
     * @throws PosbiasException if CUDA was requested and does not work, naming the missing library
     */
    public static OnnxRuntime on(Device wanted, Session session) {
        return switch (wanted.kind()) {
            case CPU -> onCpu(session);
            case CUDA -> tried(wanted, session, true);
            case AUTO -> automatic(wanted, session);
        };
    }

    /**
     * Returns the runtime for what the CPU can do as well, such as search: a worker's model may be on a GPU for which posbias has
     * no library.
     */
    public static OnnxRuntime besides(Device wanted, Session session) {
        return wanted.isCuda() ? automatic(wanted, session.quiet()) : on(wanted, session);
    }

    public static OnnxRuntime onCpu(Session session) {
        unpack(session);
        return new OnnxRuntime(Device.CPU);
    }

    private static OnnxRuntime automatic(Device wanted, Session session) {
        if (!session.made().containsKey(NO_CUDA)) {
            try {
                if (!CudaLibraries.isDriverSeen()) {
                    throw new PosbiasException("this machine has no driver of NVIDIA");
                }
                return tried(new Device(Device.DeviceKind.CUDA, wanted.index()), session, false);
            } catch (PosbiasException without) {
                session.say("running on the CPU: " + without.getMessage());
                session.made().put(NO_CUDA, without);
            }
        }
        return onCpu(session);
    }

    private static OnnxRuntime tried(Device cuda, Session session, boolean fetches) {
        startForCuda(session, fetches);
        if (!OrtEnvironment.getAvailableProviders().contains(OrtProvider.CUDA)) {
            throw new PosbiasException("CUDA does not work: ONNX Runtime was started for the CPU in this process");
        }
        OnnxRuntime runtime = new OnnxRuntime(cuda);
        try {
            // Without an environment the provider does not report the missing library.
            environment();
            runtime.options().close();
            return runtime;
        } catch (OrtException refused) {
            String advice = libraries().advice(String.valueOf(refused.getMessage()), session);
            throw new PosbiasException("CUDA does not work: " + (advice.isEmpty() ? line(refused) : advice), refused);
        }
    }

    private static CudaLibraries libraries() {
        return new CudaLibraries(Path.of(System.getProperty(FOLDER)), List.of());
    }

    /** Returns the library that runs graphs on GPUs, once there is a runtime on one. */
    public static Path cudaLibrary() {
        return libraries().provider();
    }

    /** Returns this runtime on the CPU. */
    public OnnxRuntime onCpu() {
        return new OnnxRuntime(Device.CPU);
    }

    /** Returns the resolved device. */
    public Device device() {
        return device;
    }

    /**
     * Returns the identifier of {@link TextEncoder#space()}. Users' caches depend on it.
     *
     * @param fingerprint of the settings
     */
    public String space(String fingerprint, OnnxModel... models) {
        StringBuilder all = new StringBuilder(fingerprint);
        for (OnnxModel model : models) {
            all.append(model.sha256());
        }
        all.append(device.isCuda() ? "cuda" : "cpu");
        return Checksums.sha256(all.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a permit for each batch of a graph that may be on the device at once: a GPU gets one while it computes another. */
    Semaphore turns() {
        return new Semaphore(device.isCuda() ? CUDA_BATCHES : Integer.MAX_VALUE);
    }

    /** Loads a file; external data is in its folder. */
    OrtSession load(Path graph) {
        return load(graph.toString(), options -> environment().createSession(graph.toString(), options));
    }

    /**
     * Loads a graph in memory without external data.
     *
     * @param name in errors
     */
    public OrtSession load(String name, byte[] graph) {
        return load(name, options -> environment().createSession(graph, options));
    }

    private OrtSession load(String name, Loader loader) {
        try (OrtSession.SessionOptions options = options()) {
            return loader.load(options);
        } catch (OrtException refused) {
            throw new PosbiasException("cannot load the graph " + name + ": " + line(refused), refused);
        }
    }

    private OrtSession.SessionOptions options() throws OrtException {
        OrtSession.SessionOptions options = new OrtSession.SessionOptions();
        options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.ALL_OPT);
        options.setSessionLogLevel(LOGGING);
        options.setIntraOpNumThreads(1);
        options.setInterOpNumThreads(1);
        if (device.isCuda()) {
            try (OrtCUDAProviderOptions cuda = new OrtCUDAProviderOptions(device.index())) {
                // TF32 keeps 10 bits of 23; its rounding alone moves rankings.
                cuda.add("use_tf32", "0");
                options.addCUDA(cuda);
            }
        } else {
            options.addConfigEntry("optimization.disable_specified_optimizers", SLOW_FUSIONS);
        }
        return options;
    }

    /**
     * @param name in errors
     */
    public static void close(String name, OrtSession session) {
        try {
            session.close();
        } catch (OrtException broken) {
            throw new PosbiasException(name + ": " + line(broken), broken);
        }
    }

    /** The library's environment, once there is a runtime. */
    public static OrtEnvironment environment() {
        return OrtEnvironment.getEnvironment(LOGGING, NAME);
    }

    /**
     * Unpacks the native library into posbias's folder; by itself it would unpack into a temporary folder in each
     * process. Where it is unpacked, the library's own system property says.
     *
     * @param more optional parts of the library
     */
    private static synchronized void unpack(Session session, String... more) {
        List<String> files = files(List.of(more));
        String known = System.getProperty(UNPACKED, "");
        if (!List.of(known.split(",", -1)).containsAll(files)) {
            Path unpacked = new NativeLibraries(session)
                    .unpack(
                            LibraryJars.ONNXRUNTIME.jar(session),
                            files.stream().map(folder()::concat).toList());
            System.setProperty(FOLDER, unpacked.toString());
            deleteOwnFolder();
            System.setProperty(UNPACKED, known + "," + String.join(",", files));
        }
    }

    /** Starts the library with CUDA if none was started: a process has one. */
    private static synchronized void startForCuda(Session session, boolean fetches) {
        boolean isOwn = OnnxRuntime.class.getResource("/" + folder() + System.mapLibraryName(CUDA)) != null;
        if (isOwn && session.variable(CudaLibraries.VARIABLE).isEmpty()) {
            unpack(session, CUDA);
        } else if (System.getProperty(UNPACKED) == null) {
            CudaLibraries found = CudaLibraries.find(session, fetches)
                    .orElseThrow(() -> new PosbiasException("no library of ONNX Runtime for CUDA is installed: "
                            + "--device cuda fetches one, or " + CudaLibraries.pip(session)));
            String binding = System.mapLibraryName(BINDING);
            Path own = new NativeLibraries(session)
                    .unpack(LibraryJars.ONNXRUNTIME.jar(session), List.of(folder() + binding))
                    .resolve(binding);
            found.load(own);
            for (String loaded : List.of("onnxruntime", BINDING)) {
                System.setProperty("onnxruntime.native." + loaded + ".skip", "true");
            }
            System.setProperty(FOLDER, found.folder().toString());
            deleteOwnFolder();
            System.setProperty(UNPACKED, "," + String.join(",", files(List.of())));
        }
    }

    private static List<String> files(List<String> more) {
        return Stream.concat(Stream.of("onnxruntime", BINDING, "onnxruntime_providers_shared"), more.stream())
                .map(System::mapLibraryName)
                .toList();
    }

    /** Returns the folder of this platform's libraries in the library's jar. */
    private static String folder() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x64";
        String name = system.contains("mac") ? "osx" : system.contains("win") ? "win" : "linux";
        return "ai/onnxruntime/native/" + name + "-" + processor + "/";
    }

    /**
     * Starts the library and deletes its temporary folder, which it creates even if it unpacks nothing: a killed process
     * would leave it behind.
     */
    private static void deleteOwnFolder() {
        OrtEnvironment.getEnvironment(LOGGING, NAME);
        try {
            Field own = Class.forName("ai.onnxruntime.OnnxRuntime").getDeclaredField("tempDirectory");
            own.setAccessible(true);
            if (own.get(null) instanceof Path folder) {
                Files.deleteIfExists(folder);
            }
        } catch (ReflectiveOperationException | IOException stays) {
            // The library deletes it when the process ends.
        }
    }

    /** Returns an error's message on one line, with its likely cause and what to do. */
    public static String line(OrtException failure) {
        return OnnxFailure.line(failure);
    }
}
