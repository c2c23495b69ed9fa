package io.posbias.encode.onnx;

/** The number format of a graph's weights. */
public enum Precision {
    /** 32-bit floats. */
    FLOAT32,
    /** 16-bit floats; for cards. */
    FLOAT16,
    /** 8-bit integers: drifts too far for bias measurements, and says so in results. */
    INT8
}
