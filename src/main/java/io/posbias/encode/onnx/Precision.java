package io.posbias.encode.onnx;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The number format of a graph's weights. */
public enum Precision {
    /** 32-bit floats. */
    FLOAT32,
    /** 16-bit floats; for cards. */
    FLOAT16,
    /** 8-bit integers: drifts too far for bias measurements, and says so in results. */
    INT8;

    /** As recipes write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All of them. */
    public static List<String> names() {
        return Arrays.stream(values()).map(Precision::word).toList();
    }
}
