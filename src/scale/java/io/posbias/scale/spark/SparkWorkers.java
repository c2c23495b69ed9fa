package io.posbias.scale.spark;

import io.posbias.PosbiasException;
import io.posbias.Temporary;
import io.posbias.encode.Engine;
import io.posbias.encode.Workers;
import io.posbias.scale.SparkSettings;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/** Executors of Apache Spark. A block is a task; one that fails or whose executor is lost is done again elsewhere. */
public final class SparkWorkers implements Workers, AutoCloseable {
    private final JavaSparkContext context;
    private final Engine engine;
    private final Handshake home;
    private boolean seeFiles;
    private final int cpus;
    private final Map<String, SentFile> files = new LinkedHashMap<>();
    private final Path names = Temporary.folder("sent");
    private final AtomicInteger jobs = new AtomicInteger();

    private SparkWorkers(JavaSparkContext context, Engine engine) {
        this.context = context;
        this.engine = engine;
        this.cpus = context.getConf().getInt(SparkSettings.TASK_CPUS, 1);
        this.home = Handshake.of(engine.home());
    }

    /**
     * Connects to a master.
     *
     * @param engine what runs where nothing is given away, and says what executors' models run on
     * @throws PosbiasException if the master does not answer
     */
    public static SparkWorkers open(SparkSettings settings, Engine engine) {
        return engine.session().step("connect to Spark", () -> connect(settings, engine));
    }

    /** Looks for the driver's home. */
    private record Look() implements Block<Handshake, Boolean> {
        @Override
        public String name() {
            return "POSBIAS_HOME";
        }

        @Override
        public Boolean run(Handshake home, Engine worker) {
            return home.isSeen();
        }

        @Override
        public List<Look> pieces() {
            return List.of();
        }
    }

    /** Settles what executors see; one that comes later and sees less is refused. */
    private void look() {
        SparkConf conf = context.getConf();
        if (conf.contains(SparkSettings.SEND)) {
            seeFiles = !conf.getBoolean(SparkSettings.SEND, false);
        } else if (context.isLocal()) {
            seeFiles = true;
        } else if (engine.keepVectors()) {
            // Vectors that are not kept are in a temporary folder of this machine.
            boolean[] seen = {true};
            run("look for POSBIAS_HOME", home, Collections.nCopies(slots(), new Look()), found -> seen[0] &= found);
            seeFiles = seen[0];
        }
        if (!seeFiles) {
            engine.say("Spark's executors do not share POSBIAS_HOME: they are sent models and vectors");
        }
    }

    private static SparkWorkers connect(SparkSettings settings, Engine engine) {
        SparkConf conf = SparkConfs.of(settings, engine.session());
        String master = conf.get(SparkSettings.MASTER);
        try {
            JavaSparkContext context = new JavaSparkContext(conf);
            refuseStopped(context);
            return looking(new SparkWorkers(context, engine));
        } catch (PosbiasException known) {
            throw known;
        } catch (Exception refused) {
            // Scala throws what it does not declare.
            String reason = String.valueOf(refused.getMessage());
            throw new PosbiasException(
                    "cannot start Spark on " + master + ": "
                            + (reason.contains("Could not parse Master URL")
                                    ? "this Spark knows no such master; yarn and k8s need spark-submit of a distribution"
                                    : reason.lines().findFirst().orElse(reason)),
                    refused);
        }
    }

    private static SparkWorkers looking(SparkWorkers workers) {
        try {
            workers.look();
            return workers;
        } catch (RuntimeException failure) {
            workers.close();
            throw failure;
        }
    }

    private static void refuseStopped(JavaSparkContext context) {
        if (context.sc().isStopped()) {
            throw new PosbiasException("Spark has stopped: its master "
                    + context.getConf().get(SparkSettings.MASTER) + " does not answer, or ended the application");
        }
    }

    @Override
    public boolean seeFiles() {
        return seeFiles;
    }

