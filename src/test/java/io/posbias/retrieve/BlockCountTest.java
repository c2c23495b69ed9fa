package io.posbias.retrieve;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.Sessions;
import io.posbias.calibrate.ReferenceEncoder;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.Slots;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.Workers;
import io.posbias.encode.cache.Backlog;
import io.posbias.encode.cache.VectorSource;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks are counted as they are cut. */
class BlockCountTest {
    private static final Offset<Double> EXACT = Offset.offset(1e-12);

    @TempDir
    Path temp;

    private static Slots slots(int count) {
        return new Slots(count, 1, true);
    }

    /** Does blocks here and counts those of encoding, at once for one window, later for the other. */
    private static final class Counting implements Workers {
        private final int slots;
        private int blocks;

        Counting(int slots) {
            this.slots = slots;
        }

        @Override
        public int slots() {
            return slots;
        }

        @Override
        public boolean seeFiles() {
            return true;
        }

        @Override
        public void send(Path file, String place) {
            throw new IllegalStateException("files are seen");
        }

        @Override
        public synchronized <S extends Serializable, R extends Serializable> void run(
                String label, S shared, List<? extends Block<S, R>> given, Consumer<R> done) {
            blocks += label.startsWith("encode") ? given.size() : 0;
            Engine worker = Engine.quiet(1, Sessions.in(Path.of("nowhere")));
            given.forEach(block -> done.accept(block.run(shared, worker)));
        }
    }

    /** More than a window of short texts, of which every third comes again; known is what is in another window. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 64})
    void textsAreCountedInTheWindowsInWhichTheyAreEncoded(int count) throws IOException {
        int distinct = TextEncoder.WINDOW_TEXTS + 500;
        List<String> texts = new ArrayList<>(
                IntStream.range(0, distinct).mapToObj(i -> "w" + i).toList());
        texts.addAll(IntStream.range(0, distinct / 3).mapToObj(i -> "w" + 3 * i).toList());
        List<Integer> windows = new ArrayList<>();
        new Backlog().windows(null, texts::forEach, Role.PASSAGE, window -> windows.add(window.size()));
        assertThat(windows).containsExactly(TextEncoder.WINDOW_TEXTS, 500);

        Path model = new ReferenceEncoder("r", ReferenceEncoder.Shape.FLAT, 0, 8, 1, 16)
                .write(temp.resolve("model"), List.of("w1", "w2"));
        Counting workers = new Counting(count);
        Engine engine = Engine.quiet(1, Sessions.in(temp)).with(workers);
        Retriever retriever = Recipe.find(model.toString()).retriever();
        try (VectorSource encoder = retriever.vectors().orElseThrow().apply(engine)) {
            assertThat(encoder.encode(texts, Role.PASSAGE, "").size()).isEqualTo(texts.size());
            assertThat(encoder.effort())
                    .containsEntry("texts_encoded", (long) distinct)
                    .containsEntry("texts_from_cache", (long) Math.ceilDiv(TextEncoder.WINDOW_TEXTS, 3));
        }
        assertThat(BlockCount.ofTexts(windows, slots(count)).blocks()).isEqualTo(workers.blocks);
    }

    /** Four blocks for each slot, and none of more than 4,096 texts. */
    @Test
    void byHandOfTexts() {
        BlockCount one = BlockCount.ofTexts(List.of(16_384, 100, 3), slots(1));
        assertThat(one.blocks()).isEqualTo(4 + 4 + 3);
        assertThat(one.largest()).isCloseTo(4_096 / 16_487.0, EXACT);
        BlockCount two = BlockCount.ofTexts(List.of(16_384, 100), slots(2));
        assertThat(two.blocks()).isEqualTo(16);
        assertThat(two.largest()).isCloseTo(2_048 / 16_484.0, EXACT);
        BlockCount many = BlockCount.ofTexts(List.of(16_384, 16_384), slots(512));
        assertThat(many.blocks())
                .as("as for 8 slots, while 128 windows are under way")
                .isEqualTo(64);
        assertThat(many.largest()).isCloseTo(1 / 64.0, EXACT);
        assertThat(BlockCount.ofTexts(List.of(), slots(2))).isEqualTo(BlockCount.NONE);
    }

    /** Windows of 4,096 pairs for each two slots, of whole queries. */
    @Test
    void byHandOfPairs() {
        int[] candidates = new int[100];
        Arrays.fill(candidates, 100);
        BlockCount two = BlockCount.ofPairs(candidates, slots(2));
        assertThat(two.blocks()).isEqualTo(3 * 8);
        assertThat(two.largest()).isCloseTo(500 / 10_000.0, EXACT);
        BlockCount four = BlockCount.ofPairs(candidates, slots(4));
        assertThat(four.blocks()).isEqualTo(2 * 16);
        assertThat(four.largest()).isCloseTo(507 / 10_000.0, EXACT);
        assertThat(BlockCount.ofPairs(new int[0], slots(2))).isEqualTo(BlockCount.NONE);
        assertThat(BlockCount.ofPairs(new int[] {0, 0}, slots(2))).isEqualTo(BlockCount.NONE);
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "10, 0", "0, 0"})
    void aSearchOfNothingHasNoBlock(int queries, int passages) {
        assertThat(BlockCount.ofSearch(queries, passages, 8, slots(2))).isEqualTo(BlockCount.NONE);
        assertThat(BlockCount.ofSearch(queries, passages, 0, new Slots(2, 1, false)))
                .isEqualTo(BlockCount.NONE);
    }
}
