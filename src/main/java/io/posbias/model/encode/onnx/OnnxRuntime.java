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
import io.posbias.fetch.jars.LibraryJars;
import io.posbias.fetch.jars.NativeLibraries;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.TextEncoder;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sessions of ONNX Runtime on one device.
 *
 * <p>On the CPU a session uses one thread and calls run in parallel. So a call's result depends on its input alone,
 * not on {@code --threads}, and threads never wait inside small matrix products.
 */
public final class OnnxRuntime {
    private static final Pattern MISSING = Pattern.compile("(lib[\\w.+-]+\\.so[\\w.]*): cannot open|([\\w.+-]+\\.dll)");

    /**
     * Fusions that are slower on the CPU: the fused layer normalisation and GELU are scalar, the operators they
     * replace are vectorised. 14 % more MiniLM passages per second; see docs/performance.md.
     */
    private static final String SLOW_FUSIONS = "LayerNormFusionL1;LayerNormFusionL2;BiasGeluFusion";

    /** Failures are thrown, and reported once by the caller. */
    private static final OrtLoggingLevel LOGGING = OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL;

    private static final String NAME = "posbias";
    private static final String FOLDER = "onnxruntime.native.path";

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
     * @param wanted {@code auto} becomes CUDA where it works
     * @param session receives a message if {@code auto} falls back to the CPU; its home has the library
     * @throws PosbiasException if CUDA was requested and does not work, naming the missing library
     */
    public static OnnxRuntime on(Device wanted, Session session) {
        return switch (wanted.kind()) {
            case CPU -> onCpu(session);
            case CUDA -> tried(wanted, session);
            case AUTO -> automatic(session);
        };
    }

    public static OnnxRuntime onCpu(Session session) {
        unpack(session);
        return new OnnxRuntime(Device.CPU);
    }

    private static OnnxRuntime automatic(Session session) {
        try {
            return tried(new Device(Device.DeviceKind.CUDA, 0), session);
        } catch (PosbiasException without) {
            session.say("running on the CPU: " + without.getMessage());
            return onCpu(session);
        }
    }

    private static OnnxRuntime tried(Device cuda, Session session) {
        unpack(session, "onnxruntime_providers_cuda");
        if (!OrtEnvironment.getAvailableProviders().contains(OrtProvider.CUDA)) {
            throw new PosbiasException("no CUDA in this build of ONNX Runtime: libonnxruntime_providers_cuda.so is"
                    + " missing; build posbias with 'mvn -Pcuda package'");
        }
        OnnxRuntime runtime = new OnnxRuntime(cuda);
        try {
            // Without an environment the provider does not report the missing library.
            environment();
            runtime.options().close();
            return runtime;
        } catch (OrtException refused) {
            Matcher missing = MISSING.matcher(String.valueOf(refused.getMessage()));
            String why = missing.find() ? missing.group().split(":", 2)[0] + " is missing" : line(refused);
            throw new PosbiasException(
                    "CUDA does not work: " + why
                            + " (it needs NVIDIA's driver, CUDA 12 and cuDNN 9 on the library path)",
                    refused);
        }
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
        List<String> parts =
                new ArrayList<>(List.of("onnxruntime", "onnxruntime4j_jni", "onnxruntime_providers_shared"));
        parts.addAll(List.of(more));
        List<String> files = parts.stream().map(System::mapLibraryName).toList();
        String known = System.getProperty(UNPACKED, "");
        if (!List.of(known.split(",", -1)).containsAll(files)) {
            String folder = "ai/onnxruntime/native/" + platform() + "/";
            Path unpacked = new NativeLibraries(session)
                    .unpack(
                            LibraryJars.ONNXRUNTIME.jar(session),
                            files.stream().map(folder::concat).toList());
            System.setProperty(FOLDER, unpacked.toString());
            deleteOwnFolder();
            System.setProperty(UNPACKED, known + "," + String.join(",", files));
        }
    }

    /** Returns the platform's name in the library's jar. */
    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x64";
        return (system.contains("mac") ? "osx" : system.contains("win") ? "win" : "linux") + "-" + processor;
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
