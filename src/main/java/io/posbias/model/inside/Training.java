package io.posbias.model.inside;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.LockFile;
import io.posbias.base.files.Staging;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.base.process.UsageException;
import io.posbias.base.process.Version;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.worker.WorkerTraining;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.WorkerRecipe;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Contrastive training of a dense encoder on pairs, in a worker. The seed determines the order of the pairs. Training resumed
 * from a checkpoint gives the same weights as training without interruption.
 */
public final class Training {
    private static final int LINES = 20;

    private final Recipe recipe;
    private final TrainingSet set;
    private final TrainingSettings settings;
    private final Engine engine;
    private final TrainedFolder folder;
    private final List<Integer> bins;
    private final int steps;

    /**
     * Prepares trainings without loading the model.
     *
     * @param recipe of the initial model
     * @param orders of the same data
     * @throws UsageException if the model cannot be trained, or an order names no settings or folder that can be used
     * @throws PosbiasException if Python or a library is missing, or the data cannot be trained with
     */
    public static List<Training> of(Recipe recipe, List<TrainingOrder> orders, Engine engine) {
        List<TrainingSettings> settings =
                orders.stream().map(TrainingSettings::of).toList();
        check(recipe, engine);
        TrainingSet set = TrainingSet.read(orders.getFirst().data());
        List<Training> trainings = new ArrayList<>();
        for (int i = 0; i < orders.size(); i++) {
            trainings.add(
                    new Training(recipe, settings.get(i), set, orders.get(i).out(), engine));
        }
        return trainings;
    }

    private static void check(Recipe recipe, Engine engine) {
        InsideModel.check(recipe, engine.session());
        if (recipe instanceof DenseRecipe dense && dense.model().queryEncoder() != null) {
            throw new UsageException(recipe.name()
                    + " has an encoder for queries of its own: only models with one encoder can be trained");
        }
        if (recipe instanceof WorkerRecipe worker && !worker.given().isOwn()) {
            throw new UsageException(recipe.name()
                    + " has a worker of its own: posbias trains what its own loads, --model st:FOLDER or st:ORG/NAME");
        }
    }

    private Training(Recipe recipe, TrainingSettings settings, TrainingSet set, Path out, Engine engine) {
        this.recipe = recipe;
        this.settings = settings;
        this.set = set;
        this.engine = engine;
        this.folder = new TrainedFolder(out, recipe, engine.session());
        this.bins = settings.bins(set.pairs());
        this.steps = settings.steps(bins);
        String name = String.valueOf(out.toAbsolutePath().normalize().getFileName());
        if (!FileNames.isModel(name)) {
            throw new UsageException("--out " + out
                    + ": the model is called as its folder, and a name is made of letters, digits and . _ + -");
        }
    }

    /**
     * Trains, from the last checkpoint if there is one. A finished training is not repeated.
     *
     * @return the finished training
     * @throws PosbiasException if the loss is not finite; the last checkpoint is kept
     */
    public Trained run() {
        LockFile claimed = folder.claim();
        try (claimed;
                InsideModel model = InsideModel.forTraining(recipe, engine)) {
            return new Trained(folder.path().resolve(TrainedFolder.RECIPE), run(model));
        }
    }

    private TrainingRecord run(InsideModel model) {
        TrainingRecord fresh = record(model);
        TrainingRecord begun = folder.begun(fresh).orElse(null);
        if (begun == null || begun.losses().size() < steps) {
            return train(model, fresh, begun);
        }
        folder.verifyFinished(begun);
        engine.say(folder.path() + " holds this training already: nothing is to be done");
        return begun;
    }

    /** A finished training, with the recipe's file. */
    public record Trained(Path recipe, TrainingRecord record) {}

    private TrainingRecord record(InsideModel model) {
        return new TrainingRecord(
                TrainingRecord.SCHEMA,
                Version.text(),
                model.engine(),
                recipe.record(),
                ownDigest(),
                settings.fields().toMap(),
                TrainingRecord.Data.of(set, bins),
                steps,
                List.of(),
                new TreeMap<>());
    }

    /** Returns the digest of all files that the initial model reads and that may change under its recipe, or "". */
    private String ownDigest() {
        List<String> digests = new ArrayList<>(recipe.code(engine.home()).toList());
        if (recipe instanceof DenseRecipe dense) {
            Stream.of(
                            dense.model().graph().files().ownDigest(engine.home()),
                            Architecture.of(dense).ownDigest(engine.home()))
                    .flatMap(Optional::stream)
                    .forEach(digests::add);
        }
        return digests.isEmpty() ? "" : Checksums.sha256(digests.stream());
    }

