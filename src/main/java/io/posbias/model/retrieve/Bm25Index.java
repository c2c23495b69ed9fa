package io.posbias.model.retrieve;

import io.posbias.base.process.Parallel;
import io.posbias.base.process.Progress;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.PassageIds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lucene index of a corpus, with each term's contribution to every passage's score.
 *
 * <p>Lucene analyses, counts and stores. A term's contributions are computed by the similarity when a query first
 * needs them. The assignment of passages to threads and segments has no effect: passages are identified by ordinal,
 * and statistics are those of the whole index. See docs/adr/0004-bm25.md.
 */
final class Bm25Index implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Bm25Index.class);

    static final String TEXT = "text";

    private static final String ORDINAL = "ordinal";
    private static final FieldType COUNTED = counted();
    private static final double WRITER_MEGABYTES = 64;
    private static final int BATCH = 64;
    /** Limit of cached postings: an eighth of the heap at 8 bytes each. Others are recomputed. */
    private static final long MOST_KEPT = Runtime.getRuntime().maxMemory() / 8 / 8;

    /** Share of passages from which a term has an array over all passages: at most twice the memory, and faster. */
    private static final double FREQUENT = 0.25;

    private final Directory directory;
    private final DirectoryReader reader;
    private final IndexSearcher statistics;
    private final @Nullable CollectionStatistics collection;
    private final PassageIds passages;
    /** Index whose statistics apply: this, or another corpus's. */
    private final Bm25Index counted;

    private final ConcurrentHashMap<String, Postings> kept = new ConcurrentHashMap<>();
    private final AtomicLong keptPostings = new AtomicLong();

    private Bm25Index(Directory directory, PassageIds passages, Similarity similarity, @Nullable Bm25Index corpus)
            throws IOException {
        this.counted = corpus == null ? this : corpus;
        this.directory = directory;
        this.passages = passages;
        this.reader = DirectoryReader.open(directory);
        this.statistics = new IndexSearcher(reader);
        statistics.setSimilarity(similarity);
        this.collection = statistics.collectionStatistics(TEXT);
        LOG.debug(
                "index of {} passages in {} segments: {}",
                reader.maxDoc(),
                reader.leaves().size(),
                collection);
    }

    /** Contributions of a term. */
    interface Postings {
        /** Adds the contributions to the passages' sums, multiplied by the term's count in the query. */
        void addTo(double[] sums, int times);

        /** Returns the number of postings of equal memory size. */
        int size();
    }

    /** Contributions to the passages with the term. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Sparse(int[] ordinals, float[] scores) implements Postings {
        @Override
        public void addTo(double[] sums, int times) {
            for (int i = 0; i < ordinals.length; i++) {
                sums[ordinals[i]] += times * (double) scores[i];
            }
        }

        @Override
        public int size() {
            return ordinals.length;
        }

        /** Returns the contributions to every passage. */
        Dense toDense(int passages) {
            float[] all = new float[passages];
            for (int i = 0; i < ordinals.length; i++) {
                all[ordinals[i]] = scores[i];
            }
            return new Dense(all);
        }
    }

    /** Contributions of a frequent term to every passage, 0 where it is missing: eight passages per instruction. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Dense(float[] scores) implements Postings {
        @Override
        public void addTo(double[] sums, int times) {
            for (int ordinal = 0; ordinal < scores.length; ordinal++) {
                sums[ordinal] += times * (double) scores[ordinal];
            }
        }

        @Override
        public int size() {
            return scores.length / 2;
        }
    }

    private record Item(int ordinal, Passage passage) {}

    private static FieldType counted() {
        FieldType type = new FieldType();
        type.setTokenized(true);
        type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
        type.freeze();
        return type;
    }

    /**
     * @param corpus whose statistics apply; null for the dataset's own
     */
    static Bm25Index build(
            Dataset dataset,
            @Nullable Bm25Index corpus,
            Analyzer analyzer,
            Similarity similarity,
            int threads,
            Progress progress) {
        Directory directory = new ByteBuffersDirectory();
        IndexWriterConfig config = new IndexWriterConfig(analyzer)
                .setSimilarity(similarity)
                .setMergePolicy(NoMergePolicy.INSTANCE)
                .setRAMBufferSizeMB(WRITER_MEGABYTES);
        try (IndexWriter writer = new IndexWriter(directory, config);
                Progress.Step step = progress.start(
                        "index " + dataset.name(), dataset.passages().size())) {
            Parallel.<List<Item>>feed(threads, sink -> batches(dataset, sink), () -> batch -> {
                batch.forEach(item -> add(writer, item));
                step.advance(batch.size());
            });
            writer.commit();
            return new Bm25Index(directory, dataset.passages().ids(), similarity, corpus);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static void batches(Dataset dataset, Consumer<List<Item>> sink) {
        List<Item> batch = new ArrayList<>();
        dataset.passages().inFileOrder((ordinal, passage) -> {
            batch.add(new Item(ordinal, passage));
            if (batch.size() == BATCH) {
                sink.accept(List.copyOf(batch));
                batch.clear();
            }
        });
        sink.accept(List.copyOf(batch));
    }

    private static void add(IndexWriter writer, Item item) {
        Document document = new Document();
        document.add(new Field(TEXT, item.passage().content(), COUNTED));
        document.add(new NumericDocValuesField(ORDINAL, item.ordinal()));
        try {
            writer.addDocument(document);
        } catch (IOException impossible) {
            throw new UncheckedIOException("passage " + item.passage().id(), impossible);
        }
    }

    PassageIds passages() {
        return passages;
    }

    /** Returns a term's contributions; empty for an unknown term. */
    Postings postings(String term) throws IOException {
        Postings known = kept.get(term);
        if (known != null) {
            return known;
        }
        Postings computed = compute(new Term(TEXT, term));
        if (keptPostings.addAndGet(computed.size()) <= MOST_KEPT) {
            kept.put(term, computed);
        } else {
            keptPostings.addAndGet(-computed.size());
        }
        return computed;
    }

    private Postings compute(Term term) throws IOException {
        int frequency = reader.docFreq(term);
        Sparse postings = new Sparse(new int[frequency], new float[frequency]);
        CollectionStatistics corpus = counted.collection;
        if (frequency == 0 || corpus == null) {
            return postings;
        }
        SimScorer scorer = statistics.getSimilarity().scorer(1, corpus, counted.counts(term));
        int size = 0;
        for (LeafReaderContext segment : reader.leaves()) {
            size = addSegment(segment, term, scorer, postings, size);
        }
        assert size == frequency : "no document is deleted";
        return frequency < passages.size() * FREQUENT ? postings : postings.toDense(passages.size());
    }

    /** Counts an unknown term as one in a single passage: rejoined sentences can contain new terms. */
    private TermStatistics counts(Term term) throws IOException {
        return new TermStatistics(
                new BytesRef(term.text()), Math.max(1, reader.docFreq(term)), Math.max(1, reader.totalTermFreq(term)));
    }

    private static int addSegment(LeafReaderContext segment, Term term, SimScorer scorer, Sparse into, int from)
            throws IOException {
        PostingsEnum postings = segment.reader().postings(term, PostingsEnum.FREQS);
        if (postings == null) {
            return from;
        }
        NumericDocValues norms = segment.reader().getNormValues(TEXT);
        NumericDocValues ordinals = segment.reader().getNumericDocValues(ORDINAL);
        int size = from;
        while (postings.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
            norms.advanceExact(postings.docID());
            ordinals.advanceExact(postings.docID());
            into.ordinals[size] = (int) ordinals.longValue();
            into.scores[size++] = scorer.score(postings.freq(), norms.longValue());
        }
        return size;
    }

    @Override
    public void close() {
        LOG.debug("{} terms were requested; {} postings kept", kept.size(), keptPostings);
        try (directory) {
            reader.close();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
