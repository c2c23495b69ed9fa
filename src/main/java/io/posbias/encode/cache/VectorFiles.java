package io.posbias.encode.cache;

import io.posbias.PosbiasException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Vectors by where they are on disk: what a process needs to read what another one keeps in a folder that both see. It is 12
 * bytes for each text.
 *
 * @param files whose parts they are
 * @param file of each text, its place among these
 * @param offset of each text, where its vectors begin in the file
 * @param rows of each text, how many vectors it has
 * @param dimension numbers of a vector
 * @param format how numbers are kept
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every number
record VectorFiles(
        ArrayList<String> files, int[] file, int[] offset, int[] rows, int dimension, VectorCache.NumberFormat format)
        implements PortableVectors {
    @Override
    public PortableVectors part(int from, int to) {
        return new VectorFiles(
                files,
                Arrays.copyOfRange(file, from, to),
                Arrays.copyOfRange(offset, from, to),
                Arrays.copyOfRange(rows, from, to),
                dimension,
                format);
    }

    @Override
    public Vectors open() {
        return new Vectors(new Mapped(this), LongStream.range(0, file.length).toArray());
    }

    /** Files in memory, as the processor fetches them. */
    private static final class Mapped implements VectorStore {
        private final VectorFiles vectors;
        private final List<FileChannel> channels = new ArrayList<>();
        private final MappedByteBuffer[] maps;

        Mapped(VectorFiles vectors) {
            this.vectors = vectors;
            this.maps = new MappedByteBuffer[vectors.files.size()];
            Arrays.stream(vectors.file).distinct().sorted().forEach(this::map);
        }

        private void map(int number) {
            Path file = Path.of(vectors.files.get(number));
            try {
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                channels.add(channel);
                long size = Math.min(channel.size(), Integer.MAX_VALUE);
                maps[number] = channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
            } catch (IOException unseen) {
                release();
                throw new PosbiasException(
                        "cannot read vectors in " + file + ": is the folder shared by all workers?", unseen);
            }
        }

        @Override
        public int dimension() {
            return vectors.dimension;
        }

        @Override
        public int rows(long place) {
            return vectors.rows[(int) place];
        }

        @Override
        public int seen(long place) {
            throw new UnsupportedOperationException("what a model saw is known where its vectors were made");
        }

        @Override
        public void read(long place, FloatBuffer into) {
            int text = (int) place;
            int bytes = vectors.rows[text] * vectors.dimension * vectors.format.bytes();
            vectors.format.copy(
                    maps[vectors.file[text]].slice(vectors.offset[text], bytes).order(ByteOrder.LITTLE_ENDIAN), into);
        }

        @Override
        public PortableVectors portable(long[] places, int[] rows) {
            return vectors;
        }

        @Override
        public void release() {
            for (FileChannel channel : channels) {
                try {
                    channel.close();
                } catch (IOException refused) {
                    throw new PosbiasException("cannot close a file of vectors: " + refused.getMessage(), refused);
                }
            }
        }
    }
}
