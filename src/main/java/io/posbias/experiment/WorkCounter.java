package io.posbias.experiment;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.Engine;
import io.posbias.encode.Portion;
import io.posbias.encode.Role;
import io.posbias.encode.Slots;
import io.posbias.encode.cache.Backlog;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.retrieve.BlockCount;
import io.posbias.retrieve.DenseRetriever;
import io.posbias.retrieve.Outline;
import io.posbias.retrieve.Reading;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Counts the work of one cell while its retriever tells it. */
final class WorkCounter implements Outline {
    /** An index of fewer passages costs no less to search. */
    static final int LEAST_PASSAGES = 4_096;

    /** Characters of a token of texts that are not here, as {@link CallEstimate#tokens} has it of ASCII. */
    private static final double TOKEN = 3;

    private final PlannedModels models;
    private final boolean looksIntoCache;
    private final CountedTexts counted;
    private final Engine engine;
    private final @Nullable Slots slots;
    private final List<Work.Stage> stages = new ArrayList<>();
    private double words;
    private double passages;
    private double tokens;
    private double flops;
    private boolean isSized = true;
    private double vectorBytes;

    /**
     * @param looksIntoCache whether texts whose vectors are here are left out
     * @param counted the texts of cells before, which are left out
     * @param slots of the workers; null where there are none
     */
    WorkCounter(
            PlannedModels models, boolean looksIntoCache, CountedTexts counted, Engine engine, @Nullable Slots slots) {
        this.models = models;
        this.looksIntoCache = looksIntoCache;
        this.counted = counted;
        this.engine = engine;
        this.slots = slots;
    }

    /** What was counted, with so many queries. */
    Work work(double asked) {
        boolean reads = stages.stream().anyMatch(stage -> stage.kind() != Work.Kind.WORDS);
        boolean encodes = has(Work.Kind.ENCODE);
        // What a model does takes so much longer that words need not be counted with it.
        List<Work.Stage> kept = stages.stream()
                .filter(stage -> stage.kind() != Work.Kind.WORDS || !(stage.ofPassages() ? encodes : reads))
                .toList();
        return new Work(
                encodes ? passages : words,
                asked,
                reads ? (Double) tokens : null,
                reads && isSized ? (Double) flops : null,
                vectorBytes,
                kept);
    }

    private boolean has(Work.Kind kind) {
        return stages.stream().anyMatch(stage -> stage.kind() == kind);
    }

    @Override
    public void words(Dataset corpus) {
        double[] sums = {0, 0};
        corpus.passages().forEach((ordinal, passage) -> {
            sums[0]++;
            sums[1] += CallEstimate.tokens(passage.content());
        });
        words(sums[0], sums[1], corpus.judgedQueries().size());
    }

    private void words(double texts, double all, double queries) {
        words += texts;
        stages.add(new Work.Stage(Work.Kind.WORDS, true, all, null));
        stages.add(new Work.Stage(Work.Kind.WORDS, false, queries * Math.max(LEAST_PASSAGES, texts), null));
    }

    @Override
    public void encode(Encoding encoding, Consumer<Consumer<String>> texts, Role role) {
        PlannedModel model = models.of(encoding.inner());
        CachedEncoder known = looksIntoCache ? models.encoder(encoding) : null;
        TextSample sample = new TextSample();
        List<Integer> windows = new ArrayList<>();
        counted.of(encoding.recipe()).windows(known, texts, role, window -> {
            windows.add(window.size());
            for (List<String> part : parts(window, encoding.divisible())) {
                read(encoding, encoding.reads().of(part, model.tokenizer()), role, sample);
            }
        });
        double vectors = windows.stream().mapToLong(Integer::longValue).sum();
        TextCount read = sample.count(model.tokens(role));
        encoded(encoding.recipe(), model, role, read, vectors, windows, encoding.divisible());
    }

    /** What is read together: workers read each of their blocks by itself. */
    private List<List<String>> parts(List<String> window, boolean divisible) {
        return slots == null || !divisible
                ? List.of(window)
                : Portion.deal(window, Portion.sharing(slots.count())).stream()
                        .<List<String>>map(Portion::items)
                        .toList();
    }

    /** Workers have no vectors of the inner recipe. */
    private void read(Encoding encoding, Input input, Role role, TextSample sample) {
        input.read().forEach(sample::add);
        if (slots != null && encoding.divisible()) {
            input.others().forEach(sample::add);
        } else if (!input.others().isEmpty()) {
            encoding.inner().retriever().outline(sink -> input.others().forEach(sink), role, engine, this);
        }
    }

