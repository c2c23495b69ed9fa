package io.posbias.base.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.Shutdown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LockFileTest {
    @TempDir
    Path temp;

    @Test
    void whoeverHoldsAFileHoldsItAloneAndDeletesIt() throws IOException {
        Path file = temp.resolve("deep/a.lock");
        try (LockFile held = LockFile.tryHold(file).orElseThrow()) {
            assertThat(held.path()).exists();
            assertThat(LockFile.tryHold(file)).isEmpty();
            assertThat(LockFile.tryHold(temp.resolve("deep/../deep/a.lock"))).isEmpty();
        }
        assertThat(file).doesNotExist();
        Path left = Files.writeString(file, "");
        LockFile.tryHold(left).orElseThrow().close();
        assertThat(left).doesNotExist();
    }

    @Test
    void aLockThatCouldNotBeOpenedCanBeTriedAgain() throws IOException {
        Path file = temp.resolve("a.lock");
        Path elsewhere = Files.writeString(temp.resolve("elsewhere"), "");
        Files.createSymbolicLink(file, elsewhere);
        assertThatThrownBy(() -> LockFile.tryHold(file)).isInstanceOf(IOException.class);
        Files.delete(file);
        LockFile.tryHold(file).orElseThrow().close();
    }

    @Test
    void ofTwoProcessesOneWritesATarget() throws IOException, InterruptedException {
        refuseTheSecond(false);
    }

    /** Both processes have the number 1 there: what said that the other one lived must not be its number. */
    @Test
    void ofTwoContainersOneWritesATarget() throws IOException, InterruptedException {
        Assumptions.assumeTrue(StagingProcess.hasNamespaces(), "skipped: PID namespaces cannot be made here");
        refuseTheSecond(true);
    }

    private void refuseTheSecond(boolean namespaces) throws IOException, InterruptedException {
        Path target = temp.resolve("out");
        try (StagingProcess first = StagingProcess.start(target, "first", namespaces)) {
            assertThat(first.line()).startsWith("staged ").satisfies(line -> {
                if (namespaces) {
                    assertThat(line).isEqualTo("staged 1");
                }
            });
            try (StagingProcess second = StagingProcess.start(target, "second", namespaces)) {
                assertThat(second.line()).startsWith("another posbias is writing " + target);
            }
            assertThatThrownBy(() -> Staging.beside(target, new Shutdown()))
                    .hasMessageStartingWith("another posbias is writing");
            first.go();
            assertThat(first.line()).isEqualTo("committed");
            // No further line: it has ended, and let go of the lock.
            assertThat(first.line()).isEqualTo("null");
        }
        assertThat(target.resolve("file")).hasContent("first");
        assertThat(names()).containsExactly("out");
    }

    @Test
    void aProcessThatWasKilledHoldsNothing() throws IOException, InterruptedException {
        Path target = temp.resolve("out");
        try (StagingProcess killed = StagingProcess.start(target, "half", false)) {
            assertThat(killed.line()).startsWith("staged ");
            killed.kill();
        }
        assertThat(names()).hasSize(2).anyMatch(name -> name.equals(".posbias-out.lock"));
        try (Staging next = Staging.beside(target, new Shutdown())) {
            next.commitFolder();
        }
        assertThat(names()).containsExactly("out");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(temp)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
