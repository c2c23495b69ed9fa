package io.posbias.diagnose;

import io.posbias.Parallel;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetStatistics;
import io.posbias.dataset.Query;
import io.posbias.encode.onnx.Tokenizer;
import io.posbias.encode.onnx.Tokens;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Text lengths and query types of a benchmark.
 *
 * @param language of the passages, preceded by the queries' language and a hyphen if that differs
 * @param types count per type; empty for languages without a word list
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; millions of documents
public record CollectionLengths(
        String name,
        String language,
        String queryLanguage,
        int[] documents,
        int[] queries,
        long unknown,
        Map<QueryType, Integer> types) {
    private record NumberedText(int ordinal, String text) {}

    /** Length measure; {@code of} is called by several threads. */
    public record LengthRuler(String units, Function<String, TextLength> of) {
        /** Words as {@code data info} counts them: pieces between single spaces. */
        public static LengthRuler words() {
            return new LengthRuler(
                    "words (pieces between single spaces)", text -> new TextLength(DatasetStatistics.words(text), 0));
        }

        /** Tokens without special ones. */
        public static LengthRuler tokens(String name, Tokenizer tokenizer) {
            Optional<Integer> unknown = tokenizer.find("[UNK]").or(() -> tokenizer.find("<unk>"));
            return new LengthRuler("tokens of " + name + ", without special tokens", text -> {
                Tokens tokens = tokenizer.tokenize(text);
                int none = (int) Arrays.stream(tokens.ids())
                        .filter(id -> unknown.isPresent() && unknown.get() == id)
                        .count();
                return new TextLength(tokens.size(), none);
            });
        }
    }

    /** Length of a text. */
    public record TextLength(int units, int unknown) {}

    /** Reads the corpus once; the result does not depend on the number of threads. */
    public static CollectionLengths of(Dataset dataset, LengthRuler ruler, int threads) {
        int[] documents = new int[dataset.passages().size()];
        LongAdder unknown = new LongAdder();
        Parallel.<NumberedText>feed(
                threads,
                sink -> dataset.passages()
                        .forEach((ordinal, passage) -> sink.accept(new NumberedText(ordinal, passage.text()))),
                () -> text -> {
                    TextLength length = ruler.of().apply(text.text());
                    documents[text.ordinal()] = length.units();
                    unknown.add(length.unknown());
                });
        List<Query> queries = dataset.queries();
        String language = dataset.card().language();
        String queryLanguage = dataset.card().queryLanguage();
        return new CollectionLengths(
                dataset.name(),
                queryLanguage.equals(language) ? language : queryLanguage + "-" + language,
                queryLanguage,
                documents,
                queries.stream()
                        .mapToInt(query -> ruler.of().apply(query.text()).units())
                        .toArray(),
                unknown.sum(),
                QueryType.isKnown(queryLanguage) ? types(queries, queryLanguage) : Map.of());
    }

    private static Map<QueryType, Integer> types(List<Query> queries, String language) {
        return queries.stream()
                .collect(Collectors.toMap(
                        query -> QueryType.of(query.text(), language), query -> 1, Integer::sum, TreeMap::new));
    }

    /** The domain of a PosIR dataset; the name of any other benchmark. */
    String domain() {
        return name.substring(name.lastIndexOf('/') + 1);
    }
}
