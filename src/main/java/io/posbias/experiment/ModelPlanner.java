package io.posbias.experiment;

import io.posbias.PosbiasException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.CallLimit;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.cache.Backlog;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.onnx.ModelSize;
import io.posbias.encode.onnx.Tokenizer;
import io.posbias.evaluate.ModelStore;
import io.posbias.retrieve.Reading;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Counts what one model would do on several benchmarks, and measures how fast it does. */
final class ModelPlanner implements AutoCloseable {
    /** Texts that are cut into tokens of each benchmark: so many tell the mean within a few percent. */
    private static final int SAMPLE = 256;

    private static final long SEED = 42;

    /** A model that needs so many seconds more for a few texts than for one is not given hundreds. */
    private static final double PATIENCE = 5;

    private static final int FEW = 16;

    /** Passages of a trial where no model reads them, and queries; also what an index of less costs no less to search. */
    private static final int WORDS_PASSAGES = 4_096;

    private static final int WORDS_QUERIES = 1_024;

    private static final int TRIAL_PAIRS = 512;

    private final Recipe recipe;
    private final Retriever retriever;
    private final Reading reading;
    private final Engine engine;
    private final boolean isHere;
    private final @Nullable ModelSize size;
    private final @Nullable Tokenizer tokenizer;
    private final @Nullable CachedEncoder encoder;
    private final Backlog backlog;
    private final Set<String> corpora = new HashSet<>();

    /** @param looksIntoCache whether vectors that are here are left out, for which the model is loaded */
    ModelPlanner(Recipe recipe, Engine engine, boolean looksIntoCache) {
        this.recipe = recipe;
        this.retriever = recipe.retriever();
        this.reading = retriever.reading();
        this.engine = engine;
        this.isHere = !ModelStore.isService(recipe)
                && retriever.files().stream().allMatch(files -> files.isHere(engine.home()));
        // A bag of words multiplies nothing: its tokens are all that counts.
        this.size = recipe.size()
                .or(this::countedSize)
                .filter(model -> model.parameters() > model.embeddings())
                .orElse(null);
        this.tokenizer = isHere ? recipe.tokenizer(engine.home()).orElse(null) : null;
        this.encoder = isHere && looksIntoCache
                ? retriever.vectors().map(opener -> opener.apply(engine)).orElse(null)
                : null;
        this.backlog = new Backlog(encoder, SAMPLE, SEED);
    }

    private Optional<ModelSize> countedSize() {
        return retriever.files().stream()
                .findFirst()
                .filter(files -> files.isHere(engine.home()))
                .map(files -> ModelSize.of(files, engine.home()));
    }

    /** Whether a given speed says how long it takes: a model reads, and how big it is is known. */
    boolean isMultiplying() {
        return reading.unit() != Reading.Unit.WORDS && size != null;
    }

    /**
     * What a cell takes.
     *
     * @param passages that are read: encoded, or indexed
     * @param read what the model reads on behalf of the queries: queries or pairs
     * @param asked how many queries there are
     * @param index the work that grows with the passages, in a unit of the retriever's own
     * @param search the work that grows with the queries, likewise
     */
    record Work(TextCount passages, TextCount read, double asked, double index, double search) {}

    /** Counts the texts of a benchmark that is here. */
    Work count(Dataset dataset) {
        return count(dataset, backlog);
    }

    private Work count(Dataset dataset, Backlog own) {
        int passages = dataset.passages().size();
        Consumer<Consumer<String>> corpus =
                sink -> dataset.passages().forEach((ordinal, passage) -> sink.accept(passage.content()));
        List<String> queries = dataset.judgedQueries().stream().map(Query::text).toList();
        return switch (reading.unit()) {
            case WORDS -> words(length(corpus), passages, queries.size());
            case TEXTS ->
                texts(
                        counted(own, corpus, Role.PASSAGE),
                        counted(own, queries::forEach, Role.QUERY),
                        passages,
                        queries.size());
            case PAIRS -> {
                Backlog all = new Backlog(null, SAMPLE, SEED);
                double length = counted(all, corpus, Role.PASSAGE).mean()
                        + counted(all, queries::forEach, Role.QUERY).mean();
                yield pairs(length(corpus), length, passages, queries.size());
            }
        };
    }

    /** The same of texts that are not here, of which the first benchmark of a corpus encodes the passages. */
    Work count(BenchmarkSize published) {
        double passageTokens = Math.min(most(), published.passageTokens());
        TextCount queries = TextCount.of(published.queries(), Math.min(most(), published.queryTokens()));
        TextCount all = TextCount.of(published.passages(), passageTokens);
        return switch (reading.unit()) {
            case WORDS -> words(all, published.passages(), published.queries());
            case TEXTS ->
                texts(
                        corpora.add(published.corpus()) ? all : TextCount.NONE,
                        queries,
                        published.passages(),
                        published.queries());
            case PAIRS ->
                pairs(
                        all,
                        published.passageTokens() + published.queryTokens(),
                        published.passages(),
                        published.queries());
        };
    }

    private Work words(TextCount corpus, double passages, double queries) {
        return new Work(corpus, TextCount.NONE, queries, corpus.tokens(), queries * Math.max(WORDS_PASSAGES, passages));
    }

    private Work texts(TextCount passages, TextCount queries, double all, double asked) {
        double products = 2.0 * recipe.settings().integer("dimension", 0) * all * asked;
        return new Work(passages, queries, asked, flops(passages), flops(queries) + products);
    }

    private Work pairs(TextCount corpus, double length, double passages, double queries) {
        TextCount pairs = TextCount.of(queries * Math.min(reading.depth(), passages), Math.min(most(), length));
        return new Work(corpus, pairs, queries, corpus.tokens(), flops(pairs));
    }

