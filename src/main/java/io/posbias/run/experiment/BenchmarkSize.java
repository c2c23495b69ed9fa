package io.posbias.run.experiment;

import io.posbias.base.files.Checksums;
import io.posbias.data.convert.Catalog;
import io.posbias.data.convert.CatalogEntry;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.RowFile;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.CallEstimate;
import java.util.stream.Collectors;

/**
 * Size of a benchmark: of one in the catalogue as published, of a folder by its files. It does not depend on the machine.
 *
 * @param passageTokens mean, without any model's tokenizer
 * @param queryTokens mean, without any model's tokenizer
 */
record BenchmarkSize(String corpus, double queries, double passages, double queryTokens, double passageTokens) {
    /** PosIR's Table 1: the mean of its queries, by Qwen3's tokenizer. */
    private static final double USUAL_QUERY_TOKENS = 21.91;

    private static final double USUAL_PASSAGE_TOKENS = 150;

    private static final CatalogEntry.Size USUAL = new CatalogEntry.Size(1_000, 10_000, USUAL_PASSAGE_TOKENS);

    static BenchmarkSize of(Datasets.Source source, Catalog catalog) {
        CatalogEntry entry = source.entry();
        if (entry == null || entry.origin() instanceof CatalogEntry.BuiltIn) {
            return ofFiles(source.files());
        }
        CatalogEntry.Size size = catalog.size(entry).orElse(USUAL);
        double tokens = size.passageTokens() > 0 ? size.passageTokens() : USUAL_PASSAGE_TOKENS;
        return new BenchmarkSize(entry.corpus(), size.queries(), size.passages(), USUAL_QUERY_TOKENS, tokens);
    }

    static BenchmarkSize of(Dataset dataset) {
        Counter passages = new Counter();
        dataset.passages().inFileOrder((ordinal, passage) -> passages.add(passage.content()));
        Counter queries = new Counter();
        dataset.judgedQueries().forEach(query -> queries.add(query.text()));
        return new BenchmarkSize(dataset.name(), queries.texts, passages.texts, queries.mean(), passages.mean());
    }

    private static BenchmarkSize ofFiles(DatasetFiles files) {
        Counter passages = new Counter();
        RowFile.open(files.corpus())
                .forEach(row -> passages.add(Passages.read(row).content()));
        Counter queries = new Counter();
        RowFile.open(files.queries()).forEach(row -> queries.add(row.text("text")));
        String corpus = files.corpus().stream().map(Checksums::sha256).collect(Collectors.joining(","));
        return new BenchmarkSize(corpus, queries.texts, passages.texts, queries.mean(), passages.mean());
    }

    private static final class Counter {
        private long texts;
        private long tokens;

        void add(String text) {
            texts++;
            tokens += CallEstimate.tokens(text);
        }

        double mean() {
            return texts == 0 ? 0 : (double) tokens / texts;
        }
    }
}
