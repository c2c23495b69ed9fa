package io.posbias.encode.onnx;

import io.posbias.PosbiasException;
import io.posbias.Printable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Attention calibration of an ONNX graph: nodes behind the softmax of attention in its last layers. Attention is found by its
 * form: a product of two computed matrices goes, through operators on single numbers, into a softmax over the last of four
 * axes, which is multiplied with a computed matrix and transposed. Only the list of nodes changes; weights are neither read nor
 * moved.
 *
 * @param basket tokens of a basket
 * @param strength 0 to 1: the calibrated row's part in what a layer gets
 * @param layers above 0, up to 1: the part of all layers, from the last one back
 * @param last whether the source is the last token instead of the first
 */
public record CalibratedGraph(int basket, float strength, double layers, boolean last) implements GraphEdit {
    /** Before it there are no GatherElements and CumSum. */
    private static final int LEAST_OPSET = 11;

    /** Since then an operator casts to the type of another tensor. */
    private static final int CASTS_LIKE = 15;

    /** Since then a softmax is over the last axis unless it says otherwise. */
    private static final int SOFTMAX_OVER_LAST = 13;

    private static final int AXES = 4;
    private static final Set<Integer> SIXTEEN_BITS = Set.of(10, 16);
    private static final String MASK = "attention_mask";

    /** What may be between a product and its softmax: scales, masks, biases, caps. */
    private static final Set<String> POINTWISE =
            Set.of("Add", "Cast", "Clip", "Div", "Dropout", "Identity", "Max", "Min", "Mul", "Sub", "Tanh", "Where");

    /** What may be between a softmax and the product with values; Where replaces rows that attend to nothing. */
    private static final Set<String> BEHIND = Set.of("Cast", "Dropout", "Identity", "Where");

    /** So that 0.1 of 30 layers are 3, whatever the product rounds to. */
    private static final double ROUNDING = 1e-9;

    /**
     * The first calibrated layer, from 0: the last {@code ceil(share x number)} layers are.
     *
     * @param share above 0, up to 1
     * @param number of layers
     */
    public static int firstLayer(double share, int number) {
        return number - (int) Math.ceil(share * number - ROUNDING);
    }

    @Override
    public byte[] apply(String name, byte[] file) {
        Content content = new Content(name, file);
        List<GraphNode> softmaxes = content.attention();
        int first = firstLayer(layers, softmaxes.size());
        CalibrationNodes nodes = new CalibrationNodes(basket, strength, last, content.opset >= CASTS_LIKE);
        TreeMap<Integer, Change> changes = new TreeMap<>();
        int begin = content.nodes.getFirst().start();
        changes.put(begin, new Change(begin, nodes.shared(MASK)));
        for (int layer = first; layer < softmaxes.size(); layer++) {
            GraphNode softmax = softmaxes.get(layer);
            String attention = CalibrationNodes.PREFIX + layer + ".attention";
            MessageWriter change = new MessageWriter()
                    .bytes(1, renamed(file, softmax, attention))
                    .fields(nodes.layer(layer, attention, softmax.output()));
            changes.merge(
                    softmax.start(),
                    new Change(softmax.end(), change.toBytes()),
                    (shared, own) -> new Change(
                            own.end,
                            new MessageWriter()
                                    .fields(shared.bytes)
                                    .fields(own.bytes)
                                    .toBytes()));
        }
        return content.with(changes);
    }

