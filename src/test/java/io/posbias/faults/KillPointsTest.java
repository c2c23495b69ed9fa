package io.posbias.faults;

import io.posbias.faults.Campaign.Defect;
import io.posbias.faults.Traced.Call;
import io.posbias.faults.Traced.Ended;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands that are killed at a system call, or whose system call fails, and then run again: the same bytes as without, and
 * nothing left over.
 */
@Tag("faults")
@Tag("slow")
class KillPointsTest {
    private static final int KILLS = Integer.getInteger("posbias.faults.kills", Campaign.FULL ? 11 : 6);
    private static final int ERRORS = Integer.getInteger("posbias.faults.errors", Campaign.FULL ? 6 : 1);
    private static final String ONLY = System.getProperty("posbias.faults.kind", "");

    /** Those that are always tried: about 50 kills in less than two minutes. */
    private static final List<String> FEW = List.of(
            "SQuAD JSON",
            "documents of a pipeline",
            "recipe of a worker",
            "queries of a mitigation",
            "result.json on a page",
            "pairs of probes",
            "recipe of a model on the Hub",
            "windows of a pipeline");

    private static final List<String> ALL = List.of(
            "SQuAD JSON",
            "SQuAD rows, Parquet",
            "articles for windows",
            "queries of a sample",
            "benchmark's dataset.yaml",
            "dense model's recipe.yaml",
            "TREC run, run.trec.gz",
            "queries.csv, pooled",
            "experiment",
            "Re-DocRED for probe build",
            "pairs of probes",
            "ColDeR pairs",
            "result.json on a page",
            "result.json in figures",
            "result.json for MTEB",
            "recipe of a model on the Hub",
            "corpus of references",
            "cache of replies",
            "cache of scores",
            "documents of a pipeline",
            "pairs of a training",
            "windows' queries.jsonl, diagnosed, behind its digest",
            "queries on the page of saliency",
            "queries on the page of tokens",
            "recipe of a worker",
            "SQuAD JSON, checked",
            "queries of a mitigation",
            "queries of answers, behind its digest",
            "windows of a pipeline",
            "reversed queries",
            "queries of moved evidence",
            "queries of segments",
            "queries of second evidence",
            "judgements to be verified",
            "result.json of a gate's report");

    /** A kill there is as one at the next call that changes something. */
    private static final Set<String> READING = Set.of("read", "fcntl");

    @TempDir
    Path temp;

    @Test
    void whatIsKilledOrFailsIsWholeAfterTheNextRun() throws Exception {
        Assumptions.assumeTrue(Traced.unavailable().isEmpty(), Traced.unavailable());
        List<String> names;
        List<ExecutionException> broken = new ArrayList<>();
        try (FileKinds kinds = new FileKinds(temp);
                ExecutorService pool = Executors.newFixedThreadPool(2)) {
            Traced traced = Traced.in(temp);
            names = names(kinds);
            List<Callable<Boolean>> series = names.stream()
                    .map(name -> (Callable<Boolean>) () -> {
                        new Series(traced, kinds.make(name)).run();
                        return true;
                    })
                    .toList();
            for (Future<Boolean> one : pool.invokeAll(series)) {
                try {
                    one.get();
                } catch (ExecutionException failed) {
                    broken.add(failed);
                }
            }
        }
        Campaign.check(names.stream()
                .flatMap(name -> Stream.of("kill: " + name, "error: " + name))
                .toArray(String[]::new));
        // Those of other kinds are counted all the same.
        if (!broken.isEmpty()) {
            throw broken.getFirst();
        }
    }

    private static List<String> names(FileKinds kinds) {
        if (!Campaign.FULL && ONLY.isEmpty()) {
            return FEW;
        }
        Stream<String> texts = kinds.names().stream().filter(name -> name.startsWith(FileKinds.TEXT_OF));
        return Stream.concat(ALL.stream(), texts)
                .filter(name -> Stream.of(ONLY.split(";", -1)).anyMatch(name::contains))
                .toList();
    }

    private static final class Series {
        private final Traced traced;
        private final FileKind kind;
        private final Map<String, byte[]> sound;
        private final Map<String, String> right;
        private final String out;
        private final List<Call> calls;
        private final SplittableRandom random;

