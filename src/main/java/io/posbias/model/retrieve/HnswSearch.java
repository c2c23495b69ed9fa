package io.posbias.model.retrieve;

import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.process.Parallel;
import io.posbias.base.process.Progress;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * Approximate search by Lucene's HNSW graph (Malkov and Yashunin, arXiv:1603.09320), with measured recall. One
 * segment, built by one thread in the order of the passages, so that equal corpora give equal graphs.
 */
final class HnswSearch extends VectorIndex {
    private static final String FIELD = "vector";
    private static final int MOST_DIMENSIONS = 16_384;
    private static final double WRITER_MEGABYTES = 2_000;

    /** Number of queries for the recall. */
    private static final int SAMPLE = 1_000;

    private final ExactSearch exact;
    private final int candidates;
    private final Staging staging;
    private final Directory directory;
    private final IndexSearcher searcher;
    private final Map<String, Double> recalls = new LinkedHashMap<>();

    private HnswSearch(ExactSearch exact, int threads, int candidates, Staging staging, Directory directory)
            throws IOException {
        super(exact.passages, threads);
        this.exact = exact;
        this.candidates = candidates;
        this.staging = staging;
        this.directory = directory;
        this.searcher = new IndexSearcher(DirectoryReader.open(directory));
    }

    /** Lucene's format without its limit of 1,024 dimensions; readable by Lucene. */
    private static final class WideFormat extends KnnVectorsFormat {
        private final KnnVectorsFormat lucene;

        WideFormat(KnnVectorsFormat lucene) {
            super(lucene.getName());
            this.lucene = lucene;
        }

        @Override
        public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
            return lucene.fieldsWriter(state);
        }

        @Override
        public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
            return lucene.fieldsReader(state);
        }

        @Override
        public int getMaxDimensions(String field) {
            return MOST_DIMENSIONS;
        }
    }

    /**
     * Builds the graph in a temporary folder.
     *
     * @param exact search of the same passages; closed with this
     */
    static HnswSearch build(VectorSettings settings, ExactSearch exact, Engine engine, String label) {
        return build(settings, exact, engine, label, WRITER_MEGABYTES);
    }

    /** @param megabytes of vectors in memory; more go into several segments first */
    static HnswSearch build(VectorSettings settings, ExactSearch exact, Engine engine, String label, double megabytes) {
        Vectors passages = exact.passages.vectors();
        KnnVectorsFormat format = new WideFormat(new Lucene99HnswVectorsFormat(
                settings.numbers().m(), settings.numbers().efConstruction()));
        IndexWriterConfig config = new IndexWriterConfig()
                .setRAMBufferSizeMB(megabytes)
                // Merges adjacent segments only, so that passages keep their order.
                .setMergePolicy(new LogDocMergePolicy())
                .setCodec(new Lucene104Codec() {
                    @Override
                    public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
                        return format;
                    }
                });
        VectorSimilarityFunction similarity = settings.cosine()
                ? VectorSimilarityFunction.DOT_PRODUCT
                : VectorSimilarityFunction.MAXIMUM_INNER_PRODUCT;
        Staging staging = Staging.temporary("hnsw", engine.session().shutdown());
        try {
            Directory directory = new MMapDirectory(staging.folder());
            try (IndexWriter writer = new IndexWriter(directory, config);
                    Progress.Step step = engine.progress().start(label, passages.size())) {
                for (int i = 0; i < passages.size(); i++) {
                    Document document = new Document();
                    document.add(new KnnFloatVectorField(FIELD, passages.read(i), similarity));
                    writer.addDocument(document);
                    step.advance(1);
                }
                writer.forceMerge(1);
                writer.commit();
            }
            return new HnswSearch(exact, engine.threads(), settings.numbers().ef(), staging, directory);
        } catch (IOException refused) {
            staging.close();
            throw IoErrors.refused("write", Path.of("the index"), refused);
        }
    }

    /**
     * Ranks the passages that the graph search visits by their exact inner product; all passages if k is their number.
     */
    @Override
    Ranking[] search(Vectors queries, int k, Progress.Step step) {
        Ranking[] rankings = new Ranking[queries.size()];
        Parallel.forChunks(threads, rankings.length, 16, () -> (from, to) -> {
            for (int i = from; i < to; i++) {
                rankings[i] = search(queries.read(i), k);
            }
            step.advance(to - from);
        });
        return rankings;
    }

    private Ranking search(float[] query, int k) {
        try {
            int looked = Math.min(Math.max(candidates, k), passages.vectors().size());
            ScoreDoc[] found = searcher.search(new KnnFloatVectorQuery(FIELD, query, looked), looked).scoreDocs;
            int[] ordinals = new int[found.length];
            float[] scores = new float[found.length];
            for (int i = 0; i < found.length; i++) {
                // Documents of the single segment are in the order of the ordinals.
                ordinals[i] = found[i].doc;
                scores[i] =
                        (float) Attributor.product(query, 0, passages.vectors().read(found[i].doc), 0, query.length);
            }
            return Ranking.of(ordinals, scores).top(k);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Override
    Ranking[] score(Vectors queries, Run pool) {
        return exact.score(queries, pool);
    }

    /** Adds the share of the exact best k that was found, over the first queries, to those of earlier searches. */
    @Override
    Map<String, Double> recall(Vectors queries, int k, Ranking[] found) {
        Ranking[] best = exact.search(queries.first(SAMPLE), k, Progress.NONE.start("", 0));
        long wanted = 0;
        long hit = 0;
        for (int i = 0; i < best.length; i++) {
            int[] own = found[i].passages();
            Arrays.sort(own);
            hit += Arrays.stream(best[i].passages())
                    .filter(passage -> Arrays.binarySearch(own, passage) >= 0)
                    .count();
            wanted += best[i].size();
        }
        recalls.put("hnsw_recall@" + k, wanted == 0 ? 1 : (double) hit / wanted);
        return recalls;
    }

    int segments() {
        return searcher.getIndexReader().leaves().size();
    }

    @Override
    public void close() {
        try (exact;
                directory) {
            searcher.getIndexReader().close();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } finally {
            staging.close();
        }
    }
}
