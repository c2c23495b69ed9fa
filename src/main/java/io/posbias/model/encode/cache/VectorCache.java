package io.posbias.model.encode.cache;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.files.Temporary;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Shutdown;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.TextEncoder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Vector cache on disk, in a folder of append-only {@linkplain Segment segments}. Every process writes its own
 * segment, so processes do not conflict; every block has a checksum, so a block cut short by a kill is ignored and
 * recomputed. Safe for several threads.
 */
public final class VectorCache implements AutoCloseable, VectorStore {
    /** The folder's {@link CacheFolders.CacheCard}. */
    public static final String CARD = "space.json";

    static final String ENDING = ".vectors";

    /** Characters of the space in a folder's name; the card has all of it. */
    private static final int SPACE_CHARACTERS = 12;

    private final Path folder;
    private final Place place;
    private final Closeable use;
    private final Shape shape;
    private final int dimension;
    private final List<Segment> segments = new ArrayList<>();
    private final KeyTable table = new KeyTable();
    private @Nullable Segment own;

    private VectorCache(Place place, Closeable use, int dimension, Shape shape) {
        this.folder = place.folder;
        this.place = place;
        this.use = use;
        this.dimension = dimension;
        this.shape = shape;
    }

    public enum VectorFormat {
        /** As computed. */
        FLOAT32,
        /** Half the size, 11 of 24 bits of precision. */
        FLOAT16;

        /** Returns the bytes of a number. */
        public int bytes() {
            return this == FLOAT32 ? Float.BYTES : Short.BYTES;
        }

        /** Returns true if all numbers are 0; reads up to the first other one. */
        boolean isZero(ByteBuffer bytes) {
            while (bytes.hasRemaining()) {
                if (this == FLOAT32 ? bytes.getFloat() != 0 : Float.float16ToFloat(bytes.getShort()) != 0) {
                    return false;
                }
            }
            return true;
        }

        /** Returns false if a number is infinite or NaN: its exponent has all bits. */
        boolean areFinite(ByteBuffer bytes) {
            int most = 0;
            if (this == FLOAT32) {
                IntBuffer numbers = bytes.asIntBuffer();
                for (int i = 0; i < numbers.limit(); i++) {
                    most = Math.max(most, numbers.get(i) & 0x7fffffff);
                }
                return most < 0x7f800000;
            }
            ShortBuffer numbers = bytes.asShortBuffer();
            for (int i = 0; i < numbers.limit(); i++) {
                most = Math.max(most, numbers.get(i) & 0x7fff);
            }
            return most < 0x7c00;
        }

        void copy(ByteBuffer bytes, FloatBuffer into) {
            if (this == FLOAT32) {
                into.put(bytes.asFloatBuffer());
            } else {
                while (bytes.hasRemaining()) {
                    into.put(Float.float16ToFloat(bytes.getShort()));
                }
            }
        }
    }

    /**
     * Vectors of a text.
     *
     * @param least number of vectors
     * @param most number of vectors
     */
    public record Shape(VectorFormat format, int least, int most) {
        /** One vector per text. */
        public static final Shape ONE = new Shape(VectorFormat.FLOAT32, 1, 1);

        /** One vector or several per text. */
        public static final Shape SEVERAL = new Shape(VectorFormat.FLOAT32, 1, Integer.MAX_VALUE);

        /** One vector per token that takes part; none for a text of punctuation. */
        public static Shape ofTokens(VectorFormat format) {
            return new Shape(format, 0, Integer.MAX_VALUE);
        }
    }

    /**
     * Opens a model's cache, in a temporary folder that {@link #close} deletes if the engine keeps no vectors.
     *
     * @param model the recipe's name
     * @param space as {@link TextEncoder#space}
     */
    static VectorCache open(Engine engine, String model, String space, int dimension, Shape shape) {
        Shutdown shutdown = engine.session().shutdown();
        if (!engine.keepVectors()) {
            Staging scratch = Staging.temporary("vectors", shutdown);
            return open(new Place(scratch.folder(), scratch, shutdown), model, space, dimension, shape);
        }
        Path folder = FileNames.directlyIn(
                CacheFolders.in(engine.home()), model + "-" + space.substring(0, SPACE_CHARACTERS));
        return open(new Place(folder, null, shutdown), model, space, dimension, shape);
    }

    /** Returns the space of a model's numbers; that of a plug-in's model also depends on its jar. */
    static String space(String own, Object model, Engine engine) {
        List<String> code = Checksums.ofPlugin(model.getClass(), engine.home());
        return code.isEmpty() ? own : Checksums.sha256(Stream.concat(Stream.of(own), code.stream()));
    }

