package io.posbias.model.inside.torch;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.Checksums;
import io.posbias.base.files.LockFile;
import io.posbias.base.process.Parallel;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.process.Version;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.inside.Architecture;
import io.posbias.model.inside.Training;
import io.posbias.model.inside.TrainingOrder;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Contrastive training of a dense encoder on pairs. The seed determines the order of the pairs. Training resumed from a
 * checkpoint gives the same weights as training without interruption.
 */
final class PairTraining implements Training {
    private static final int LINES = 20;
    private static final int PAIRS_AT_ONCE = 64;

    private final DenseRecipe recipe;
    private final TrainingSet set;
    private final TrainingSettings settings;
    private final Engine engine;
    private final TrainedFolder folder;
    private final int steps;

    /**
     * Prepares trainings without loading the model.
     *
     * @param recipe of the initial model
     * @param orders of the same data
     * @throws UsageException if the model cannot be trained
     */
    static List<PairTraining> of(Recipe recipe, List<TrainingOrder> orders, Engine engine) {
        TrainingSet set = TrainingSet.read(orders.getFirst().data());
        return orders.stream()
                .map(order -> new PairTraining(recipe, order, set, engine))
                .toList();
    }

    private PairTraining(Recipe recipe, TrainingOrder order, TrainingSet set, Engine engine) {
        this.recipe = Trainee.check(recipe, engine.session());
        this.settings = TrainingSettings.of(order);
        this.set = set;
        this.engine = engine;
        Path out = order.out();
        this.folder = new TrainedFolder(out, this.recipe, engine);
        this.steps = settings.steps(set.pairs().size());
        String name = String.valueOf(out.toAbsolutePath().normalize().getFileName());
        if (!FileNames.isModel(name)) {
            throw new UsageException("--out " + out
                    + ": the model is called as its folder, and a name is made of letters," + " digits and . _ + -");
        }
    }

    @Override
    public Path run() {
        try (Trainee trainee = Trainee.open(recipe, settings.limits(), engine)) {
            Texts texts = new Texts(trainee);
            TrainingRecord fresh = record(texts);
            LockFile claimed = folder.claim();
            try (claimed) {
                run(trainee, texts, fresh);
            }
        }
        return folder.path().resolve(TrainedFolder.RECIPE);
    }

    private void run(Trainee trainee, Texts texts, TrainingRecord fresh) {
        Optional<TrainingRecord> begun = folder.begun(fresh);
        List<Double> losses = new ArrayList<>(begun.map(TrainingRecord::losses).orElse(List.of()));
        if (losses.size() < steps) {
            folder.check(trainee);
            if (!losses.isEmpty()) {
                folder.restore(trainee, begun.orElseThrow());
                engine.say("goes on behind step " + losses.size() + " of " + steps);
            }
            train(trainee, texts, fresh, losses);
        } else {
            folder.verify(begun.orElseThrow());
            engine.say(folder.path() + " holds this training already: nothing is to be done");
        }
    }

    /** Tokenizes the texts of pairs, truncated to the settings. */
    private final class Texts {
        private final TextRows queries;
        private final TextRows passages;

        Texts(Trainee trainee) {
            queries = cut(trainee.rows(Role.QUERY), settings.queryTokens(), "query-tokens");
            passages = cut(trainee.rows(Role.PASSAGE), settings.maxTokens(), "max-tokens");
        }

        private TextRows cut(TextRows rows, int most, String setting) {
            if (most > rows.maxTokens()) {
                throw new UsageException(setting + " is " + most + ": " + recipe.name() + " reads " + rows.maxTokens()
                        + " tokens (max-tokens in its recipe)");
            }
            return most == 0 ? rows : new TextRows(rows.tokenizer(), rows.template(), rows.prompt(), most);
        }

        TokenRow query(Pair pair) {
            return queries.row(pair.query());
        }

        TokenRow passage(Pair.Text passage) {
            return passages.row(passage.text());
        }
    }

    private TrainingRecord record(Texts texts) {
        return new TrainingRecord(
                TrainingRecord.SCHEMA,
                Version.text(),
                Torch.version(),
                engine.device().toString(),
                recipe.record(),
                ownDigest(recipe.model().graph().files()),
                settings.fields().toMap(),
                data(texts),
                steps,
                List.of(),
                new TreeMap<>());
    }

    /** Returns the digest of all files that the initial model reads and that may change under its recipe, or "". */
    private String ownDigest(ModelFiles files) {
        String graph = files.ownDigest(engine.home()).orElse("");
        return Architecture.of(recipe)
                .ownDigest(files, engine.home())
                .map(inside -> Checksums.sha256(Stream.of(graph, inside)))
                .orElse(graph);
    }

    private record Counted(long passage, long query, boolean truncated, boolean cut) {}

