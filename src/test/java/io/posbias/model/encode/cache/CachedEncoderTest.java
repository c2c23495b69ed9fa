package io.posbias.model.encode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.files.Staging;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.base.process.Shutdown;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CachedEncoderTest {
    private static final String MODEL = "cached-encoder-test";

    @TempDir
    Path temp;

    /** The vector of a text is its length; remembers what it was asked. */
    private static class Lengths implements TextEncoder {
        final List<String> asked = Collections.synchronizedList(new ArrayList<>());
        final AtomicBoolean closed = new AtomicBoolean();

        @Override
        public int dimension() {
            return 1;
        }

        @Override
        public String space() {
            return "0123456789abcdef";
        }

        @Override
        public EncodingWork prepare(List<String> texts, Role role) {
            return sink -> {
                for (int i = 0; i < texts.size(); i++) {
                    asked.add(texts.get(i));
                    if (texts.get(i).equals("bad")) {
                        throw new PosbiasException("out of luck");
                    }
                    sink.accept(List.of(new Encoded(i, new float[] {texts.get(i).length()}, 1, WHOLE)));
                }
            };
        }

        @Override
        public void close() {
            closed.set(true);
        }
    }

    private CachedEncoder open(TextEncoder encoder, boolean keep) {
        Engine engine = new Engine(Device.CPU, 1, 0, keep, CallLimit.none(), Sessions.in(temp));
        return new CachedEncoder(encoder, MODEL, engine, VectorCache.Shape.ONE);
    }

    private static List<Float> values(Vectors vectors) {
        List<Float> values = new ArrayList<>();
        for (int i = 0; i < vectors.size(); i++) {
            FloatBuffer one = FloatBuffer.allocate(1);
            vectors.read(i, one);
            values.add(one.get(0));
        }
        return values;
    }

    @Test
    void aModelWhoseCacheCannotBeOpenedIsClosed() throws IOException {
        Files.writeString(temp.resolve("vectors"), "a file where a folder belongs");
        Lengths model = new Lengths();
        assertThatThrownBy(() -> open(model, true)).isInstanceOf(PosbiasException.class);
        assertThat(model.closed).isTrue();
    }

    @Test
    void everyTextIsEncodedOnceAndKeptForTheNextRun() {
        List<String> texts = List.of("a", "bbb", "a", "cc", "bbb");
        Lengths first = new Lengths();
        try (CachedEncoder encoder = open(first, true)) {
            assertThat(values(encoder.encode(texts, Role.PASSAGE, ""))).containsExactly(1f, 3f, 1f, 2f, 3f);
            assertThat(encoder.usage()).containsEntry("texts_encoded", 3L).containsEntry("texts_from_cache", 0L);
            // The same words as a query are another text.
            encoder.encode(List.of("a"), Role.QUERY, "");
        }
        assertThat(first.asked).containsExactly("a", "bbb", "cc", "a");
        assertThat(first.closed).isTrue();
        Lengths second = new Lengths();
        try (CachedEncoder encoder = open(second, true)) {
            assertThat(values(encoder.encode(List.of("cc", "dddd"), Role.PASSAGE, "")))
                    .containsExactly(2f, 4f);
            assertThat(encoder.usage()).containsEntry("texts_encoded", 1L).containsEntry("texts_from_cache", 1L);
        }
        assertThat(second.asked).containsExactly("dddd");
    }

    /** An encoder that cuts texts gets no vector of an earlier one that read them whole. */
    @Test
    void vectorsAreKeptByWhatIsRead() {
        try (CachedEncoder encoder = open(new Lengths(), true)) {
            encoder.encode(List.of("a long text", "short"), Role.PASSAGE, "");
        }
        Lengths cuts = new Lengths() {
            @Override
            public String cachedAs(String text, Role role) {
                return text.length() > 6 ? text.substring(0, 6) + "\0cut" : text;
            }
        };
        try (CachedEncoder encoder = open(cuts, true)) {
            encoder.encode(List.of("a long text", "short", "a long one"), Role.PASSAGE, "");
        }
        assertThat(cuts.asked).containsExactly("a long text");
    }

    /** Folders of this class's model; other tests make theirs meanwhile. */
    private static List<Path> temporaryFolders() throws IOException {
        List<Path> own = new ArrayList<>();
        Staging mine = Staging.temporary("test", new Shutdown());
        Path base = Objects.requireNonNull(mine.folder().getParent());
        try (mine;
                DirectoryStream<Path> all = Files.newDirectoryStream(base, "vectors-????????????????")) {
            for (Path folder : all) {
                Path card = folder.resolve(VectorCache.CARD);
                if (Files.exists(card) && Files.readString(card).contains(MODEL)) {
                    own.add(folder);
                }
            }
        }
        return own;
    }

    @Test
    void whatIsNotToBeKeptLeavesNothing() throws IOException {
        try (CachedEncoder encoder = open(new Lengths(), false)) {
            encoder.encode(List.of("a"), Role.PASSAGE, "");
            assertThat(temporaryFolders()).hasSize(1);
        }
        assertThat(temporaryFolders()).isEmpty();
        assertThat(temp).isEmptyDirectory();
    }

    @Test
    void whatWasFinishedBeforeAFailureIsKept() {
        try (CachedEncoder encoder = open(new Lengths(), true)) {
            assertThatThrownBy(() -> encoder.encode(List.of("a", "bb", "bad", "cc"), Role.PASSAGE, ""))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessage("out of luck");
        }
        Lengths again = new Lengths();
        try (CachedEncoder encoder = open(again, true)) {
            encoder.encode(List.of("a", "bb", "cc"), Role.PASSAGE, "");
        }
        assertThat(again.asked).containsExactly("cc");
    }

    /** A native session that is closed while it runs takes the process with it. */
    @Test
    void theModelIsNotClosedWhileItRuns() {
        AtomicBoolean closedTooEarly = new AtomicBoolean();
        AtomicBoolean started = new AtomicBoolean();
        Lengths slow = new Lengths() {
            @Override
            public EncodingWork prepare(List<String> texts, Role role) {
                EncodingWork work = super.prepare(texts, role);
                return sink -> {
                    started.set(true);
                    long end = System.nanoTime() + 300_000_000L;
                    while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                    }
                    closedTooEarly.set(closed.get());
                    work.run(sink);
                };
            }
        };
        try (CachedEncoder encoder = open(slow, false);
                CachedEncoder.Collector collector = encoder.collector(2, Role.PASSAGE, "")) {
            collector.add(0, "x".repeat(TextEncoder.WINDOW_CHARACTERS));
            while (!started.get()) {
                Thread.onSpinWait();
            }
        }
        assertThat(slow.asked).hasSize(1);
        assertThat(closedTooEarly).isFalse();
    }

    /** A call of a service may be paid for: a failure beside it neither interrupts it nor loses its vectors. */
    @Test
    void aFailureDoesNotInterruptABatchOfAnotherWindow() {
        CountDownLatch called = new CountDownLatch(1);
        Lengths service = new Lengths() {
            @Override
            public int windows() {
                return 2;
            }

            @Override
            public EncodingWork prepare(List<String> texts, Role role) {
                EncodingWork work = super.prepare(texts, role);
                boolean fails = texts.getFirst().startsWith("y");
                return sink -> {
                    try {
                        if (fails) {
                            called.await();
                            throw new PosbiasException("out of luck");
                        }
                        called.countDown();
                        Thread.sleep(300);
                    } catch (InterruptedException stopped) {
                        throw new IllegalStateException(stopped);
                    }
                    work.run(sink);
                };
            }
        };
        String paid = "x".repeat(TextEncoder.WINDOW_CHARACTERS - 1);
        try (CachedEncoder encoder = open(service, true)) {
            List<String> texts = List.of("y".repeat(TextEncoder.WINDOW_CHARACTERS), paid, "z", "not called");
            assertThatThrownBy(() -> encoder.encode(texts, Role.PASSAGE, "")).hasMessage("out of luck");
        }
        // The first batch of the window is kept; the second is not called any more.
        assertThat(service.asked).containsExactly(paid);
        try (CachedEncoder encoder = open(new Lengths(), true)) {
            encoder.encode(List.of(paid), Role.PASSAGE, "");
            assertThat(encoder.usage()).containsEntry("texts_from_cache", 1L);
        }
    }

    /** Two windows at once: the first ends only when its text has come again and the second has been prepared. */
    @Test
    void aTextThatComesAgainWhileItIsEncodedIsNotEncodedTwice() {
        CountDownLatch prepared = new CountDownLatch(2);
        Lengths slow = new Lengths() {
            @Override
            public int windows() {
                return 2;
            }

            @Override
            public EncodingWork prepare(List<String> texts, Role role) {
                EncodingWork work = super.prepare(texts, role);
                prepared.countDown();
                return sink -> {
                    try {
                        prepared.await();
                    } catch (InterruptedException stopped) {
                        throw new IllegalStateException(stopped);
                    }
                    work.run(sink);
                };
            }
        };
        String big = "x".repeat(TextEncoder.WINDOW_CHARACTERS);
        try (CachedEncoder encoder = open(slow, false)) {
            assertThat(values(encoder.encode(List.of(big, "a", big, "bb"), Role.PASSAGE, "")))
                    .containsExactly((float) big.length(), 1f, (float) big.length(), 2f);
            assertThat(encoder.usage()).containsEntry("texts_encoded", 3L).containsEntry("texts_from_cache", 1L);
        }
        // The windows are encoded side by side, so their texts come in any order.
        assertThat(slow.asked).containsExactlyInAnyOrder(big, "a", "bb");
    }
}
