package io.posbias.study.diagnose;

import io.posbias.base.process.Parallel;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetStatistics;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.onnx.Tokenizer;
import io.posbias.model.encode.onnx.Tokens;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    public record TextLength(int units, int unknown) {}

    /** Reads the corpus once; the result does not depend on the number of threads. */
    public static CollectionLengths of(Dataset dataset, LengthRuler ruler, int threads) {
        int[] documents = new int[dataset.passages().size()];
        LongAdder unknown = new LongAdder();
        Parallel.<NumberedText>feed(
                threads,
                sink -> dataset.passages()
                        .inFileOrder((ordinal, passage) -> sink.accept(new NumberedText(ordinal, passage.text()))),
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

    /** Returns the domain in the name of a benchmark, {@code law} of {@code posir/eng-Latn/law}; otherwise the name. */
    static String domain(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /**
     * Query types of PosIR's Table 6 (arXiv:2601.08363), by their interrogative word. The paper gives the types; the word lists are
     * ours.
     *
     * <p>English: the first word. Chinese: the first interrogative word anywhere, the longest of those that begin at the same
     * place. A query without one is a claim, unless it ends with a question mark or contains a word of yes-no questions.
     */
    public enum QueryType {
        WHAT("what", "什么 什麼 何种 何種 啥"),
        HOW("how", "如何 怎么 怎麼 怎样 怎樣 多少 几 幾 多大 多长 多長 多久 多高 多远 多遠 多快"),
        WHY("why", "为什么 為什麼 为何 為何 为啥 何以"),
        WHICH("which", "哪"),
        WHEN("when", "何时 何時 什么时候 什麼時候 什么时间 什麼時間 哪年 哪一年 哪天 哪一天 几时 幾時 何年"),
        WHERE("where", "哪里 哪裡 哪裏 哪儿 哪兒 何处 何處 什么地方 什麼地方 何地"),
        WHO("who whom whose", "谁 誰 哪位 何人 什么人 什麼人"),
        /** A statement. */
        CLAIM("", ""),
        /** Yes-no questions, and questions that begin otherwise. */
        OTHERS(
                "am is are was were be do does did have has had can could will would shall should may might must isn aren wasn"
                        + " weren don doesn didn haven hasn hadn couldn won wouldn shouldn",
                "吗 嗎 是否 能否 可否 有没有 有沒有 是不是");

        private static final Map<String, QueryType> ENGLISH = words(type -> type.english);
        private static final Map<String, QueryType> CHINESE = words(type -> type.chinese);

        /** Longest first, because the first matching alternative wins. */
        private static final Pattern IN_CHINESE = Pattern.compile(CHINESE.entrySet().stream()
                .filter(entry -> entry.getValue() != OTHERS)
                .map(Map.Entry::getKey)
                .sorted((one, other) -> other.length() - one.length())
                .collect(Collectors.joining("|")));

        private static final Pattern FIRST_WORD = Pattern.compile("^[^\\p{L}\\p{N}]*(\\p{L}+)");
        private static final Set<String> LANGUAGES = Set.of("en", "zh");

        private final String english;
        private final String chinese;

        QueryType(String english, String chinese) {
            this.english = english;
            this.chinese = chinese;
        }

        private static Map<String, QueryType> words(Function<QueryType, String> words) {
            return Arrays.stream(values())
                    .flatMap(type -> Stream.of(words.apply(type).split(" "))
                            .filter(word -> !word.isEmpty())
                            .map(word -> Map.entry(word, type)))
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
        }

        /** Returns true for English and Chinese. */
        public static boolean isKnown(String language) {
            return LANGUAGES.contains(language);
        }

        public static QueryType of(String query, String language) {
            Optional<QueryType> told = language.equals("zh") ? chinese(query) : english(query);
            boolean asks = query.strip().endsWith("?") || query.strip().endsWith("？");
            return told.orElse(asks ? OTHERS : CLAIM);
        }

        private static Optional<QueryType> english(String query) {
            Matcher first = FIRST_WORD.matcher(query.toLowerCase(Locale.ROOT));
            return first.find() ? Optional.ofNullable(ENGLISH.get(first.group(1))) : Optional.empty();
        }

        private static Optional<QueryType> chinese(String query) {
            Matcher word = IN_CHINESE.matcher(query);
            if (word.find()) {
                return Optional.ofNullable(CHINESE.get(word.group()));
            }
            List<String> others = List.of(OTHERS.chinese.split(" "));
            return others.stream().anyMatch(query::contains) ? Optional.of(OTHERS) : Optional.empty();
        }
    }
}
