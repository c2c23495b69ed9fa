package io.posbias.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.faults.Campaign.Defect;
import io.posbias.faults.FileKind.Digest;
import io.posbias.faults.FileKind.Given;
import io.posbias.faults.Mutator.Broken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Broken files of every kind that posbias reads: each is read as what it says, or refused in one line. */
@Tag("faults")
@Tag("slow")
class MutatedFilesTest {
    private static final int MUTATIONS = Integer.getInteger("posbias.faults.files", Campaign.FULL ? 90 : 4);
    /** One of so many has spaces without end. */
    private static final int SPACED = 10;

    private static final Pattern ONLY = Pattern.compile(System.getProperty("posbias.faults.kind", ""));

    private static final ExecutorService RUNNERS =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

    @TempDir
    Path temp;

    @Test
    void brokenFilesAreReadRightOrRefused() throws IOException, SQLException, InterruptedException {
        try (FileKinds kinds = new FileKinds(temp)) {
            List<String> names =
                    kinds.names().stream().filter(ONLY.asPredicate()).toList();
            for (String name : names) {
                tryAll(kinds.make(name));
            }
            Campaign.check(names.stream().map(MutatedFilesTest::sort).toArray(String[]::new));
        }
    }

    /** A kind that is new is tried by a campaign, whose counts are then those of the page. */
    @Test
    void thePageCountsAllKinds() throws IOException {
        try (FileKinds kinds = new FileKinds(temp)) {
            assertThat(Files.readString(Path.of("docs", "faults.md")))
                    .contains("| broken files of " + kinds.names().size() + " kinds | ");
        }
    }

    private static String sort(String kind) {
        return "file: " + kind;
    }

    private static void tryAll(FileKind kind) throws IOException, InterruptedException {
        Map<String, byte[]> sound = kind.folder().contents();
        byte[] whole = Files.readAllBytes(kind.path());
        Given right = kind.run();
        if (right.ended().code() != 0) {
            throw new AssertionError(kind + ": " + right.ended().err());
        }
        Mutator mutator = new Mutator(Campaign.random(kind.name()));
        for (int i = 0; i < MUTATIONS; i++) {
            kind.folder().restore(sound);
            Broken broken =
                    i % SPACED == 0 ? mutator.spaced(whole, kind.coding()) : mutator.mutate(whole, kind.coding());
            kind.write(broken.bytes());
            if (!tryOne(kind, whole, right, broken, i + ": " + broken.change())) {
                return;
            }
        }
        kind.folder().restore(sound);
    }

    /** Whether the folder may be used again: a command that hangs still uses it. */
    private static boolean tryOne(FileKind kind, byte[] whole, Given right, Broken broken, String change)
            throws InterruptedException {
        // Not on the pool that all share: java.net.http needs one of its threads.
        Future<Given> run = RUNNERS.submit(kind::run);
        try {
            Given given = run.get(Campaign.HANG_SECONDS, TimeUnit.SECONDS);
            Campaign.tried(sort(kind.name()), given.ended().code() == 0);
            Judge.ending(sort(kind.name()), change, given.ended());
            if (given.ended().code() == 0 && isSame(kind, whole, broken.bytes()) && !isEqual(given, right)) {
                Campaign.found(sort(kind.name()), Defect.WRONG_BYTES, change);
            }
            Judge.leftovers(sort(kind.name()), change, kind.folder().files());
            return true;
        } catch (TimeoutException hangs) {
            Campaign.tried(sort(kind.name()), false);
            Campaign.found(sort(kind.name()), Defect.HANG, change);
            return false;
        } catch (ExecutionException thrown) {
            Campaign.tried(sort(kind.name()), false);
            Campaign.found(sort(kind.name()), Defect.STACK_TRACE, change + ": " + thrown.getCause());
            return true;
        }
    }

    private static boolean isEqual(Given one, Given other) {
        return one.ended().out().equals(other.ended().out()) && one.files().equals(other.files());
    }

    /** Whether the same must come of it: it is sealed by a digest elsewhere, or says the same. */
    private static boolean isSame(FileKind kind, byte[] whole, byte[] broken) {
        return kind.digest() == Digest.KEPT || Arrays.equals(whole, broken) || Meaning.same(kind, whole, broken);
    }
}