    /** Opens or creates a folder's cache and checks its content; refuses a folder of another space. */
    public static VectorCache open(Path folder, String model, String space, int dimension, Shape shape) {
        return open(new Place(folder, null, new Shutdown()), model, space, dimension, shape);
    }

    /**
     * Location of a cache.
     *
     * @param scratch the folder, if it is deleted with the cache
     */
    private record Place(Path folder, @Nullable Staging scratch, Shutdown shutdown) {
        PosbiasException refused(IOException problem) {
            return scratch == null ? IoErrors.kept(folder, problem) : Temporary.refused(problem);
        }
    }

    private static VectorCache open(Place place, String model, String space, int dimension, Shape shape) {
        try {
            VectorCache cache = new VectorCache(place, CacheFolders.use(place.folder), dimension, shape);
            try {
                cache.read(model, space);
                return cache;
            } catch (IOException | RuntimeException failure) {
                cache.close();
                throw failure;
            }
        } catch (IOException refused) {
            throw place.refused(refused);
        }
    }

    private void read(String model, String space) throws IOException {
        new CacheFolders.CacheCard("posbias/vectors/1", model, null, space, dimension, Suggestions.word(shape.format()))
                .sealIn(folder);
        if (!Json.readJson(folder.resolve(CARD)).text("space", "").equals(space)) {
            throw new PosbiasException("the vectors in " + folder + " are of another model: 'posbias cache clear "
                    + model + "' deletes them");
        }
        for (Path file : files(folder)) {
            segments.add(Segment.read(file, dimension, shape, listener(segments.size())));
        }
    }

    static List<Path> files(Path folder) throws IOException {
        return CacheFolders.files(folder, ENDING);
    }

    private ObjIntConsumer<Key> listener(int segment) {
        return (key, entry) -> table.put(key, segment, entry);
    }

    @Override
    public int dimension() {
        return dimension;
    }

    /** Returns the place of a key's vectors, for {@link #read}, {@link #rows} and {@link #seen}; -1 if not cached. */
    synchronized long find(Key key) {
        return table.find(key);
    }

    @Override
    public synchronized int rows(long place) {
        return segment(place).rows(KeyTable.entry(place));
    }

    @Override
    public synchronized int seen(long place) {
        return segment(place).seen(KeyTable.entry(place));
    }

    private Segment segment(long place) {
        return segments.get(KeyTable.segment(place));
    }

    @Override
    public void read(long place, FloatBuffer into) {
        Segment segment;
        synchronized (this) {
            segment = segment(place);
        }
        shape.format().copy(segment.bytes(KeyTable.entry(place)), into);
    }

    @Override
    public float[] read(long place, int row) {
        Segment segment;
        synchronized (this) {
            segment = segment(place);
        }
        int size = dimension * shape.format().bytes();
        FloatBuffer into = FloatBuffer.allocate(dimension);
        ByteBuffer all = segment.bytes(KeyTable.entry(place));
        shape.format().copy(all.slice(row * size, size).order(all.order()), into);
        return into.array();
    }

    @Override
    public boolean isZero(long place) {
        Segment segment;
        synchronized (this) {
            segment = segment(place);
        }
        return shape.format().isZero(segment.bytes(KeyTable.entry(place)));
    }

    record CachedText(Key key, TextEncoder.Encoded encoded) {}

    /** Adds vectors, except of keys that are cached. They are in the file when this returns. */
    synchronized void append(List<CachedText> items) {
        List<CachedText> fresh = new ArrayList<>();
        Map<Key, CachedText> seen = new LinkedHashMap<>();
        for (CachedText item : items) {
            if (table.find(item.key) < 0 && seen.put(item.key, item) == null) {
                fresh.add(item);
            }
        }
        if (fresh.isEmpty()) {
            return;
        }
        try {
            Segment segment = own;
            if (segment == null || !segment.takes(fresh)) {
                segment = Segment.create(folder, dimension, shape);
                segments.add(segment);
                own = segment;
            }
            segment.append(fresh, listener(segments.indexOf(segment)));
            if (place.scratch == null) {
                place.shutdown.keeps("vectors and scores in " + folder.getParent());
            }
        } catch (IOException refused) {
            throw place.refused(refused);
        }
    }

    @Override
    public synchronized void close() {
        IoErrors.run("close", folder, () -> {
            for (Segment segment : segments) {
                segment.close();
            }
            use.close();
        });
        Staging scratch = place.scratch;
        if (scratch != null) {
            scratch.close();
        }
    }
}
