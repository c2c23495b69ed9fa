package io.posbias.faults;

import io.posbias.base.files.Checksums;
import io.posbias.faults.Campaign.Defect;
import io.posbias.faults.FileKind.Given;
import io.posbias.faults.Mutator.Coding;
import io.posbias.faults.StructuredMutator.Change;
import io.posbias.faults.StructuredMutator.Oracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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

/**
 * Files with one wrong value, key, row or column, which stay well-formed and whose digests are updated: each is read as what
 * it says, or refused in one line.
 */
@Tag("faults")
@Tag("slow")
class StructuredFilesTest {
    private static final int CHANGES = Integer.getInteger("posbias.faults.structured", Campaign.FULL ? 160 : 3);

    private static final Pattern ONLY = Pattern.compile(System.getProperty("posbias.faults.kind", ""));

    /** Files that the command rewrites, keeps as they are or hashes, and those of other programs' formats. */
    private static final Pattern OTHERS = Pattern.compile(
            "finished .*|checkpoint's .*|ca(?:che|rd) of .*|pulled .*|text of .*|.*tokenizer.json|SciFact's own release|.*\\.gz"
                    + "|queries.csv, (?:compared|pooled)|.* to be verified");

    /** Changes after which a file means something else, though they look like mistakes. */
    private static final Map<String, Pattern> MEANT = Map.ofEntries(
            // A number is a text of its digits; a list may be one value.
            Map.entry(".*", Pattern.compile("(?s).*: (?:\".*|\\[.*\\]) -> (?:7|0\\.5|\"x\")")),
            // Documents need no identifiers.
            Map.entry("documents of a pipeline", Pattern.compile("(?s).*\\._id renamed .*")),
            // Prints the fields in their order, and numbers as they are written.
            Map.entry("recipe of a service", Pattern.compile("keys in another order|.*: \\d+ -> \\d+(?:\\.0|e0)")),
            // An identifier is a text of its digits.
            Map.entry("QED lines", Pattern.compile("(?s).*example_id: .*")),
            // Says of how many the sentences are unknown.
            Map.entry("HotpotQA JSON", Pattern.compile(".* renamed .*")),
            // Tags are the user's.
            Map.entry("pairs of probes|folder of probes.*", Pattern.compile("(?s).*\\.tags.*")));

    private static final ExecutorService RUNNERS =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

    @TempDir
    Path temp;

    private interface Changes {
        Change next() throws IOException, SQLException;
    }

    @Test
    void changedFilesAreReadRightOrRefused() throws IOException, SQLException, InterruptedException {
        try (FileKinds kinds = new FileKinds(temp)) {
            List<String> names = kinds.names().stream()
                    .filter(ONLY.asPredicate())
                    .filter(name -> !OTHERS.matcher(name).matches())
                    .toList();
            for (String name : names) {
                FileKind kind = kinds.make(name);
                if (kind.coding() != Coding.BINARY || kind.file().endsWith(".parquet")) {
                    tryAll(kind);
                }
            }
            Campaign.check(names.stream().map(StructuredFilesTest::sort).toArray(String[]::new));
        }
    }

    private static String sort(String kind) {
        return "structure: " + kind;
    }

    private void tryAll(FileKind kind) throws IOException, SQLException, InterruptedException {
        Map<String, byte[]> sound = kind.folder().contents();
        byte[] whole = Files.readAllBytes(kind.path());
        String digest = Checksums.sha256(kind.path());
        Given right = kind.run();
        Changes changes = changes(kind, whole);
        for (int i = 0; i < CHANGES; i++) {
            Change change = changes.next();
            kind.folder().restore(sound);
            Files.write(kind.path(), change.bytes());
            kind.replaceNearest(digest, Checksums.sha256(kind.path()));
            if (!tryOne(kind, right, change, i + ": " + change.what())) {
                return;
            }
        }
        kind.folder().restore(sound);
    }

    private Changes changes(FileKind kind, byte[] whole) throws IOException {
        if (kind.file().endsWith(".parquet")) {
            Path copy = Files.write(Files.createTempFile(temp, "sound", ".parquet"), whole);
            return new ParquetMutator(Campaign.random("structure " + kind.name()), copy)::change;
        }
        StructuredMutator mutator = new StructuredMutator(Campaign.random("structure " + kind.name()));
        return () -> mutator.change(whole, kind.file());
    }

    /** Returns false if the folder must not be used again: a command that hangs still uses it. */
    private static boolean tryOne(FileKind kind, Given right, Change change, String what) throws InterruptedException {
        String sort = sort(kind.name());
        Callable<Given> command = kind::run;
        Future<Given> run = RUNNERS.submit(command);
        try {
            Given given = run.get(Campaign.HANG_SECONDS, TimeUnit.SECONDS);
            boolean isDone = given.ended().code() == 0;
            Campaign.tried(sort, isDone);
            Judge.ending(sort, what, given.ended());
            boolean isEqual = given.ended().out().equals(right.ended().out())
                    && given.files().equals(right.files());
            if (isDone && !isEqual && change.oracle() != Oracle.OTHER && !isMeant(kind, change)) {
                Campaign.found(sort, Defect.WRONG_BYTES, what);
            }
            if (!isDone && change.oracle() == Oracle.SAME) {
                Campaign.found(
                        sort, Defect.WRONG_BYTES, what + " -> " + given.ended().err());
            }
            Judge.leftovers(sort, what, kind.folder().files());
            return true;
        } catch (TimeoutException hangs) {
            Campaign.tried(sort, false);
            Campaign.found(sort, Defect.HANG, what);
            return false;
        } catch (ExecutionException thrown) {
            Campaign.tried(sort, false);
            Campaign.found(sort, Defect.STACK_TRACE, what + ": " + thrown.getCause());
            return true;
        }
    }

    private static boolean isMeant(FileKind kind, Change change) {
        return MEANT.entrySet().stream()
                .anyMatch(meant -> kind.name().matches(meant.getKey())
                        && meant.getValue().matcher(change.what()).matches());
    }
}
