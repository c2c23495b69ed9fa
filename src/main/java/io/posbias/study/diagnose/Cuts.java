package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.BadInputException;
import io.posbias.base.process.Parallel;
import io.posbias.base.process.UsageException;
import io.posbias.base.table.Meaning;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.onnx.Tokenizer;
import io.posbias.model.encode.onnx.Tokens;
import io.posbias.model.retrieve.Preview;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.strategy.Strategy;
import io.posbias.rank.SearchReport;
import io.posbias.rank.SearchStat;
import io.posbias.rank.TruncationReport;
import io.posbias.rank.Truncations;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Truncation forecast of a model, made with its tokenizer alone. Counts tokens of passage texts without titles, special tokens
 * and prompts. For cross-encoders it counts them per query and relevant passage, and once for passages that are relevant to no
 * query.
 *
 * @param readings the model first, then each strategy around it
 * @param unfit strategies whose default settings the model does not allow, with the reason
 */
public record Cuts(@JsonUnwrapped CountedTexts texts, List<StrategyReading> readings, Map<String, String> unfit) {
    /** Name of the model without a strategy. */
    public static final String PLAIN = "none";

    /** Texts of a benchmark in tokens of a model. */
    public record CountedTexts(
            String dataset,
            String model,

            @Meaning(value = "limit of the model", unit = "tokens")
            int maxTokens,

            @Meaning("`passages`, or `pairs` of a query and a passage")
            String unit,

            @Meaning("how many there are") long total,
            @Meaning("tokens of all, the model's own") long tokens,

            @Meaning(value = "length of the longest passage", unit = "tokens")
            int longest) {}

    /** Texts as far as one strategy reads them. */
    public record ReadTexts(
            @Meaning("what wraps the model, as in `MODEL+STRATEGY`; `" + PLAIN + "` for the model itself")
            String strategy,

            @Meaning("passages or pairs that are not read to their end")
            long cut,

            @Meaning("judged queries that are not read to their end")
            long queriesCut,

            @Meaning("tokens that end past the cut") long tokensUnread,

            @Meaning(value = "mean number of encoded or scored texts per passage", unit = "number")
            double windows) {}

    /**
     * Truncation with one strategy.
     *
     * @param evidence null if no query has an evidence span
     * @param buckets a query in two buckets counts in both
     */
    public record StrategyReading(
            @JsonUnwrapped ReadTexts read, @Nullable CutEvidence evidence, List<CutEvidence> buckets) {}

    public record CutEvidence(
            @Meaning("position bucket of the evidence, or `all`; empty where no evidence is known")
            String bucket,

            @Meaning("queries of the bucket whose evidence is known to the character")
            int queries,

            @Meaning("queries whose evidence begins past the cut and is not read at all")
            @JsonProperty("evidence_starts_past_cut")
            int startsPast,

            @Meaning("those whose evidence ends past the cut, the former among them")
            @JsonProperty("evidence_ends_past_cut")
            int endsPast) {
        /** Returns a part of the queries; null without queries. */
        @Nullable
        Double share(int part) {
            return queries == 0 ? null : (Double) ((double) part / queries);
        }
    }

    private record CutAmounts(LongAdder tokens, AtomicInteger longest, List<LongAdder> unread) {}

    /**
     * Forecasts the truncation on a benchmark.
     *
     * @param buckets null for the benchmark's own
     * @param strategies true to include strategies; ignored for recipes that already wrap another
     * @throws UsageException if the model has no tokenizer
     */
    public static Cuts of(
            Recipe recipe, Dataset dataset, @Nullable Bucketing buckets, boolean strategies, Engine engine) {
        List<String> names = new ArrayList<>(List.of(PLAIN));
        List<SearchReport> reports = new ArrayList<>(List.of(preview(recipe).of(dataset, engine)));
        Map<String, String> unfit = new TreeMap<>();
        for (String strategy :
                strategies && recipe.wrapped().isEmpty() ? Strategy.usualAround(recipe) : List.<String>of()) {
            try {
                reports.add(preview(RecipeBook.within(recipe, strategy)).of(dataset, engine));
                names.add(strategy);
            } catch (UsageException | BadInputException tooShort) {
                // Tables name the strategy before it.
                unfit.put(
                        strategy,
                        String.valueOf(tooShort.getMessage()).replace(recipe.name() + "+" + strategy + ": ", ""));
            }
        }
        List<Truncations> truncations = reports.stream()
                .map(report -> report.truncations().withoutFirstStage())
                .toList();
        TruncationReport own = truncations.getFirst().only();
        boolean pairs = own.unit() == TruncationReport.Unit.PAIRS;
        CutAmounts amounts = count(recipe, dataset, truncations, pairs, engine);
        QueryBuckets placement = placement(dataset, buckets);
        List<StrategyReading> readings = IntStream.range(0, names.size())
                .mapToObj(i -> reading(
                        names.get(i),
                        reports.get(i),
                        amounts.unread().get(i).sum(),
                        EvidenceCuts.of(truncations.get(i), dataset, dataset.judgedQueries()),
                        placement))
                .toList();
        return new Cuts(
                new CountedTexts(
                        dataset.name(),
                        recipe.name(),
                        own.maxTokens(),
                        pairs ? "pairs" : "passages",
                        own.total(),
                        amounts.tokens().sum(),
                        amounts.longest().get()),
                readings,
                unfit);
    }