    /** Without a size every token costs the same. */
    private double flops(TextCount count) {
        return size == null ? count.tokens() : count.flops(size);
    }

    private double most() {
        return recipe.maxTokens() > 0 ? recipe.maxTokens() : Double.MAX_VALUE;
    }

    private static TextCount length(Consumer<Consumer<String>> texts) {
        double[] sums = {0, 0};
        texts.accept(text -> {
            sums[0]++;
            sums[1] += CallEstimate.tokens(text);
        });
        return new TextCount(sums[0], sums[1], 0);
    }

    private TextCount counted(Backlog own, Consumer<Consumer<String>> texts, Role role) {
        Backlog.Count count = own.count(texts, role);
        long drawn = count.drawn().stream().mapToLong(String::length).sum();
        return TextCount.of(count.drawn(), tokens(role))
                .scaled((double) count.texts(), drawn == 0 ? 0 : (double) count.characters() / drawn);
    }

    /** How many tokens of a text the model reads, special ones and prompt included. */
    private ToIntFunction<String> tokens(Role role) {
        String prompt = recipe.settings().text(role == Role.QUERY ? "query-prompt" : "document-prompt", "");
        Tokenizer own = tokenizer;
        return text -> {
            long all = own == null
                    ? CallEstimate.tokens(prompt + text)
                    : own.tokenize(prompt + text).size() + 2;
            return (int) Math.min(most(), (double) all);
        };
    }

    /**
     * What is told of a cell.
     *
     * @param load seconds to read the benchmark
     * @param speed null where nobody knows it
     * @param first whether it is the first cell of the model
     */
    PlannedCell cell(
            Cell cell,
            String state,
            PlannedCell.Basis basis,
            Work work,
            double load,
            @Nullable Speed speed,
            boolean first) {
        boolean model = reading.unit() != Reading.Unit.WORDS;
        double passageTokens = reading.unit() == Reading.Unit.TEXTS ? work.passages.tokens() : 0;
        double tokens = passageTokens + work.read.tokens();
        double units = Math.ceil(
                (reading.unit() == Reading.Unit.PAIRS ? work.read.texts() : work.passages.texts()) / Plan.UNIT);
        Double flops = model && size != null
                ? Double.valueOf((reading.unit() == Reading.Unit.TEXTS ? flops(work.passages) : 0) + flops(work.read))
                : null;
        Double seconds = speed == null ? null : Double.valueOf(seconds(speed, work, first) + load);
        return new PlannedCell(
                cell.recipe().name(),
                cell.source().name(),
                cell.firstStage(),
                state,
                basis,
                work.passages.texts(),
                work.asked,
                model ? Double.valueOf(tokens) : null,
                units,
                reading.unit() == Reading.Unit.TEXTS
                        ? retriever.vectorBytes(work.passages.texts() + work.read.texts(), tokens)
                        : 0,
                flops,
                seconds,
                speed == null ? null : unitSeconds(speed, work, units));
    }

    private static double seconds(Speed speed, Work work, boolean first) {
        return speed.start()
                + (first ? speed.first() : 0)
                + speed.index() * work.index
                + speed.search() * work.search
                + speed.measure() * work.asked;
    }

    /** Encoding and scoring are cut into units; an index of words is one. */
    private Double unitSeconds(Speed speed, Work work, double units) {
        double whole = reading.unit() == Reading.Unit.PAIRS ? speed.search() * work.search : speed.index() * work.index;
        return units == 0 || reading.unit() == Reading.Unit.WORDS ? whole : whole / units;
    }

    /** Measures the speed on a part of a benchmark that is here; empty where that fails, which is said. */
    Optional<Speed> calibrate(Cell cell, Dataset dataset) {
        if (!isHere) {
            return Optional.empty();
        }
        try {
            return Optional.of(engine.session().step("calibrate " + recipe.name(), () -> measured(cell, dataset)));
        } catch (PosbiasException failure) {
            engine.say(cell.name() + ": not calibrated: " + failure.line());
            return Optional.empty();
        }
    }

    private Speed measured(Cell cell, Dataset dataset) {
        Trial one = Trial.of(dataset, 1, 1, SEED);
        Trial.Seconds cold = run(one, cell);
        Speed.Sample small = sample(one, cell);
        Trial few = Trial.of(dataset, FEW, queries(FEW), SEED);
        Speed.Sample large = sample(few, cell);
        if (large.seconds().sum() - small.seconds().sum() < PATIENCE) {
            boolean words = reading.unit() == Reading.Unit.WORDS;
            int passages = words ? WORDS_PASSAGES : SAMPLE;
            large = sample(Trial.of(dataset, passages, words ? WORDS_QUERIES : queries(passages), SEED), cell);
        }
        return Speed.between(small, large, cold);
    }

    private int queries(int passages) {
        return reading.unit() == Reading.Unit.PAIRS
                ? Math.max(2, TRIAL_PAIRS / Math.min(reading.depth(), passages))
                : passages;
    }

    private Speed.Sample sample(Trial trial, Cell cell) {
        Trial.Seconds seconds = run(trial, cell);
        // Of a trial everything is new.
        Work work = count(trial.part(), new Backlog(null, SAMPLE, SEED));
        return new Speed.Sample(seconds, work.index, work.search, work.asked);
    }

    private Trial.Seconds run(Trial trial, Cell cell) {
        Engine quiet = new Engine(
                engine.device(),
                engine.threads(),
                engine.batchTokens(),
                false,
                CallLimit.none(),
                engine.session().quiet());
        return trial.run(recipe, cell.runner().scoring(), cell.runner().k(), quiet);
    }

    @Override
    public void close() {
        if (encoder != null) {
            encoder.close();
        }
        if (tokenizer != null) {
            tokenizer.close();
        }
    }
}
