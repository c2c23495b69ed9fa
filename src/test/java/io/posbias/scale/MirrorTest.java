package io.posbias.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.PosbiasException;
import io.posbias.Session;
import io.posbias.Sessions;
import io.posbias.encode.cache.CacheFolders;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two drivers one after the other, with nothing in common but a folder that Hadoop's client reaches. */
@Timeout(60)
@Tag("slow")
class MirrorTest {
    private static final Duration BEAT = Duration.ofMillis(500);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final String SEAL = "result.json";

    @TempDir
    Path temp;

    private Session session(String driver) {
        return Sessions.in(temp.resolve(driver));
    }

    private Path results(String driver) {
        return temp.resolve(driver).resolve("results");
    }

    private Path vectors(String driver) {
        return CacheFolders.in(session(driver).home()).resolve("model-1").resolve("one.vectors");
    }

    private Mirror open(String driver, Duration copy) {
        return Mirror.open(
                temp.resolve("remote").toUri().toString(),
                plain(),
                Optional.of(new Mirror.Cells(results(driver), SEAL)),
                session(driver),
                BEAT,
                copy);
    }

    /** Without files of checksums beside the others, which these tests would have to write, too. */
    private static Configuration plain() {
        Configuration settings = new Configuration();
        settings.setClass("fs.file.impl", RawLocalFileSystem.class, FileSystem.class);
        settings.setBoolean("fs.file.impl.disable.cache", true);
        return settings;
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    private void first() throws IOException {
        try (Mirror mirror = open("first", NEVER)) {
            assertThat(mirror).isNotNull();
            write(vectors("first"), "12345");
            write(results("first").resolve("data/model/queries.csv"), "queries");
            write(results("first").resolve("data/model").resolve(SEAL), "{}");
            write(results("first").resolve("data/model/.posbias.lock"), "");
            write(results("first").resolve("data/unfinished/queries.csv"), "half");
        }
    }

    @Test
    void whatOneDriverFinishedTheNextOneHas() throws IOException {
        first();
        open("second", NEVER).close();
        assertThat(vectors("second")).hasContent("12345");
        assertThat(results("second").resolve("data/model/queries.csv")).hasContent("queries");
        assertThat(results("second").resolve("data/model").resolve(SEAL)).hasContent("{}");
        assertThat(results("second").resolve("data/unfinished")).doesNotExist();
        assertThat(results("second").resolve("data/model").toFile().list())
                .containsExactlyInAnyOrder("queries.csv", SEAL);
        assertThat(temp.resolve("remote/driver")).doesNotExist();
    }

    @Test
    void onlyWhatCameSinceIsCopied() throws IOException {
        first();
        try (Mirror mirror = open("first", NEVER)) {
            assertThat(mirror).isNotNull();
            Files.writeString(vectors("first"), "67", StandardOpenOption.APPEND);
            write(results("first").resolve("data/model/queries.csv"), "not sealed anew");
        }
        assertThat(temp.resolve("remote/vectors/model-1/one.vectors/000000000000-000000000005"))
                .hasContent("12345");
        assertThat(temp.resolve("remote/vectors/model-1/one.vectors/000000000005-000000000007"))
                .hasContent("67");
        open("second", NEVER).close();
        assertThat(vectors("second")).hasContent("1234567");
        assertThat(results("second").resolve("data/model/queries.csv")).hasContent("queries");
    }

    @Test
    void aCellThatIsFinishedAnewIsCopiedAgain() throws IOException {
        first();
        try (Mirror mirror = open("first", NEVER)) {
            assertThat(mirror).isNotNull();
            write(results("first").resolve("data/model/queries.csv"), "other queries");
            Path seal = results("first").resolve("data/model").resolve(SEAL);
            Files.delete(seal);
            write(seal, "{\"n\": 2}");
        }
        assertThat(temp.resolve("remote/results/data/model/queries.csv")).hasContent("other queries");
        assertThat(temp.resolve("remote/results/data/model").resolve(SEAL)).hasContent("{\"n\": 2}");
    }

    @Test
    void aPartThatIsNotWholeIsLeftOutAndCopiedAgain() throws IOException {
        first();
        Path parts = temp.resolve("remote/vectors/model-1/one.vectors");
        write(parts.resolve("000000000005-000000000009"), "6");
        write(parts.resolve("000000000009-000000000010"), "0");
        try (Mirror mirror = open("second", NEVER)) {
            assertThat(mirror).isNotNull();
            assertThat(vectors("second")).hasContent("12345");
        }
        try (Mirror mirror = open("first", NEVER)) {
            assertThat(mirror).isNotNull();
            Files.writeString(vectors("first"), "6789", StandardOpenOption.APPEND);
        }
        open("second", NEVER).close();
        assertThat(vectors("second")).hasContent("1234567890");
    }

    @Test
    void copiesAreMadeWhileItIsOpen() throws IOException {
        try (Mirror mirror = open("first", BEAT)) {
            assertThat(mirror).isNotNull();
            write(results("first").resolve("data/model").resolve(SEAL), "{}");
            until(() -> Files.exists(temp.resolve("remote/results/data/model").resolve(SEAL)));
        }
    }

    @Test
    void aSecondDriverIsRefusedAndOneThatEndedWithoutAWordIsNotWaitedFor() throws IOException {
        try (Mirror mirror = open("first", NEVER)) {
            assertThat(mirror).isNotNull();
            assertThatThrownBy(() -> open("second", NEVER))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageContaining("another posbias uses file:")
                    .hasMessageContaining("/remote at this moment");
        }
        write(temp.resolve("remote/driver"), "dead 17");
        open("second", NEVER).close();
    }

    @Test
    void whoeverWasTakenForDeadCopiesNothingMore() throws IOException {
        Mirror mirror = open("first", NEVER);
        write(results("first").resolve("data/model").resolve(SEAL), "{}");
        // A beat at the very moment would write over it, as it would over that of a second driver, which looks again.
        do {
            write(temp.resolve("remote/driver"), "other 1");
            LockSupport.parkNanos(2 * BEAT.toNanos());
        } while (!Files.readString(temp.resolve("remote/driver")).equals("other 1"));
        assertThatThrownBy(mirror::close)
                .hasMessageContaining("has taken")
                .hasMessageContaining("nothing more is copied");
        assertThat(temp.resolve("remote/results/data")).doesNotExist();
        assertThat(temp.resolve("remote/driver")).hasContent("other 1");
    }

    /** As hadoop-aws is without Amazon's jars. */
    static final class Halved extends RawLocalFileSystem {
        @Override
        public void initialize(URI name, Configuration settings) {
            throw new NoClassDefFoundError("software/amazon/Client");
        }
    }

    @Test
    void aSchemeWithoutItsJarsNamesTheClassThatIsMissing() {
        Configuration settings = new Configuration();
        settings.setClass("fs.halved.impl", Halved.class, FileSystem.class);
        settings.set("fs.absent.impl", "com.example.NotHere");
        for (String[] scheme :
                new String[][] {{"halved", "software.amazon.Client"}, {"absent", "com.example.NotHere"}}) {
            assertThatThrownBy(() -> Mirror.open(scheme[0] + "://a/b", settings, Optional.empty(), session("one")))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageStartingWith("cannot use --mirror " + scheme[0] + "://a/b: ")
                    .hasMessageContaining(scheme[1])
                    .hasMessageEndingWith(
                            ": POSBIAS_CLASSPATH takes the jars that its scheme needs, see docs/scale.md");
        }
    }

    @Test
    void whatCannotBeReachedIsOneLine() {
        for (String address : new String[] {"nosuch://host/path", "hdfs:// /"}) {
            assertThatThrownBy(() ->
                            Mirror.open(address, new Configuration(), Optional.empty(), session("first"), BEAT, NEVER))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageStartingWith("cannot use --mirror " + address + ": ")
                    .message()
                    .hasSizeGreaterThan(30 + address.length())
                    .doesNotContain("\n");
        }
    }
}