    /**
     * Returns the truncation forecast of a recipe.
     *
     * @throws UsageException if the model has no tokenizer, or for several models
     */
    public static Preview preview(Recipe recipe) {
        List<String> models = tokenised(recipe).map(Recipe::name).distinct().toList();
        if (tokenised(recipe).count() > 1) {
            throw new UsageException("--model " + recipe.name() + ": several rankings are fused, each with its own"
                    + " truncation; name one of the models: " + String.join(", ", models));
        }
        return recipe.retriever()
                .preview()
                .orElseThrow(() -> new UsageException("--model " + recipe.name()
                        + ": no tokenizer, so truncation is unknown; name a dense, late-interaction"
                        + " or reranking model with a tokenizer"));
    }

    /** Returns the models with a tokenizer that a recipe fuses. */
    private static Stream<Recipe> tokenised(Recipe recipe) {
        List<Recipe> wrapped = recipe.wrapped();
        return wrapped.isEmpty()
                ? Stream.of(recipe).filter(model -> model.retriever().preview().isPresent())
                : wrapped.stream().flatMap(Cuts::tokenised);
    }

    private static QueryBuckets placement(Dataset dataset, @Nullable Bucketing buckets) {
        String own = dataset.card().bucketing();
        Bucketing usual = own.isEmpty() ? Bucketing.NONE : Bucketing.parse(own);
        Bucketing bucketing = !dataset.hasEvidence() ? Bucketing.NONE : buckets == null ? usual : buckets;
        return QueryBuckets.of(dataset.judgedQueries(), bucketing);
    }

    private static StrategyReading reading(
            String name, SearchReport report, long unread, EvidenceCuts cuts, QueryBuckets placement) {
        TruncationReport truncation = report.truncations().only();
        List<String> names = placement.bucketNames();
        List<BitSet> members = names.stream().map(bucket -> new BitSet()).toList();
        cuts.located().stream()
                .forEach(query -> Arrays.stream(placement.bucketsOf(query))
                        .forEach(bucket -> members.get(bucket).set(query)));
        boolean known = !cuts.located().isEmpty();
        return new StrategyReading(
                new ReadTexts(
                        name,
                        truncation.cut(),
                        truncation.queriesCut(),
                        unread,
                        SearchStat.VECTORS.in(report.searchStats(), 1)),
                known ? evidence("all", cuts.located(), cuts) : null,
                IntStream.range(0, known ? names.size() : 0)
                        .mapToObj(bucket -> evidence(names.get(bucket), members.get(bucket), cuts))
                        .toList());
    }

    private static CutEvidence evidence(String bucket, BitSet members, EvidenceCuts cuts) {
        BitSet starts = (BitSet) members.clone();
        starts.and(cuts.startsPast());
        BitSet ends = (BitSet) members.clone();
        ends.and(cuts.endsPast());
        return new CutEvidence(bucket, members.cardinality(), starts.cardinality(), ends.cardinality());
    }

    private record CutText(int ordinal, Passage passage) {}

    private static CutAmounts count(
            Recipe recipe, Dataset dataset, List<Truncations> truncations, boolean pairs, Engine engine) {
        CutAmounts amounts = new CutAmounts(
                new LongAdder(),
                new AtomicInteger(),
                truncations.stream().map(truncation -> new LongAdder()).toList());
        Map<Integer, List<String>> askers = pairs ? askers(dataset) : Map.of();
        List<String> once = pairs ? List.of() : List.of("");
        try (Tokenizer tokenizer = recipe.tokenizer(engine.session()).orElseThrow()) {
            Parallel.<CutText>feed(
                    engine.threads(),
                    sink -> dataset.passages()
                            .inFileOrder((ordinal, passage) -> sink.accept(new CutText(ordinal, passage))),
                    () -> text -> add(
                            text,
                            tokenizer.tokenize(text.passage().content()),
                            askers.getOrDefault(text.ordinal(), once),
                            truncations,
                            amounts));
        }
        return amounts;
    }

    private static Map<Integer, List<String>> askers(Dataset dataset) {
        Map<Integer, List<String>> askers = new HashMap<>();
        for (Query query : dataset.judgedQueries()) {
            Judgments judgments = Objects.requireNonNull(dataset.qrels().of(query.id()));
            for (int passage : judgments.relevantPassages()) {
                askers.computeIfAbsent(passage, first -> new ArrayList<>()).add(query.id());
            }
        }
        return askers;
    }

    private static void add(
            CutText text, Tokens tokens, List<String> askers, List<Truncations> truncations, CutAmounts amounts) {
        int lead = text.passage().lead();
        int length = past(tokens, lead);
        amounts.longest().accumulateAndGet(length, Math::max);
        for (String query : askers) {
            amounts.tokens().add(length);
            for (int i = 0; i < truncations.size(); i++) {
                int seen = truncations.get(i).seen(query, text.ordinal());
                amounts.unread().get(i).add(seen < 0 ? 0 : past(tokens, lead + seen));
            }
        }
    }

    /** Counts the tokens that end past an offset. */
    private static int past(Tokens tokens, int unit) {
        return (int) Arrays.stream(tokens.ends()).filter(end -> end > unit).count();
    }
}
