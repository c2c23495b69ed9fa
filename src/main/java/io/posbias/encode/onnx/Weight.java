package io.posbias.encode.onnx;

import java.util.List;

/**
 * Tensor of a model.
 *
 * @param values row by row
 * @param shape empty for a scalar
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Weight(float[] values, List<Integer> shape) {}
