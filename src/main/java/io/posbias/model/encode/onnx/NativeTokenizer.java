package io.posbias.model.encode.onnx;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.huggingface.tokenizers.jni.CharSpan;
import io.posbias.base.process.Session;
import io.posbias.fetch.jars.NativeLibraries;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The library in this process, which it ends where it panics. */
final class NativeTokenizer implements TokenizerLibrary {
    private static final String LIBRARY_PATH = "RUST_LIBRARY_PATH";

    private final HuggingFaceTokenizer library;

    private NativeTokenizer(HuggingFaceTokenizer library) {
        this.library = library;
    }

    /**
     * Reads a tokenizer.json.
     *
     * @throws RuntimeException with the library's message
     */
    static NativeTokenizer read(byte[] json, Session session) throws IOException {
        prepare(session);
        return new NativeTokenizer(HuggingFaceTokenizer.newInstance(
                new ByteArrayInputStream(json), Map.of("truncation", "false", "padding", "false")));
    }

    /**
     * Sets the place of the native library and keeps DJL off the network: it would look for a CUDA build on machines
     * with a GPU, and report its use.
     *
     * @return the properties, by name
     */
    static synchronized Map<String, String> prepare(Session session) {
        Properties settings = System.getProperties();
        Map<String, String> quiet = Map.of("RUST_FLAVOR", "cpu", "ai.djl.offline", "true", "OPT_OUT_TRACKING", "true");
        quiet.forEach(settings::putIfAbsent);
        // The folder of another session's home may be gone.
        settings.compute(
                LIBRARY_PATH,
                (name, known) -> known != null && Files.exists(Path.of(known.toString())) ? known : unpack(session));
        return Stream.concat(quiet.keySet().stream(), Stream.of(LIBRARY_PATH))
                .collect(Collectors.toMap(name -> name, settings::getProperty));
    }

    private static String unpack(Session session) {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86_64";
        String platform = system.startsWith("mac") ? "osx" : system.startsWith("windows") ? "win" : "linux";
        String folder = "native/lib/" + platform + "-" + processor + "/cpu/";
        String library = System.mapLibraryName("tokenizers");
        // The file, not its folder, for which the binding would require the architecture of a GPU.
        return new NativeLibraries(session)
                .unpack(
                        NativeTokenizer.class.getClassLoader(),
                        Stream.of(library, "libwinpthread-1.dll", "libgcc_s_seh-1.dll", "libstdc++-6.dll")
                                .map(folder::concat)
                                .toList())
                .resolve(library)
                .toString();
    }

    @Override
    public Encoded encode(String text, @Nullable String second, boolean special) {
        Encoding encoding =
                second == null ? library.encode(text, special, false) : library.encode(text, second, special, false);
        CharSpan[] spans = encoding.getCharTokenSpans();
        int[] starts = new int[spans.length];
        int[] ends = new int[spans.length];
        for (int i = 0; i < spans.length; i++) {
            starts[i] = spans[i] == null ? -1 : spans[i].getStart();
            ends[i] = spans[i] == null ? -1 : spans[i].getEnd();
        }
        return new Encoded(
                ints(encoding.getIds()),
                ints(encoding.getTypeIds()),
                ints(encoding.getSpecialTokenMask()),
                starts,
                ends);
    }

    private static int[] ints(long[] values) {
        int[] ints = new int[values.length];
        for (int i = 0; i < ints.length; i++) {
            ints[i] = (int) values[i];
            if (ints[i] != values[i]) {
                throw new IllegalArgumentException("it returns the id " + values[i] + ": token ids must be below 2^31");
            }
        }
        return ints;
    }

    @Override
    public void close() {
        library.close();
    }
}