    /** A node whose output has another name, so that those who read it read what is put in between. */
    private static byte[] renamed(byte[] file, GraphNode node, String output) {
        MessageReader field = new MessageReader(file, node.start(), node.end());
        field.next();
        MessageReader old = new MessageReader(file, field.from, field.to);
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

    /**
     * Bytes in the place of others.
     *
     * @param end the byte after the last that is replaced
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Change(int end, byte[] bytes) {}

    /** What matters of a file. */
    private static final class Content {
        private final String name;
        private final byte[] file;
        private final List<GraphNode> nodes = new ArrayList<>();
        private final Map<String, GraphNode> producers = new HashMap<>();
        private final Map<String, List<GraphNode>> consumers = new HashMap<>();
        private boolean masked;
        private boolean narrow;
        private int opset;
        private int graphStart;
        private int graphFrom;
        private int graphTo;

        Content(String name, byte[] file) {
            this.name = name;
            this.file = file;
            try {
                MessageReader model = new MessageReader(file, 0, file.length);
                while (model.next()) {
                    if (model.field == 7) {
                        graph(model);
                    } else if (model.field == 8) {
                        opset(new MessageReader(file, model.from, model.to));
                    }
                }
            } catch (IndexOutOfBoundsException torn) {
                throw new PosbiasException(name + " is no whole ONNX file", torn);
            }
            for (GraphNode node : nodes) {
                node.outputs().forEach(output -> producers.put(output, node));
                node.inputs()
                        .forEach(input -> consumers
                                .computeIfAbsent(input, none -> new ArrayList<>())
                                .add(node));
            }
        }

        private void graph(MessageReader model) {
            graphStart = model.start;
            graphFrom = model.from;
            graphTo = model.to;
            MessageReader graph = new MessageReader(file, model.from, model.to);
            while (graph.next()) {
                switch (graph.field) {
                    case 1 -> nodes.add(GraphNode.of(graph));
                    case 5 -> narrow |= isNarrowMatrix(new MessageReader(file, graph.from, graph.to));
                    case 11 -> masked |= isMask(new MessageReader(file, graph.from, graph.to));
                    default -> {}
                }
            }
        }

        private static boolean isNarrowMatrix(MessageReader tensor) {
            List<Integer> shape = new ArrayList<>();
            int type = 0;
            while (tensor.next()) {
                if (tensor.field == 1) {
                    tensor.numbers(shape);
                } else if (tensor.field == 2) {
                    type = (int) tensor.value;
                }
            }
            return shape.size() > 1 && SIXTEEN_BITS.contains(type);
        }

        private static boolean isMask(MessageReader input) {
            boolean is = false;
            while (input.next()) {
                is |= input.field == 1 && input.text().equals(MASK);
            }
            return is;
        }

        /** The version of ONNX's own operators. */
        private void opset(MessageReader imported) {
            String domain = "";
            int version = 0;
            while (imported.next()) {
                if (imported.field == 1) {
                    domain = imported.text();
                } else if (imported.field == 2) {
                    version = (int) imported.value;
                }
            }
            opset = domain.isEmpty() || domain.equals("ai.onnx") ? version : opset;
        }

        private PosbiasException refused(String why) {
            return new PosbiasException(name + " " + why + ", so attention-calibration cannot change it");
        }

        /** The softmax of each layer's attention, the first layer's first. */
        List<GraphNode> attention() {
            refuseFused();
            if (!masked) {
                throw refused("has no input " + MASK + ", which says what is padding");
            }
            if (opset < LEAST_OPSET || (narrow && opset < CASTS_LIKE)) {
                throw refused("has operators of ONNX " + opset + "; export it with version "
                        + (narrow ? CASTS_LIKE + " or later, or in 32 bits" : LEAST_OPSET + " or later"));
            }
            List<GraphNode> found = nodes.stream()
                    .filter(node -> node.operator().equals("Softmax") && scores(node))
                    .toList();
            if (found.isEmpty()) {
                throw refused("has no attention of the form MatMul, Softmax, MatMul, Transpose");
            }
            found.forEach(this::refuseOtherForm);
            return found;
        }

        /** Operators of ONNX and of ONNX Runtime that are attention as a whole. */
        private void refuseFused() {
            Map<String, Integer> fused = new TreeMap<>();
            for (GraphNode node : nodes) {
                if (node.operator().endsWith("Attention") || node.operator().equals("BiasSoftmax")) {
                    fused.merge(node.operator(), 1, Integer::sum);
                }
            }
            if (!fused.isEmpty()) {
                throw refused("has attention in operators that cannot be opened: " + Printable.cut(fused.toString())
                        + " (a graph exported without fused attention is needed)");
            }
        }

        private void refuseOtherForm(GraphNode softmax) {
            int axis = softmax.number("axis", opset >= SOFTMAX_OVER_LAST ? -1 : 1);
            if ((axis != -1 && axis != AXES - 1) || !weighsValues(softmax)) {
                throw refused("has attention of another form than rows x heads x tokens x tokens at "
                        + Printable.quoted(softmax.name().isEmpty() ? softmax.output() : softmax.name()));
            }
        }

        /** Whether a softmax is over products of two computed matrices. */
        private boolean scores(GraphNode softmax) {
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
            @Nullable GraphNode from = producers.get(tensor);
            return from != null && !from.operator().equals("Constant");
        }

        /** Whether it is then multiplied with a computed matrix, whose product's four axes are put into another order. */
        private boolean weighsValues(GraphNode softmax) {
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

        private List<GraphNode> readers(GraphNode node) {
            return consumers.getOrDefault(node.output(), List.of());
        }

        private interface Steps {
            List<GraphNode> of(GraphNode node);
        }

        /** Whether steps from a node lead to a wanted one, through some operators alone. */
        private static boolean reaches(GraphNode from, Steps steps, Set<String> through, Predicate<GraphNode> wanted) {
            Set<GraphNode> seen = new HashSet<>();
            List<GraphNode> open = new ArrayList<>(steps.of(from));
            while (!open.isEmpty()) {
                GraphNode node = open.removeLast();
                if (wanted.test(node)) {
                    return true;
                }
                if (through.contains(node.operator()) && seen.add(node)) {
                    open.addAll(steps.of(node));
                }
            }
            return false;
        }

        /** The file with changes of the graph, by where they begin. */
        byte[] with(SortedMap<Integer, Change> changes) {
            long size = (long) graphTo - graphFrom;
            for (Map.Entry<Integer, Change> change : changes.entrySet()) {
                size += change.getValue().bytes.length - (change.getValue().end - change.getKey());
            }
            byte[] header = new MessageWriter().header(7, Math.toIntExact(size)).toBytes();
            ByteBuffer out =
                    ByteBuffer.allocate(Math.toIntExact(graphStart + header.length + size + file.length - graphTo));
            out.put(file, 0, graphStart).put(header);
            int at = graphFrom;
            for (Map.Entry<Integer, Change> change : changes.entrySet()) {
                out.put(file, at, change.getKey() - at).put(change.getValue().bytes);
                at = change.getValue().end;
            }
            return out.put(file, at, file.length - at).array();
        }
    }
}
