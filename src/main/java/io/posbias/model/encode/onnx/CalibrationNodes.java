package io.posbias.model.encode.onnx;

import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import java.util.List;

/**
 * Operators of attention calibration, all unchanged since ONNX 11. The source token's row of attention is taken out,
 * calibrated and put back; all other rows stay equal to the bit. Tensor names begin with {@link #PREFIX}. Formulas:
 * {@code io.posbias.model.encode.model.AttentionCalibration}.
 */
final class CalibrationNodes {
    static final String PREFIX = "posbias.calibration/";

    private static final int FLOAT = 1;
    private static final int INT64 = 7;
    private static final int DOUBLE = 11;

    /** Axis of the source token in a row: batch, head, source token, token. */
    private static final int SOURCES = 2;

    private final int basket;
    private final float strength;
    private final boolean last;
    private final boolean casts;

    /**
     * @param last true if the source token is the last one instead of the first
     * @param casts true if attention may have 16 bits: it is calibrated in 32 and cast back, by an operator of ONNX 15
     */
    CalibrationNodes(int basket, float strength, boolean last, boolean casts) {
        this.basket = basket;
        this.strength = strength;
        this.last = last;
        this.casts = casts;
    }

    /** Adds nodes whose tensor names have a prefix; a slash marks names of {@link #shared}. */
    private record Builder(OnnxGraph graph, String prefix) {
        private String name(String tensor) {
            return tensor.startsWith("/") ? PREFIX + tensor.substring(1) : prefix + tensor;
        }

        void add(String output, String operator, String inputs, Attribute... attributes) {
            List<String> names =
                    List.of(inputs.split(" ", -1)).stream().map(this::name).toList();
            graph.node(operator, names, List.of(name(output)), attributes);
        }

        void numbers(String name, long... values) {
            graph.constant(name(name), values, values.length);
        }

        void number(String name, float value) {
            graph.constant(name(name), new float[] {value}, 1);
        }
    }

    /**
     * Returns the nodes shared by all layers: the basket of each token, the source token, and the texts with several
     * baskets.
     *
     * @param mask input of shape (rows, columns)
     */
    byte[] shared(String mask) {
        OnnxGraph graph = OnnxGraph.part();
        Builder add = new Builder(graph, PREFIX);
        add.graph.node("Cast", List.of(mask), List.of(PREFIX + "mask"), new Attribute("to", INT64));
        constants(add);
        // Token positions from 1 for padding on either side; padding has 0.
        add.add("counts", "CumSum", "mask one");
        add.add("places", "Mul", "counts mask");
        add.add("length", "Gather", "counts minus-one", new Attribute("axis", 1));
        source(add);
        baskets(add);
        add.add("content", "Sub", "length apart");
        add.add("several", "Less", "basket content");
        add.add("applies", "Reshape", "several as-texts");
        return graph.fields();
    }

    private void constants(Builder add) {
        add.graph.constant(add.name("one"), new long[] {1});
        add.graph.constant(add.name("zero"), new long[] {0});
        add.graph.constant(add.name("none"), new float[] {0});
        add.graph.constant(add.name("unit"), new float[] {1});
        add.graph.constant(add.name("step"), new long[] {basket});
        add.graph.constant(add.name("spare"), new long[] {3});
        add.graph.constant(add.name("column-axis"), new long[] {1});
        add.numbers("minus-one", -1);
        add.numbers("two", 2);
        add.numbers("basket", basket);
        // Tokens that are a basket by themselves.
        add.numbers("apart", last ? 2 : 1);
        add.numbers("row-axes", 0, 1);
        add.numbers("one-row", 1);
        add.numbers("token-axis", 3);
        add.numbers("as-texts", -1, 1, 1, 1);
        add.numbers("as-tokens", 0, 1, -1, 1);
        add.numbers("as-row", 0, 1, 1, -1);
        add.numbers("as-places", 1, 1, 1, -1);
        add.numbers("as-column", 1, 1, -1, 1);
        add.number("strength", strength);
        add.number("rest", 1 - strength);
    }

    /** Adds the source token's column. */
    private void source(Builder add) {
        add.add("weights", "Cast", "mask", new Attribute("to", FLOAT));
        add.add("first", "ArgMax", "weights", new Attribute("axis", 1), new Attribute("keepdims", 1));
        String column = "first";
        if (last) {
            add.add("past", "Add", "first length");
            add.add("final", "Sub", "past one-row");
            column = "final";
        }
        add.add("source", "Reshape", column + " as-texts");
    }

