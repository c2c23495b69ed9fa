package io.posbias.model.encode.onnx;

/** The number format of a graph's weights. */
public enum Precision {
    FLOAT32,
    /** For GPUs. */
    FLOAT16,
    INT8;

    /**
     * Returns true if a batch has one text. ONNX's dynamic quantisation (DynamicQuantizeLinear) rounds the activations
     * of a whole batch with one scale, so a text's output would depend on the other texts.
     */
    public boolean runsAlone() {
        return this == INT8;
    }
}
