package io.posbias.probe;

import io.posbias.Fields;
import java.nio.file.Path;
import java.util.List;

/** How the items of a probe belong together, and which of their scores are compared. */
public interface Shape {
    /** Whether items hold one text instead of two. */
    default boolean isSingle() {
        return false;
    }

    /** The comparison that stands for the probe in summaries; empty for none. */
    default String headline() {
        return isSingle() ? "" : PairTest.PAIRS;
    }

    /** What looks at the items of one file. */
    default Check check(String probe) {
        return (line, tags, id) -> {};
    }

    /** The tests of the scored items of a probe. */
    List<PairTest> tests(ProbeType probe, List<ScoredItem> items, double confidence);

    /** The cells of the grid. */
    default List<GridCell> cells(List<ScoredItem> items) {
        return List.of();
    }

    /** Looks at the items of a file, one after another. */
    interface Check {
        /**
         * Looks at one.
         *
         * @throws io.posbias.BadInputException if a tag is missing or what belongs together is there twice
         */
        void look(Fields line, Fields tags, String id);

        /**
         * Looks at what there is after the last line.
         *
         * @throws io.posbias.BadInputException if not all is there that is compared
         */
        default void finish(Path file) {}
    }
}