    /**
     * Adds each token's basket as two 0/1 matrices, (tokens, baskets) and (baskets, tokens). The first token is in
     * basket 0, the others in 1, 2, ...; a separate last token is in the highest one.
     */
    private void baskets(Builder add) {
        add.add("before", "Sub", "places one-row");
        add.add("inner", "Sub", "places two");
        add.add("steps", "Div", "inner basket");
        add.add("inner-basket", "Add", "steps one-row");
        add.add("has-inner", "Less", "one-row places");
        // Padding gets -1.
        add.add("by-place", "Where", "has-inner inner-basket before");
        add.add("shape", "Shape", "mask");
        add.add("columns", "Gather", "shape column-axis", new Attribute("axis", 0));
        add.add("most", "Div", "columns step");
        add.add("number", "Add", "most spare");
        String of = "by-place";
        if (last) {
            add.add("own", "Sub", "number one");
            add.add("is-last", "Equal", "places length");
            add.add("by-token", "Where", "is-last own by-place");
            of = "by-token";
        }
        add.add("range", "Range", "zero number one");
        matrix(add, of, "as-tokens", "as-places", "tokens-by-baskets", DOUBLE);
        matrix(add, of, "as-row", "as-column", "baskets-by-tokens", FLOAT);
        add.add("count", "Reshape", "number minus-one");
        add.add("ones-shape", "Concat", "count one-row", new Attribute("axis", 0));
        add.add("ones", "Expand", "unit ones-shape");
    }

    private static void matrix(
            Builder add, String baskets, String ofTokens, String ofBaskets, String matrix, int type) {
        add.add(matrix + "/of", "Reshape", baskets + " " + ofTokens);
        add.add(matrix + "/all", "Reshape", "range " + ofBaskets);
        add.add(matrix + "/is", "Equal", matrix + "/of " + matrix + "/all");
        add.add(matrix, "Cast", matrix + "/is", new Attribute("to", type));
    }

    /**
     * Calibrates a layer.
     *
     * @param attention softmax output, (rows, heads, columns, columns)
     * @param calibrated name of the result
     */
    byte[] layer(int layer, String attention, String calibrated) {
        OnnxGraph graph = OnnxGraph.part();
        String prefix = PREFIX + layer + ".";
        Builder add = new Builder(graph, prefix);
        graph.node("Shape", List.of(attention), List.of(prefix + "shape"));
        add.add("rows", "Gather", "shape /row-axes", new Attribute("axis", 0));
        add.add("columns", "Gather", "shape /token-axis", new Attribute("axis", 0));
        add.add("row-shape", "Concat", "rows /one-row columns", new Attribute("axis", 0));
        add.add("source", "Expand", "/source row-shape");
        Attribute sources = new Attribute("axis", SOURCES);
        graph.node("GatherElements", List.of(attention, prefix + "source"), List.of(prefix + "stored"), sources);
        add.add("row", "Cast", "stored", new Attribute("to", FLOAT));
        row(add);
        String done = prefix + "mixed";
        if (casts) {
            graph.node("CastLike", List.of(done, attention), List.of(prefix + "cast"));
            done = prefix + "cast";
        }
        graph.node("ScatterElements", List.of(attention, prefix + "source", done), List.of(calibrated), sources);
        return graph.fields();
    }

    /**
     * Gives all baskets of the row, (rows, heads, 1, columns), equal shares and mixes it with the original. Sums are
     * in doubles: in floats they would depend on the padding, and with it a text's bits on its batch.
     */
    private static void row(Builder add) {
        add.add("wide", "Cast", "row", new Attribute("to", DOUBLE));
        add.add("sums", "MatMul", "wide /tokens-by-baskets");
        add.add("masses", "Cast", "sums", new Attribute("to", FLOAT));
        add.add("mass", "MatMul", "masses /baskets-by-tokens");
        add.add("has-mass", "Less", "/none mass");
        add.add("divisor", "Where", "has-mass mass /unit");
        add.add("quotient", "Div", "row divisor");
        // A basket without attention stays without; padding has none.
        add.add("share", "Where", "has-mass quotient /none");
        add.add("filled", "Less", "/none masses");
        add.add("fills", "Cast", "filled", new Attribute("to", FLOAT));
        add.add("baskets", "MatMul", "fills /ones");
        add.add("some", "Max", "baskets /unit");
        add.add("equal", "Div", "share some");
        add.add("new-part", "Mul", "equal /strength");
        add.add("old-part", "Mul", "row /rest");
        add.add("blend", "Add", "new-part old-part");
        add.add("mixed", "Where", "/applies blend row");
    }
}
