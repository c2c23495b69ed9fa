package io.posbias.model.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.model.encode.TextEncoder;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** How much of a text is read by itself and as its mirror image, against marking the characters one by one. */
class MirroredReadingTest {
    /** Sentences whose characters all differ, so that those of the mirror image are known again. */
    private static final String TEXT = "Abc de. Fghi! Jk lmn opq? Rst";

    /** The first character of a sentence that neither text shows, where they show so many. */
    private static int firstUnread(int own, int mirrored) {
        BitSet read = new BitSet();
        read.set(0, own);
        String image = MirroredStrategy.mirrored(TEXT);
        for (int i = 0; i < mirrored; i++) {
            if (image.charAt(i) != ' ') {
                read.set(TEXT.indexOf(image.charAt(i)));
            }
        }
        for (int i = 0; i < TEXT.length(); i++) {
            if (TEXT.charAt(i) != ' ' && !read.get(i)) {
                return i;
            }
        }
        return TEXT.length();
    }

    @Test
    void readsUpToTheFirstCharacterThatNeitherShows() {
        for (int own = 0; own < TEXT.length(); own++) {
            for (int mirrored = 0; mirrored < TEXT.length(); mirrored++) {
                int seen = MirroredStrategy.seen(TEXT, own, mirrored);
                int end = seen == TextEncoder.WHOLE ? TEXT.length() : seen;
                // Between sentences there is nothing to read.
                String between = TEXT.substring(
                        Math.min(end, firstUnread(own, mirrored)), Math.max(end, firstUnread(own, mirrored)));
                assertThat(between).as(own + " and " + mirrored).containsPattern("^ *$");
            }
        }
    }

    @Test
    void wholeAndUnknownStaySo() {
        assertThat(MirroredStrategy.seen(TEXT, TextEncoder.WHOLE, TextEncoder.WHOLE))
                .isEqualTo(TextEncoder.WHOLE);
        assertThat(MirroredStrategy.seen(TEXT, 5, TextEncoder.WHOLE)).isEqualTo(TextEncoder.WHOLE);
        assertThat(MirroredStrategy.seen(TEXT, TextEncoder.UNKNOWN, TextEncoder.UNKNOWN))
                .isEqualTo(TextEncoder.UNKNOWN);
        assertThat(MirroredStrategy.seen("One sentence alone", 4, 4)).isEqualTo(4);
    }
}