    private TrainingRecord train(InsideModel model, TrainingRecord fresh, @Nullable TrainingRecord begun) {
        List<Double> losses = new ArrayList<>(begun == null ? List.of() : begun.losses());
        Path checkpoint = begun == null ? null : folder.verified(begun);
        try (Staging scratch = Staging.temporary("pairs", engine.session().shutdown())) {
            WorkerTraining training = model.passages()
                    .train(
                            new WorkerTraining.Plan(
                                    written(scratch.folder()), settings, steps, settings.warmUpSteps(steps)),
                            losses.size(),
                            checkpoint);
            TrainingRecord record = fresh.with(fresh.data().with(training.counts()));
            say(record.data());
            if (!losses.isEmpty()) {
                engine.say("goes on behind step " + losses.size() + " of " + steps);
            }
            return steps(training, record, losses);
        }
    }

    private Path written(Path scratch) {
        Path file = scratch.resolve("pairs.jsonl");
        IoErrors.run("write", file, () -> {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                for (Pair pair : set.pairs()) {
                    out.write(Json.toLine(pair.row()));
                }
            }
        });
        return file;
    }

    private TrainingRecord steps(WorkerTraining training, TrainingRecord record, List<Double> losses) {
        Pace pace = new Pace(losses.size());
        try (Progress.Step progress = engine.progress().start("train on " + set.path(), steps - losses.size())) {
            while (losses.size() < steps) {
                pace.add(step(training, losses));
                progress.advance(1);
                pace.tell(losses);
                if (losses.size() % settings.checkpoint() == 0 && losses.size() < steps) {
                    folder.keep(training, record.with(losses));
                }
            }
        }
        folder.finish(training, record.with(losses));
        return record.with(losses);
    }

    /** Trains a step and returns its tokens. */
    private long step(WorkerTraining training, List<Double> losses) {
        int step = losses.size() + 1;
        try {
            WorkerTraining.Step done = training.step(step);
            losses.add(done.loss());
            return done.tokens();
        } catch (PosbiasException failed) {
            int last = losses.size() / settings.checkpoint() * settings.checkpoint();
            throw new PosbiasException(
                    failed.line() + " (step " + step + " of " + steps
                            + (last == 0
                                    ? ")"
                                    : "; the checkpoint behind step " + last + " is in " + folder.path() + ")"),
                    failed);
        }
    }

    private void say(TrainingRecord.Data data) {
        String truncated = data.truncated() == null
                ? ""
                : String.format(Locale.ROOT, " %,d passages are cut", data.truncated())
                        + (data.evidenceCut() == null
                                ? ""
                                : ", and of " + data.evidenceCut() + " the evidence is behind the cut")
                        + ";";
        engine.say(String.format(
                Locale.ROOT,
                "%s: %,d pairs%s%s, %,d documents, %,d tokens;%s %,d steps%s",
                set.path(),
                data.pairs(),
                data.lengthBins() == null ? "" : " in length bins of " + join(data.lengthBins()),
                data.negatives() == null
                        ? ""
                        : String.format(Locale.ROOT, " with %,d hard negatives", data.negatives()),
                data.documents(),
                data.passageTokens() + data.queryTokens(),
                truncated,
                steps,
                alone()));
    }

    private static String join(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** Names batches without a negative: the last ones of bins, of one pair without a hard negative. */
    private String alone() {
        long alone = settings.negatives() > 0 && set.negatives() > 0
                ? 0
                : bins.stream().filter(pairs -> pairs % settings.batch() == 1).count();
        return alone == 0 ? "" : "; each epoch has " + alone + " batches of a single pair, which teach nothing";
    }

    /** Throughput of the training. */
    private final class Pace {
        private final long began = now();
        private final int first;
        private long tokens;

        Pace(int first) {
            this.first = first;
        }

        private long now() {
            return engine.session().clock().getAsLong();
        }

        void add(long more) {
            tokens += more;
        }

        /** Reports loss, throughput and remaining time about 20 times in a training. */
        void tell(List<Double> losses) {
            int done = losses.size();
            if (done == steps || done % Math.max(1, steps / LINES) == 0) {
                double seconds = (now() - began) / Progress.NANOS;
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