        Series(Traced traced, FileKind kind) throws IOException, InterruptedException {
            this.traced = traced;
            this.kind = kind;
            kind.folder().delete(FileKind.OUT);
            this.sound = kind.folder().contents();
            Ended first = traced.run(kind);
            if (first.cli().code() != 0) {
                throw new AssertionError(kind + ": " + first.cli().err());
            }
            this.out = first.cli().out();
            this.right = Products.of(kind.folder());
            kind.folder().restore(sound);
            this.calls = traced.calls(kind);
            this.random = Campaign.random("calls " + kind.name());
        }

        void run() throws IOException, InterruptedException {
            for (Call call : drawn(KILLS, call -> !READING.contains(call.name()))) {
                kind.folder().restore(sound);
                Ended killed = traced.inject(kind, call, "signal=KILL");
                String what = call.name() + " " + call.number() + " (" + cut(call.arguments()) + ")";
                Campaign.tried("kill: " + kind, killed.cli().code() == 0);
                again("kill: " + kind, what);
            }
            lastRun("kill: " + kind);
            for (Call call : drawn(ERRORS, call -> true)) {
                kind.folder().restore(sound);
                List<String> errors = Objects.requireNonNull(Traced.CALLS.get(call.name()));
                String error = errors.get(random.nextInt(errors.size()));
                Ended failed = traced.inject(kind, call, "error=" + error);
                String what = error + " of " + call.name() + " " + call.number() + " (" + cut(call.arguments()) + ")";
                Campaign.tried("error: " + kind, failed.cli().code() == 0);
                Judge.ending("error: " + kind, what, failed.cli());
                if (failed.hung()) {
                    Campaign.found("error: " + kind, Defect.HANG, what);
                }
                again("error: " + kind, what);
            }
            lastRun("error: " + kind);
            Campaign.write();
        }

        private static String cut(String arguments) {
            return arguments.substring(0, Math.min(160, arguments.length()));
        }

        /** Some calls, of each name about as many. */
        private List<Call> drawn(int count, Predicate<Call> wanted) {
            Map<String, List<Call>> left = calls.stream()
                    .filter(wanted)
                    .collect(Collectors.groupingBy(Call::name, TreeMap::new, Collectors.toCollection(ArrayList::new)));
            List<Call> drawn = new ArrayList<>();
            while (drawn.size() < count && !left.isEmpty()) {
                for (List<Call> of : List.copyOf(left.values())) {
                    drawn.add(of.remove(random.nextInt(of.size())));
                }
                left.values().removeIf(List::isEmpty);
            }
            Collections.shuffle(drawn, new Random(random.nextLong()));
            return drawn.subList(0, Math.min(count, drawn.size()));
        }

        /** The same command, in this process because that is faster. */
        private void again(String sort, String fault) {
            // Parts of files that were being written are deleted a day later.
            kind.folder().age();
            FileKind.Given given = kind.run();
            boolean complete = given.ended().code() == 2 && given.ended().err().contains("--overwrite");
            if (given.ended().code() != 0 && !complete) {
                Campaign.found(
                        sort,
                        Defect.WRONG_BYTES,
                        fault + " -> again: " + given.ended().err().strip());
                return;
            }
            Map<String, String> products = Products.of(kind.folder());
            if (!products.equals(right)) {
                Campaign.found(sort, Defect.WRONG_BYTES, fault + " -> " + Products.difference(right, products));
            }
            // What is in tmp the next process deletes, which this is not: the last run looks at that.
            Judge.leftovers(
                    sort,
                    fault,
                    kind.folder().files().stream()
                            .filter(file -> !Products.isOfProcess(file))
                            .toList());
        }

        /** A process of its own deletes what those before it left among temporary files. */
        private void lastRun(String sort) throws IOException, InterruptedException {
            Map<String, byte[]> temporary = kind.folder().contents();
            temporary.keySet().removeIf(file -> !sound.containsKey(file) && !file.startsWith("tmp/"));
            kind.folder().restore(temporary);
            Ended last = traced.run(kind);
            if (!last.cli().out().equals(out)) {
                Campaign.found(
                        sort,
                        Defect.WRONG_BYTES,
                        "the last run printed " + last.cli().out() + last.cli().err());
            }
            kind.folder().files().stream()
                    .filter(file -> file.startsWith("tmp/"))
                    .forEach(file -> Campaign.found(sort, Defect.LEFTOVER, file));
            kind.folder().delete("tmp");
        }
    }
}
