package io.posbias.encode.onnx;

/** A change of a graph in memory, before a session is made of it. */
@FunctionalInterface
public interface GraphEdit {
    /**
     * The graph as it is to be run; external data stays where it is.
     *
     * @param name what errors call it
     * @param file an ONNX file
     * @throws io.posbias.PosbiasException if it is no graph that can be changed so
     */
    byte[] apply(String name, byte[] file);
}
