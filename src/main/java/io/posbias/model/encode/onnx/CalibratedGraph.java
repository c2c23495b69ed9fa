package io.posbias.model.encode.onnx;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import io.posbias.model.encode.onnx.OnnxFile.Node;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Attention calibration of an ONNX graph: inserts nodes after the attention softmax of the last layers. Attention is
 * found by its form: a product of two computed matrices goes through pointwise operators into a softmax over the last
 * of four axes, which is multiplied by a computed matrix and transposed. Only the list of nodes changes, not the
 * weights.
 *
 * @param basket tokens per basket
 * @param strength weight of the calibrated row, 0 to 1
 * @param layers share of the layers, from the last one back: above 0, up to 1
 * @param last true if the source token is the last one instead of the first
 */
public record CalibratedGraph(int basket, float strength, double layers, boolean last) implements GraphEdit {
    /** First version with GatherElements and CumSum. */
    private static final int LEAST_OPSET = 11;

    /** First version with CastLike. */
    private static final int CASTS_LIKE = 15;

    /** First version whose softmax is over the last axis by default. */
    private static final int SOFTMAX_OVER_LAST = 13;

    private static final int AXES = 4;
    private static final Set<Integer> SIXTEEN_BITS = Set.of(10, 16);
    private static final String MASK = "attention_mask";

    /** Operators allowed between a product and its softmax: scales, masks, biases, caps. */
    private static final Set<String> POINTWISE =
            Set.of("Add", "Cast", "Clip", "Div", "Dropout", "Identity", "Max", "Min", "Mul", "Sub", "Tanh", "Where");

    /** Operators allowed between a softmax and the product with values; Where replaces rows that attend to nothing. */
    private static final Set<String> BEHIND = Set.of("Cast", "Dropout", "Identity", "Where");

    /** Keeps 0.1 of 30 layers at 3 under rounding. */
    private static final double ROUNDING = 1e-9;

    /**
     * Returns the first calibrated layer, from 0: the last {@code ceil(share x number)} layers are calibrated.
     *
     * @param share above 0, up to 1
     */
    public static int firstLayer(double share, int number) {
        return number - (int) Math.ceil(share * number - ROUNDING);
    }

    @Override
    public byte[] apply(String name, byte[] file) {
        OnnxFile onnx = OnnxFile.parse(name, file);
        List<Node> softmaxes = new Layers(name, onnx).softmaxes();
        CalibrationNodes nodes = new CalibrationNodes(basket, strength, last, onnx.opset() >= CASTS_LIKE);
        List<ByteBuffer> graph = new ArrayList<>();
        int at = onnx.nodes().getFirst().bytes().start();
        graph.add(slice(file, onnx.graph().from(), at));
        graph.add(ByteBuffer.wrap(nodes.shared(MASK)));
        for (int layer = firstLayer(layers, softmaxes.size()); layer < softmaxes.size(); layer++) {
            Node softmax = softmaxes.get(layer);
            String attention = CalibrationNodes.PREFIX + layer + ".attention";
            graph.add(slice(file, at, softmax.bytes().start()));
            graph.add(ByteBuffer.wrap(new MessageWriter()
                    .bytes(1, renamed(file, softmax, attention))
                    .fields(nodes.layer(layer, attention, softmax.output()))
                    .toBytes()));
            at = softmax.bytes().end();
        }
        graph.add(slice(file, at, onnx.graph().end()));
        return withGraph(file, onnx.graph(), graph);
    }

    private static ByteBuffer slice(byte[] file, int from, int to) {
        return ByteBuffer.wrap(file, from, to - from);
    }

    /** Renames a node's output, so that its readers get the inserted tensor. */
    private static byte[] renamed(byte[] file, Node node, String output) {
        MessageReader old =
                new MessageReader(file, node.bytes().from(), node.bytes().end());
        MessageWriter renamed = new MessageWriter();
        while (old.next()) {
            if (old.field == 2) {
                renamed.text(2, output);
            } else {
                renamed.copy(file, old.start, old.end());
            }
        }
        return renamed.toBytes();
    }

    private static byte[] withGraph(byte[] file, OnnxFile.Span old, List<ByteBuffer> graph) {
        int size = Math.toIntExact(graph.stream().mapToLong(Buffer::remaining).sum());
        byte[] header = new MessageWriter().header(7, size).toBytes();
        ByteBuffer out = ByteBuffer.allocate(
                Math.toIntExact((long) old.start() + header.length + size + file.length - old.end()));
        out.put(file, 0, old.start()).put(header);
        graph.forEach(out::put);
        return out.put(file, old.end(), file.length - old.end()).array();
    }

