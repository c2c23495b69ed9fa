package io.posbias.retrieve;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.Progress;
import io.posbias.Sessions;
import io.posbias.encode.Engine;
import io.posbias.encode.Slots;
import io.posbias.encode.Workers;
import io.posbias.encode.cache.FixedVectors;
import io.posbias.encode.cache.Vectors;
import io.posbias.encode.onnx.OnnxRuntime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks of a search give the rankings of the search in one piece. */
class SpreadSearchTest {
    private static final int DIMENSION = 8;

    @TempDir
    Path temp;

    /** Does blocks here, in another order, each from a copy of what it would be sent. */
    private static final class Copying implements Workers {
        private final boolean seeFiles;
        private final AtomicInteger runs = new AtomicInteger();
        private final AtomicInteger blocks = new AtomicInteger();

        Copying(boolean seeFiles) {
            this.seeFiles = seeFiles;
        }

        @Override
        public int slots() {
            return 3;
        }

        @Override
        public boolean seeFiles() {
            return seeFiles;
        }

        @Override
        public void send(Path file, String place) {
            throw new IllegalStateException("a search needs no files");
        }

        @Override
        public <S extends Serializable, R extends Serializable> void run(
                String label, S shared, List<? extends Block<S, R>> blocks, Consumer<R> done) {
            runs.incrementAndGet();
            this.blocks.addAndGet(blocks.size());
            List<Block<S, R>> shuffled = new ArrayList<>(blocks);
            Collections.shuffle(shuffled, new Random(5));
            Engine worker = Engine.quiet(1, Sessions.in(Path.of("nowhere")));
            shuffled.forEach(block -> done.accept(copy(block).run(copy(shared), worker)));
        }

        @SuppressWarnings("unchecked")
        private static <T extends Serializable> T copy(T value) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(value);
                out.flush();
                return (T) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            } catch (ClassNotFoundException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    /** With some ties, whose order a wrong number of a passage would change. */
    private Vectors vectors(String name, int count, long seed) {
        Random random = new Random(seed);
        float[][] all = new float[count][DIMENSION];
        for (float[] one : all) {
            for (int i = 0; i < DIMENSION; i++) {
                one[i] = random.nextInt(4);
            }
        }
        return FixedVectors.of(temp.resolve(name), all);
    }

    /** Carried in one piece, in parts of passages, and in parts of both. */
    @ParameterizedTest
    @CsvSource({"true, 40000, 1", "false, 40000, 1", "false, 2048, 2", "false, 1024, 6"})
    void aSearchInBlocksFindsTheSame(boolean seeFiles, int most, int runs) {
        Vectors queries = vectors("queries", 600, 1);
        Vectors passages = vectors("passages", 2_500, 2);
        Copying workers = new Copying(seeFiles);
        Engine engine = Engine.quiet(1, Sessions.in(temp)).with(workers);
        AtomicInteger told = new AtomicInteger();
        Progress.Step step = new Progress.Step() {
            @Override
            public void advance(long count) {
                told.addAndGet((int) count);
            }

            @Override
            public void close() {
                // Nothing to end.
            }
        };
        Ranking[] found = SpreadSearch.search(engine, "model", queries, passages, 50, step, most * DIMENSION);
        Ranking[] expected;
        try (ExactSearch search = new ExactSearch(OnnxRuntime.onCpu(), 1, DIMENSION, false)) {
            expected = search.search(queries, passages, 50, Progress.NONE.start("", 0));
        }
        assertThat(workers.runs).hasValue(runs);
        assertThat(SpreadSearch.blocks(600, 2_500, DIMENSION, new Slots(3, 1, seeFiles), most * DIMENSION))
                .hasSize(workers.blocks.get());
        assertThat(told).hasValue(600);
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < found.length; i++) {
            assertThat(found[i].keysAfter(0)).isEqualTo(expected[i].keysAfter(0));
        }
    }
}
