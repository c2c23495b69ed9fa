package io.posbias.encode.onnx;

import java.nio.file.Path;

/**
 * Where native code is unpacked, and that nothing of DJL touches the network: its tokenizers would otherwise look for a
 * CUDA build of themselves on machines with a card, and DJL would report that it was loaded.
 */
final class NativeLibraries {
    private NativeLibraries() {}

    /** To be called before the first tokenizer is made. */
    static synchronized void prepare(Path home) {
        setUnlessSet("RUST_FLAVOR", "cpu");
        setUnlessSet("ai.djl.offline", "true");
        setUnlessSet("OPT_OUT_TRACKING", "true");
        setUnlessSet("DJL_CACHE_DIR", home.resolve("native").toAbsolutePath().toString());
    }

    private static void setUnlessSet(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }
}
