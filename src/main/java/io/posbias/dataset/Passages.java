package io.posbias.dataset;

import io.posbias.Fields;
import io.posbias.PosbiasException;

/** A corpus: its identifiers are in memory, its texts are read from disk each time they are needed. */
public final class Passages {
    private final RowFile file;
    private final PassageIds ids;

    Passages(RowFile file, PassageIds ids) {
        this.file = file;
        this.ids = ids;
    }

    /** What is done with one passage after another. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Takes one passage.
         *
         * @param ordinal the passage's ordinal in {@link Passages#ids()}
         * @param passage the passage
         */
        void visit(int ordinal, Passage passage);
    }

    /** The identifiers. */
    public PassageIds ids() {
        return ids;
    }

    /** How many passages there are. */
    public int size() {
        return ids.size();
    }

    /** Reads all passages in file order. */
    public void forEach(Visitor visitor) {
        file.forEach(row -> {
            Passage passage = read(row);
            int ordinal = ids.ordinal(passage.id());
            if (ordinal < 0) {
                throw new PosbiasException(row.where() + ": the corpus changed while it was read; run again");
            }
            visitor.visit(ordinal, passage);
        });
    }

    static Passage read(Fields row) {
        return new Passage(row.id("_id"), row.text("title", ""), row.text("text"));
    }
}
