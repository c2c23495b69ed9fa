package io.posbias.faults;

import io.posbias.base.files.StagingProcess;
import io.posbias.cli.Cli;
import io.posbias.faults.Campaign.Defect;
import io.posbias.faults.Traced.Ended;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same command several times at once, each in a PID namespace of its own, as in containers that share a folder: all are
 * process 1 there, so process ids say nothing. What they make is whole; whoever comes second waits, and ends as if it had
 * been started later.
 */
@Tag("faults")
@Tag("slow")
class NamespacesTest {
    private static final String SORT = "two PID namespaces";
    private static final String NO_NAMESPACES = "skipped: PID namespaces cannot be made here (unshare)";
    private static final int PROCESSES = Campaign.FULL ? 4 : 2;
    private static final int ROUNDS = Campaign.FULL ? 4 : 1;
    private static final List<String> COMMANDS = Campaign.FULL
            ? List.of(
                    "SQuAD JSON",
                    "benchmark's dataset.yaml",
                    "dense model's recipe.yaml",
                    "Re-DocRED for probe build",
                    "recipe of a model on the Hub",
                    "pairs of probes",
                    "documents of a pipeline",
                    "pairs of a training",
                    "SQuAD JSON, checked",
                    "queries of a mitigation")
            : List.of("SQuAD JSON");
    /** Commands that fill one cache and write to two folders. */
    private static final List<String> SHARING =
            Campaign.FULL ? List.of("dense model's recipe.yaml", "cache of scores") : List.of();

    private static final String OTHER = "other";

    @TempDir
    Path temp;

    @Test
    void twoAtOnceLoseNothing() throws Exception {
        Assumptions.assumeTrue(StagingProcess.hasNamespaces(), NO_NAMESPACES);
        Assumptions.assumeTrue(Traced.unavailable().isEmpty(), Traced.unavailable());
        try (FileKinds kinds = new FileKinds(temp);
                ExecutorService pool = Executors.newFixedThreadPool(PROCESSES)) {
            Traced traced = Traced.in(temp);
            for (String name : COMMANDS) {
                FileKind kind = kinds.make(name);
                meet(traced, kind, kind, pool);
            }
            for (String name : SHARING) {
                FileKind kind = kinds.make(name);
                meet(traced, kind, kind.withOut(OTHER), pool);
            }
        }
        Campaign.check(SORT);
    }

    private static void meet(Traced traced, FileKind kind, FileKind other, ExecutorService pool) throws Exception {
        Folder folder = kind.folder();
        folder.delete(FileKind.OUT);
        folder.delete("home");
        Map<String, byte[]> sound = folder.contents();
        kind.run();
        Map<String, String> right = Products.of(folder);
        boolean sharing = !other.equals(kind);
        for (int round = 0; round < ROUNDS; round++) {
            folder.restore(sound);
            String what = kind + (sharing ? ", sharing, round " : ", round ") + round;
            all(traced, kind, other, pool, round);
            if (sharing) {
                // Each has written what one alone writes, and the cache that both filled gives that again.
                Map<String, String> written = folder.digests(OTHER, FileKind::isResult);
                Map<String, String> first = folder.digests(FileKind.OUT, FileKind::isResult);
                if (written.isEmpty() || !List.copyOf(written.values()).equals(List.copyOf(first.values()))) {
                    Campaign.found(SORT, Defect.WRONG_BYTES, what + ": " + first + " and " + written);
                }
                Judge.leftovers(SORT, what, folder.files());
                folder.delete(OTHER);
                judge(kind, right, what);
                folder.delete(FileKind.OUT);
                kind.run();
            }
            judge(kind, right, what);
        }
    }

    /** strace holds each back before it renames for the first time, so that they meet. */
    private static void all(Traced traced, FileKind kind, FileKind other, ExecutorService pool, int round)
            throws Exception {
        List<String> slow = List.of(
                "strace",
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-e",
                "trace=rename",
                "-e",
                "inject=rename:delay_enter=" + (round + 1) * 300_000 + ":when=1");
        List<String> before =
                Stream.of(StagingProcess.NAMESPACE, slow).flatMap(List::stream).toList();
        List<Future<Ended>> all = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            FileKind own = i % 2 == 0 ? kind : other;
            all.add(pool.submit(() -> traced.start(before, own)));
        }
        int done = 0;
        for (Future<Ended> one : all) {
            Cli.Ended ended = one.get().cli();
            done += ended.code() == 0 ? 1 : 0;
            boolean isUsual =
                    ended.code() == 0 || (ended.code() == 2 && ended.err().contains("--overwrite"));
            if (!isUsual) {
                Campaign.found(
                        SORT,
                        Defect.WRONG_BYTES,
                        kind + ", round " + round + ": " + ended.err().strip());
            }
            Campaign.tried(SORT, ended.code() == 0);
            Judge.ending(SORT, kind + ", round " + round, ended);
            if (one.get().hung()) {
                Campaign.found(SORT, Defect.HANG, kind + ", round " + round);
            }
        }
        if (done == 0) {
            Campaign.found(SORT, Defect.WRONG_BYTES, kind + ", round " + round + ": all failed");
        }
    }

    private static void judge(FileKind kind, Map<String, String> right, String what) throws IOException {
        Map<String, String> products = Products.of(kind.folder());
        if (!products.equals(right)) {
            Campaign.found(SORT, Defect.WRONG_BYTES, what + " -> " + Products.difference(right, products));
        }
        Judge.leftovers(SORT, what, kind.folder().files());
    }
}