    @Override
    public synchronized void send(Path file, String place) {
        if (files.containsKey(place)) {
            return;
        }
        SentFile one = SentFile.of(file, place, names);
        if (files.values().stream().noneMatch(other -> other.name().equals(one.name()))) {
            context.addFile(one.in(names).toUri().toString());
        }
        files.put(place, one);
    }

    private synchronized Worker worker() {
        return new Worker(
                seeFiles ? home : home.apart(),
                new ArrayList<>(files.values()),
                engine.device().toString(),
                cpus,
                engine.batchTokens());
    }

    @Override
    public int slots() {
        refuseStopped(context);
        return Math.max(1, context.defaultParallelism() / cpus);
    }

    @Override
    public <S extends Serializable, R extends Serializable> void run(
            String label, S shared, List<? extends Block<S, R>> blocks, Consumer<R> done) {
        refuseStopped(context);
        Broadcast<S> sent = context.broadcast(shared);
        try {
            Optional<Failure> failure = attempt(label, sent, blocks, done);
            if (failure.isPresent()) {
                failed(label, sent, blocks, done, failure.get());
            }
        } finally {
            if (!context.sc().isStopped()) {
                sent.destroy();
            }
        }
    }

    /** Does what failed piece by piece, to name the piece that does, and what had not been done yet. */
    private <S extends Serializable, R extends Serializable> void failed(
            String label, Broadcast<S> sent, List<? extends Block<S, R>> blocks, Consumer<R> done, Failure failure) {
        if (failure.block < 0) {
            throw new PosbiasException(label + ": " + failure.reason);
        }
        Block<S, R> poisoned = blocks.get(failure.block);
        List<? extends Block<S, R>> pieces = poisoned.pieces();
        Optional<Failure> found =
                pieces.isEmpty() ? Optional.empty() : attempt(label + ", one by one", sent, pieces, done);
        if (pieces.isEmpty() || found.isPresent()) {
            String name = found.filter(one -> one.block >= 0)
                    .map(one -> pieces.get(one.block).name())
                    .orElse(poisoned.name());
            String reason = found.map(Failure::reason).orElse(failure.reason);
            throw new PosbiasException(label + ": " + name + " failed " + attempts() + ": " + reason);
        }
        List<Block<S, R>> left = IntStream.range(0, blocks.size())
                .filter(i -> i != failure.block && !failure.finished.get(i))
                .<Block<S, R>>mapToObj(blocks::get)
                .toList();
        if (!left.isEmpty()) {
            attempt(label, sent, left, done).ifPresent(next -> failed(label, sent, left, done, next));
        }
    }

    private String attempts() {
        int times = context.isLocal() ? 1 : context.getConf().getInt("spark.task.maxFailures", 4);
        return times == 1 ? "once" : times + " times";
    }

    /**
     * Why a job ended before its time.
     *
     * @param block which of its blocks failed; -1 where it was none
     * @param finished the blocks that were done
     */
    private record Failure(int block, String reason, BitSet finished) {}

    private <S extends Serializable, R extends Serializable> Optional<Failure> attempt(
            String label, Broadcast<S> sent, List<? extends Block<S, R>> blocks, Consumer<R> done) {
        String group = "posbias-" + jobs.incrementAndGet();
        context.setJobGroup(group, label, false);
        context.setCallSite(label);
        BitSet finished = new BitSet();
        try {
            Job.run(context, new ArrayList<Block<S, R>>(blocks), new Task<>(worker(), sent), (place, outcome) -> {
                finished.set(place);
                done.accept(outcome);
            });
            return Optional.empty();
        } catch (SparkException aborted) {
            Reason reason = Reason.of(aborted);
            return Optional.of(new Failure(reason.task(), reason.text(), finished));
        } catch (InterruptedException stopped) {
            context.cancelJobGroup(group);
            Thread.currentThread().interrupt();
            throw new PosbiasException("interrupted", stopped);
        } catch (RuntimeException | Error failure) {
            // What came of a block could not be kept: the others would be done in vain.
            context.cancelJobGroup(group);
            throw failure;
        } finally {
            context.clearJobGroup();
            context.clearCallSite();
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
