package io.posbias.encode.onnx;

/** The number format of a graph's weights. */
public enum Precision {
    /** 32-bit floats. */
    FLOAT32,
    /** 16-bit floats; for cards. */
    FLOAT16,
    /** 8-bit integers. */
    INT8;

    /**
     * Whether a text runs alone, not in a batch. ONNX's dynamic quantisation (DynamicQuantizeLinear) rounds the activations of a
     * whole batch with one scale, so that what comes out for a text would depend on the others of its batch.
     */
    public boolean runsAlone() {
        return this == INT8;
    }
}