    private TrainingRecord.Data data(Texts texts) {
        List<Pair> pairs = set.pairs();
        Counted[] counted = new Counted[pairs.size()];
        Parallel.forChunks(engine.threads(), counted.length, PAIRS_AT_ONCE, () -> (from, to) -> {
            for (int i = from; i < to; i++) {
                Pair pair = pairs.get(i);
                TokenRow passage = texts.passage(pair.passage());
                boolean truncated = passage.seen() != TokenRow.WHOLE;
                counted[i] = new Counted(
                        passage.size(),
                        texts.query(pair).size(),
                        truncated,
                        truncated && pair.evidenceEnd() > passage.seen());
            }
        });
        List<Counted> all = List.of(counted);
        boolean known = pairs.stream().anyMatch(pair -> pair.evidenceEnd() != Pair.UNKNOWN);
        return new TrainingRecord.Data(
                set.path().toString(),
                set.sha256(),
                pairs.size(),
                set.documents(),
                all.stream().mapToLong(Counted::passage).sum(),
                all.stream().mapToLong(Counted::query).sum(),
                (int) all.stream().filter(Counted::truncated).count(),
                known ? (int) all.stream().filter(Counted::cut).count() : null,
                set.negatives() == 0 ? null : set.negatives());
    }

    private void train(Trainee trainee, Texts texts, TrainingRecord record, List<Double> losses) {
        say(record.data());
        Pace pace = new Pace(losses.size());
        try (Progress.Step progress = engine.progress().start("train on " + set.path(), steps - losses.size())) {
            for (int step = losses.size(); step < steps; step++) {
                losses.add(step(trainee, texts, step, pace));
                progress.advance(1);
                pace.tell(losses);
                if (losses.size() % settings.checkpoint() == 0 && losses.size() < steps) {
                    folder.keep(trainee, record.with(losses));
                }
            }
        }
        folder.finish(trainee, record.with(losses));
    }

    private void say(TrainingRecord.Data data) {
        String cut =
                data.evidenceCut() == null ? "" : ", and of " + data.evidenceCut() + " the evidence is behind the cut";
        engine.say(String.format(
                Locale.ROOT,
                "%s: %,d pairs%s, %,d documents, %,d tokens; %,d passages are cut%s; %,d steps",
                set.path(),
                data.pairs(),
                data.negatives() == null ? "" : String.format(Locale.ROOT, " with %,d hard negatives", data.negatives()),
                data.documents(),
                data.tokens(),
                data.truncated(),
                cut,
                steps));
    }

    private double step(Trainee trainee, Texts texts, int step, Pace pace) {
        List<Pair> batch = batch(step);
        List<TokenRow> rows = new ArrayList<>();
        batch.forEach(pair -> rows.add(texts.query(pair)));
        InfoNce.texts(batch).forEach(passage -> rows.add(texts.passage(passage)));
        float[][] vectors = trainee.vectors(rows);
        int n = batch.size();
        InfoNce loss =
                InfoNce.of(batch, Arrays.copyOf(vectors, n), Arrays.copyOfRange(vectors, n, rows.size()), settings.scale());
        refuseInfinite("loss", loss.loss(), step, batch);
        double length = trainee.learn(Stream.concat(Arrays.stream(loss.toQueries()), Arrays.stream(loss.toPassages()))
                .toArray(float[][]::new));
        refuseInfinite("gradient", length, step, batch);
        trainee.update(settings.rate(step, steps), length);
        pace.add(rows.stream().mapToLong(TokenRow::size).sum());
        return loss.loss();
    }

    private void refuseInfinite(String what, double value, int step, List<Pair> batch) {
        if (!Double.isFinite(value)) {
            int last = step / settings.checkpoint() * settings.checkpoint();
            throw new PosbiasException(
                    "the " + what + " of step " + (step + 1) + " is " + value + " (its batch begins with "
                            + batch.getFirst().id() + "): a lower learning-rate may help"
                            + (last == 0 ? "" : "; the checkpoint behind step " + last + " is in " + folder.path()));
        }
    }

    /** Returns the batch of a step. The order of the pairs is random in each epoch; hard negatives take turns. */
    private List<Pair> batch(int step) {
        int ofEpoch = settings.stepsOfEpoch(set.pairs().size());
        int from = step % ofEpoch * settings.batch();
        int epoch = step / ofEpoch;
        List<Integer> order = order(epoch);
        return order.subList(from, Math.min(order.size(), from + settings.batch())).stream()
                .map(i -> set.pairs().get(i).inEpoch(epoch, settings.negatives()))
                .toList();
    }

    private List<Integer> order(int epoch) {
        String seed = settings.seed() + "\n" + epoch + "\n";
        String[] keys = IntStream.range(0, set.pairs().size())
                .mapToObj(i -> Checksums.sha256((seed + i).getBytes(StandardCharsets.UTF_8)))
                .toArray(String[]::new);
        return IntStream.range(0, keys.length)
                .boxed()
                .sorted(Comparator.comparing(i -> keys[i]))
                .toList();
    }

    /** Throughput of the training. */
    private final class Pace {
        private final Session session = engine.session();
        private final long began = session.clock().getAsLong();
        private final int first;
        private long tokens;

        Pace(int first) {
            this.first = first;
        }

        void add(long more) {
            tokens += more;
        }

        /** Reports loss, throughput and remaining time about 20 times in a training. */
        void tell(List<Double> losses) {
            int done = losses.size();
            if (done == steps || done % Math.max(1, steps / LINES) == 0) {
                double seconds = (session.clock().getAsLong() - began) / Progress.NANOS;
                engine.say(String.format(
                        Locale.ROOT,
                        "step %d of %d: loss %.4f, %,.0f tokens/s, %,.0f s left",
                        done,
                        steps,
                        losses.getLast(),
                        tokens / seconds,
                        seconds / (done - first) * (steps - done)));
            }
        }
    }
}
