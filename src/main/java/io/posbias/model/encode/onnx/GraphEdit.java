package io.posbias.model.encode.onnx;

/** Change of a graph in memory, before a session loads it. */
@FunctionalInterface
public interface GraphEdit {
    /**
     * Returns the changed graph; external data is not changed.
     *
     * @param name in errors
     * @param file an ONNX file
     * @throws io.posbias.base.process.PosbiasException if the graph cannot be changed
     */
    byte[] apply(String name, byte[] file);
}