    private void encoded(
            Recipe recipe,
            PlannedModel model,
            Role role,
            TextCount read,
            double vectors,
            List<Integer> windows,
            boolean divisible) {
        boolean ofPassages = role == Role.PASSAGE;
        passages += ofPassages ? read.texts() : 0;
        vectorBytes += recipe.retriever().vectorBytes(vectors, read.tokens());
        stages.add(new Work.Stage(
                Work.Kind.ENCODE,
                ofPassages,
                amount(model, read),
                divisible(divisible, workers -> BlockCount.ofTexts(windows, workers))));
    }

    private static @Nullable Function<Slots, BlockCount> divisible(
            boolean divisible, Function<Slots, BlockCount> blocks) {
        return divisible ? blocks : null;
    }

    /** Without a size every token costs the same. */
    private double amount(PlannedModel model, TextCount read) {
        tokens += read.tokens();
        Double own = model.flops(read);
        isSized &= own != null;
        flops += own == null ? 0 : own;
        return own == null ? read.tokens() : own;
    }

    @Override
    public void search(int queries, int compared, int dimension, boolean divisible) {
        stages.add(new Work.Stage(
                Work.Kind.SEARCH,
                false,
                2.0 * dimension * queries * compared,
                divisible(divisible, workers -> BlockCount.ofSearch(queries, compared, dimension, workers))));
    }

    @Override
    public void score(Recipe recipe, Dataset texts, int[] candidates, boolean divisible) {
        PlannedModel model = models.of(recipe);
        TextSample read = new TextSample();
        texts.passages().forEach((ordinal, passage) -> read.add(passage.content()));
        TextSample asked = new TextSample();
        texts.judgedQueries().stream().map(Query::text).forEach(asked::add);
        double length = read.count(model.tokens(Role.PASSAGE)).mean()
                + asked.count(model.tokens(Role.QUERY)).mean();
        score(model, length, candidates, divisible);
    }

    private void score(PlannedModel model, double length, int[] candidates, boolean divisible) {
        double pairs = Arrays.stream(candidates).asLongStream().sum();
        TextCount read = TextCount.of(pairs, Math.min(model.most(), length));
        stages.add(new Work.Stage(
                Work.Kind.SCORE,
                false,
                amount(model, read),
                divisible(divisible, workers -> BlockCount.ofPairs(candidates, workers))));
    }

    /** Counts a benchmark that is not here, for a recipe that reads the passages as they are. */
    void published(Recipe recipe, BenchmarkSize size) {
        List<Recipe> wrapped = recipe.wrapped();
        if (!wrapped.isEmpty()) {
            wrapped.forEach(inner -> published(inner, size));
            return;
        }
        Retriever retriever = recipe.retriever();
        Reading reading = retriever.reading();
        if (reading.firstStage() != null) {
            published(reading.firstStage(), size);
        }
        int queries = (int) Math.round(size.queries());
        int all = (int) Math.round(size.passages());
        PlannedModel model = models.of(recipe);
        boolean divisible = !retriever.files().isEmpty();
        switch (reading.unit()) {
            case WORDS -> words(size.passages(), size.passages() * size.passageTokens(), size.queries());
            case TEXTS -> {
                boolean isNew = counted.isNew(recipe, size.corpus());
                published(recipe, model, Role.PASSAGE, isNew ? size.passages() : 0, size.passageTokens(), divisible);
                published(recipe, model, Role.QUERY, size.queries(), size.queryTokens(), divisible);
                boolean exact = retriever instanceof DenseRetriever dense
                        && !dense.settings().hnsw();
                search(queries, all, recipe.settings().integer("dimension", 0), exact);
            }
            case PAIRS -> {
                int[] candidates = new int[queries];
                Arrays.fill(candidates, Math.min(reading.depth(), all));
                score(model, size.passageTokens() + size.queryTokens(), candidates, divisible);
            }
        }
    }

    private void published(
            Recipe recipe, PlannedModel model, Role role, double texts, double length, boolean divisible) {
        encoded(
                recipe,
                model,
                role,
                TextCount.of(texts, Math.min(model.most(), length)),
                texts,
                Backlog.windows(Math.round(texts), length * TOKEN),
                divisible);
    }
}
