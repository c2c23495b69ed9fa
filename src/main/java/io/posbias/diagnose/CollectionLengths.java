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
 * How long the texts of a benchmark are, and what kinds of queries it has.
 *
 * @param name the benchmark's
 * @param language of its passages; with a hyphen and the language of its queries before it where that is another
 * @param queryLanguage of its queries
 * @param documents length of each passage's text, without its title
 * @param queries length of each query, judged or not
 * @param unknown how many tokens of the passages the tokenizer does not know
 * @param types how many queries are of each kind; empty for languages whose kinds are not known
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

    /**
     * How a text is measured.
     *
     * @param units what lengths are called, with what they are measured by
     * @param of measures one; called by several threads
     */
    public record LengthRuler(String units, Function<String, TextLength> of) {
        /** Words as {@code data info} counts them: pieces between single spaces. */
        public static LengthRuler words() {
            return new LengthRuler(
                    "words (pieces between single spaces)", text -> new TextLength(DatasetStatistics.words(text), 0));
        }

        /**
         * Tokens without special ones.
         *
         * @param name what tables call the tokenizer
         */
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

    /**
     * The length of a text.
     *
     * @param units how many it has
     * @param unknown how many of them the tokenizer does not know
     */
    public record TextLength(int units, int unknown) {}

    /** Reads the corpus once; lengths do not depend on the number of threads. */
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

    /** The part of PosIR that is a domain; other benchmarks' own name. */
    String domain() {
        return domain(name);
    }

    /** Returns the domain in the name of a benchmark, {@code law} of {@code posir/eng-Latn/law}; otherwise the name. */
    static String domain(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }
}