    private static final class Layers {
        private final String name;
        private final OnnxFile onnx;
        private final Map<String, Node> producers = new HashMap<>();
        private final Map<String, List<Node>> consumers = new HashMap<>();

        Layers(String name, OnnxFile onnx) {
            this.name = name;
            this.onnx = onnx;
            for (Node node : onnx.nodes()) {
                node.outputs().forEach(output -> producers.put(output, node));
                node.inputs()
                        .forEach(input -> consumers
                                .computeIfAbsent(input, none -> new ArrayList<>())
                                .add(node));
            }
        }

        private PosbiasException refused(String why) {
            return new PosbiasException(name + " " + why + ", so attention-calibration cannot change it");
        }

        /** Returns the attention softmax of each layer, in the order of the layers. */
        List<Node> softmaxes() {
            refuseFused();
            if (!onnx.inputs().contains(MASK)) {
                throw refused("has no input " + MASK + ", which says what is padding");
            }
            int opset = onnx.opset();
            boolean narrow = onnx.initializers().values().stream()
                    .anyMatch(tensor -> tensor.shape().size() > 1 && SIXTEEN_BITS.contains(tensor.type()));
            if (opset < LEAST_OPSET || (narrow && opset < CASTS_LIKE)) {
                throw refused("has operators of ONNX " + opset + "; export it with version "
                        + (narrow ? CASTS_LIKE + " or later, or in 32 bits" : LEAST_OPSET + " or later"));
            }
            List<Node> found = onnx.nodes().stream()
                    .filter(node -> node.operator().equals("Softmax") && scores(node))
                    .toList();
            if (found.isEmpty()) {
                throw refused("has no attention of the form MatMul, Softmax, MatMul, Transpose");
            }
            found.forEach(this::refuseOtherForm);
            return found;
        }

        /** Refuses operators that contain all of attention. */
        private void refuseFused() {
            Map<String, Integer> fused = new TreeMap<>();
            for (Node node : onnx.nodes()) {
                if (node.operator().endsWith("Attention") || node.operator().equals("BiasSoftmax")) {
                    fused.merge(node.operator(), 1, Integer::sum);
                }
            }
            if (!fused.isEmpty()) {
                throw refused("has attention in operators that cannot be opened: " + Printable.cut(fused.toString())
                        + " (a graph exported without fused attention is needed)");
            }
        }

        private void refuseOtherForm(Node softmax) {
            int axis = softmax.number("axis", onnx.opset() >= SOFTMAX_OVER_LAST ? -1 : 1);
            if ((axis != -1 && axis != AXES - 1) || !weighsValues(softmax)) {
                throw refused("has attention of another form than rows x heads x tokens x tokens at "
                        + Printable.quoted(softmax.name().isEmpty() ? softmax.output() : softmax.name()));
            }
        }

        /** Returns true if a softmax is over products of two computed matrices. */
        private boolean scores(Node softmax) {
            return reaches(
                    softmax,
                    node -> node.inputs().stream()
                            .filter(producers::containsKey)
                            .map(producers::get)
                            .toList(),
                    POINTWISE,
                    node -> node.operator().equals("MatMul")
                            && node.inputs().stream().allMatch(this::isComputed));
        }

        private boolean isComputed(String tensor) {
            @Nullable Node from = producers.get(tensor);
            return from != null && !from.operator().equals("Constant");
        }

        /**
         * Returns true if the softmax is multiplied by a computed matrix and the product's four axes are transposed.
         */
        private boolean weighsValues(Node softmax) {
            return reaches(
                    softmax,
                    this::readers,
                    BEHIND,
                    node -> node.operator().equals("MatMul")
                            && isComputed(node.inputs().getLast())
                            && reaches(
                                    node,
                                    this::readers,
                                    Set.of("Cast", "Identity"),
                                    next -> next.operator().equals("Transpose")
                                            && next.numbers()
                                                            .getOrDefault("perm", List.of())
                                                            .size()
                                                    == AXES));
        }

        private List<Node> readers(Node node) {
            return consumers.getOrDefault(node.output(), List.of());
        }

        private interface Steps {
            List<Node> of(Node node);
        }

        /** Returns true if a path from a node reaches a wanted one through the given operators alone. */
        private static boolean reaches(Node from, Steps steps, Set<String> through, Predicate<Node> wanted) {
            Set<Node> seen = new HashSet<>();
            List<Node> open = new ArrayList<>(steps.of(from));
            while (!open.isEmpty()) {
                Node node = open.removeLast();
                if (wanted.test(node)) {
                    return true;
                }
                if (through.contains(node.operator()) && seen.add(node)) {
                    open.addAll(steps.of(node));
                }
            }
            return false;
        }
    }
}
