package io.posbias.model.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import io.posbias.base.process.PosbiasException;
import java.util.List;
import java.util.Map;

/** Weights of a model by name. A missing weight or an unexpected shape is an error. */
record Weights(Map<String, NDArray> all) {
    private static final int ANY = -1;

    boolean has(String name) {
        return all.containsKey(name);
    }

    NDArray matrix(String name) {
        return matrix(name, ANY, ANY);
    }

    /** Returns a matrix; -1 stands for any size. */
    NDArray matrix(String name, long rows, long columns) {
        return of(name, new Shape(rows, columns));
    }

    NDArray vector(String name, long size) {
        return of(name, new Shape(size));
    }

    NDArray of(String name, Shape wanted) {
        NDArray weight = all.get(name);
        if (weight == null) {
            throw new PosbiasException("the model's file holds no weight " + name);
        }
        Shape shape = weight.getShape();
        boolean fits = shape.dimension() == wanted.dimension();
        for (int i = 0; fits && i < shape.dimension(); i++) {
            fits = wanted.get(i) == ANY || wanted.get(i) == shape.get(i);
        }
        if (!fits) {
            throw new PosbiasException("the model's weight " + name + " has the shape " + shape + ", not " + wanted
                    + " (-1: any); is the recipe's transformer right?");
        }
        return weight;
    }

    void refuseNone(List<?> layers) {
        if (layers.isEmpty()) {
            throw new PosbiasException("the model's file holds no layer; is transformer.family right?");
        }
    }
}
