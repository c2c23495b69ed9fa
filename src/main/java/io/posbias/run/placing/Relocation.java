package io.posbias.run.placing;

import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import io.posbias.data.position.WindowCutter;
import io.posbias.run.placing.RelocatedTexts.EvidenceWindows;
import io.posbias.score.measure.ContentFixed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Method of relocating evidence in its own passage. The evidence sentences stay together; place k of K, from 0, has round(k m /
 * (K - 1)) of m other sentences before it, halves up.
 */
public enum Relocation {
    /** Rotates the sentences. Every text but the original has one broken join, so that effects of coherence cancel. */
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
    /** Moves the evidence among the other sentences, which keep their order. */
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
    /** Cuts passages to matched windows around the evidence with {@link EvidenceWindows}, without moving a sentence. */
    WINDOWS {
        @Override
        Text at(EvidenceMover mover, int before, boolean titled) {
            throw new IllegalStateException("nothing moves in a window");
        }
    };

    /** Default number of places. */
    public int places() {
        return this == WINDOWS ? WindowCutter.PLACES : RelocatedTexts.PLACES;
    }

    /** Minimum number of places. */
    public int leastPlaces() {
        return this == WINDOWS ? WindowCutter.LEAST_PLACES : ContentFixed.LEAST_PLACES;
    }

    /**
     * A passage with its evidence at a place.
     *
     * @param evidence its place, in UTF-16 units
     * @param natural true for the original passage
     * @param broken number of adjacent sentences that were not adjacent in the passage
     */
    record Text(String text, Span evidence, boolean natural, int broken) {
        static Text of(EvidenceMover mover, List<String> front, List<String> back, int broken) {
            Sentences document = mover.document();
            List<String> all = new ArrayList<>(front);
            all.addAll(mover.evidence());
            all.addAll(back);
            if (all.equals(document.all())) {
                // As it is, with whatever white space it has between its sentences.
                return new Text(document.text(), mover.span(), true, 0);
            }
            int start = front.isEmpty()
                    ? 0
                    : document.join(front).length() + document.joint().length();
            int length = document.join(mover.evidence()).length();
            return new Text(document.join(all), new Span(start, start + length), false, broken);
        }
    }

    /**
     * The text with {@code before} other sentences before the evidence.
     *
     * @param titled true if the model reads a title before the text
     */
    abstract Text at(EvidenceMover mover, int before, boolean titled);

    List<Text> texts(EvidenceMover mover, int places, boolean titled) {
        return IntStream.range(0, places)
                .mapToObj(place -> at(
                        mover,
                        EvidenceMover.before(place, places, mover.others().size()),
                        titled))
                .toList();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
