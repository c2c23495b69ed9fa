package io.posbias.diagnose;

import io.posbias.dataset.Sentences;
import io.posbias.measure.ContentFixed;
import io.posbias.position.WindowCutter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * How evidence gets to other places of its own passage. The sentences that hold it stay together; place k of K, from 0, has
 * round(k m / (K - 1)) of m other sentences before it, halves up.
 */
public enum Relocation {
    /**
     * The sentences go round: those at the front go to the end. Every text but the passage itself has one broken join, so
     * what a model gives to coherence cancels.
     */
    ROTATION {
        @Override
        Text at(EvidenceMover mover, int before, boolean titled) {
            int others = mover.others().size();
            List<String> front = IntStream.range(0, before)
                    .mapToObj(i -> mover.others().get(Math.floorMod(mover.before() - before + i, others)))
                    .toList();
            List<String> back = IntStream.range(before, others)
                    .mapToObj(i -> mover.others().get(Math.floorMod(mover.before() - before + i, others)))
                    .toList();
            return Text.of(mover, front, back, 0);
        }
    },
    /** The evidence moves among the other sentences, which keep their order. */
    MOVING {
        @Override
        Text at(EvidenceMover mover, int before, boolean titled) {
            List<String> others = mover.others();
            int natural = mover.before();
            int broken = before == natural
                    ? 0
                    : ((natural > 0 || titled) && natural < others.size() ? 1 : 0)
                            + (before > 0 || titled ? 1 : 0)
                            + (before < others.size() ? 1 : 0);
            return Text.of(mover, others.subList(0, before), others.subList(before, others.size()), broken);
        }
    },
    /** Passages are cut to matched windows around the evidence, by {@link EvidenceWindows}: nothing is moved or broken. */
    WINDOWS {
        @Override
        Text at(EvidenceMover mover, int before, boolean titled) {
            throw new IllegalStateException("nothing moves in a window");
        }
    };

    /** What a model gives to coherence cancels by design, which the controls of moving do not reach for every text. */
    public static final Relocation USUAL = ROTATION;

    /** Places, unless told otherwise; of windows as many as {@code data build windows} cuts. */
    public int places() {
        return this == WINDOWS ? WindowCutter.PLACES : RelocatedTexts.PLACES;
    }

    /** Fewer places would leave none between the ends. */
    public int leastPlaces() {
        return this == WINDOWS ? WindowCutter.LEAST_PLACES : ContentFixed.LEAST_PLACES;
    }

    /**
     * A passage with its evidence at a place.
     *
     * @param text the whole
     * @param start where the evidence begins in it, in UTF-16 units
     * @param natural whether it is the passage as it is
     * @param broken how many pairs of neighbours were no neighbours in the passage, where texts differ in that
     */
    record Text(String text, int start, boolean natural, int broken) {
        static Text of(EvidenceMover mover, List<String> front, List<String> back, int broken) {
            Sentences document = mover.document();
            List<String> all = new ArrayList<>(front);
            all.addAll(mover.evidence());
            all.addAll(back);
            if (all.equals(document.all())) {
                // As it is, with whatever white space it has between its sentences.
                return new Text(document.text(), mover.span().start(), true, 0);
            }
            int start = front.isEmpty()
                    ? 0
                    : document.join(front).length() + document.joint().length();
            return new Text(document.join(all), start, false, broken);
        }
    }

    /**
     * The text with so many other sentences before the evidence.
     *
     * @param titled whether a title is read before the text, which then is the neighbour of its first sentence
     */
    abstract Text at(EvidenceMover mover, int before, boolean titled);

    /**
     * The texts of all places, some of them equal where there are fewer sentences than places.
     *
     * @param titled whether a title is read before the text
     */
    List<Text> texts(EvidenceMover mover, int places, boolean titled) {
        return IntStream.range(0, places)
                .mapToObj(place -> at(
                        mover,
                        EvidenceMover.before(place, places, mover.others().size()),
                        titled))
                .toList();
    }

    /** The word. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
