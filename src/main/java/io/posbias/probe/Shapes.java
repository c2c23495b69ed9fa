package io.posbias.probe;

/** The shapes of probes: a new one is a class and a line here. */
public final class Shapes {
    /** Items of two texts, each compared with its other. */
    public static final Shape PAIRS = new PairShape();

    /** A text for each place of the evidence, tag {@code position}; each place is compared with the first. */
    public static final Shape PLACES = new PlaceShape();

    /** Two items of two texts with one id: long and short name in question and text. */
    public static final Shape NAMES = new NameShape();

    /** A text an item, in a cell of two bands; means, no test. */
    public static final Shape GRID = new GridShape();

    private Shapes() {}
}
