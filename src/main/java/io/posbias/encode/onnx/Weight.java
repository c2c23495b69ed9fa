package io.posbias.encode.onnx;

import java.util.List;

/**
 * A tensor of a model.
 *
 * @param values row by row
 * @param shape its sizes; empty for a single number
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Weight(float[] values, List<Integer> shape) {}
