package io.posbias.model.encode.onnx;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Tensor of a model.
 *
 * @param values row by row
 * @param shape empty for a scalar
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Weight(float[] values, List<Integer> shape) {
    private static final int PIECE = 1 << 18;

    /** Writes the numbers as 32-bit floats, the lowest byte first. */
    public void write(OutputStream out) throws IOException {
        for (int from = 0; from < values.length; from += PIECE) {
            int count = Math.min(PIECE, values.length - from);
            ByteBuffer bytes = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            bytes.asFloatBuffer().put(values, from, count);
            out.write(bytes.array());
        }
    }
}
