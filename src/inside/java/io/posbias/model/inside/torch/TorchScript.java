package io.posbias.model.inside.torch;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.JniUtils;
import ai.djl.training.ParameterStore;
import io.posbias.base.process.PosbiasException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Forward pass of any architecture: a TorchScript graph {@code (inputs_embeds, attention_mask) -> last_hidden_state}
 * that {@code scripts/export_onnx.py --torchscript} wrote, with trainable weights.
 */
record TorchScript(Path file, PtSymbolBlock block, String tableName, NDArray table) implements Transformer {
    /** Extra file of the archive, with the name of the embedding table. */
    private static final String TABLE = "table";

    /**
     * Loads a graph.
     *
     * @throws PosbiasException if the file is not TorchScript, or lacks the table of token embeddings
     */
    static TorchScript load(Path file, NDManager manager) {
        String[] table = {""};
        try {
            PtSymbolBlock block =
                    JniUtils.loadModule((PtNDManager) manager, file, false, new String[] {TABLE}, table, true);
            NDArray rows = parameters(block).get(table[0]);
            if (rows == null || rows.getShape().dimension() != 2) {
                throw new PosbiasException(file + " does not name its table of token embeddings: write it with"
                        + " scripts/export_onnx.py --torchscript (docs/own-model.md#export)");
            }
            return new TorchScript(file, block, table[0], rows);
        } catch (EngineException refused) {
            throw new PosbiasException("cannot read " + file + " as TorchScript: " + Torch.reason(refused), refused);
        }
    }

    /** Returns the weights by name; the graph computes with these arrays. */
    Map<String, NDArray> parameters() {
        return parameters(block);
    }

    private static Map<String, NDArray> parameters(PtSymbolBlock block) {
        Map<String, NDArray> all = new TreeMap<>();
        block.getParameters().forEach(named -> all.put(named.getValue().getName(), named.getValue().getArray()));
        return all;
    }

    /** Returns the graph with another table of token embeddings. */
    TorchScript with(NDArray other) {
        return new TorchScript(file, block, tableName, other);
    }

    @Override
    public NDArray embed(NDArray ids) {
        return Torch.rows(table, ids);
    }

    @Override
    public NDArray hidden(NDArray embedded, Padding padding) {
        NDList inputs = new NDList(embedded, padding.mask().toType(DataType.INT64, false));
        NDArray states;
        try {
            // DJL differentiates in training mode only. A trace has no dropout in either mode.
            states = block.forward(new ParameterStore(padding.manager(), false), inputs, true)
                    .singletonOrThrow();
        } catch (EngineException | UnsupportedOperationException | IndexOutOfBoundsException refused) {
            throw new PosbiasException(
                    file + " cannot run a batch of shape " + embedded.getShape() + ": " + Torch.reason(refused), refused);
        }
        check(states, embedded.getShape());
        return states;
    }

    private void check(NDArray states, Shape batch) {
        Shape shape = states.getShape();
        boolean isBatch = shape.dimension() == 3 && shape.get(0) == batch.get(0) && shape.get(1) == batch.get(1);
        if (!isBatch || states.getDataType() != DataType.FLOAT32) {
            throw new PosbiasException(file + " gives " + states.getDataType() + " of shape " + shape
                    + " for a batch of shape " + batch
                    + "; it must give float32 of shape (batch, sequence, dimension): write it with"
                    + " scripts/export_onnx.py --torchscript (docs/training.md#white-box-encoders)");
        }
    }
}
