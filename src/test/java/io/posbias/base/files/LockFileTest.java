package io.posbias.base.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.Sessions;
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
        LockFile held = LockFile.tryHold(file).orElseThrow();
        assertThat(file).exists();
        assertThat(LockFile.tryHold(file)).isEmpty();
        assertThat(LockFile.tryHold(temp.resolve("deep/../deep/a.lock"))).isEmpty();
        held.close();
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
        theSecondWaits(false);
    }

    /** Both processes have the number 1 there: what said that the other one lived must not be its number. */
    @Test
    void ofTwoContainersOneWritesATarget() throws IOException, InterruptedException {
        Assumptions.assumeTrue(StagingProcess.hasNamespaces(), "skipped: PID namespaces cannot be made here");
        theSecondWaits(true);
    }

    private void theSecondWaits(boolean namespaces) throws IOException, InterruptedException {
        Path target = temp.resolve("out");
        try (StagingProcess first = StagingProcess.start(target, "first", namespaces)) {
            assertThat(first.line()).startsWith("staged ").satisfies(line -> {
                if (namespaces) {
                    assertThat(line).isEqualTo("staged 1");
                }
            });
            try (StagingProcess second = StagingProcess.start(target, "second", namespaces);
                    StagingProcess third = StagingProcess.start(target, "third", namespaces)) {
                assertThat(second.line()).contains(target.toString());
                assertThat(third.line()).contains(target.toString());
                first.go();
                assertThat(first.line()).isEqualTo("committed");
                // No further line: it has ended, and let go of the lock.
                assertThat(first.line()).isEqualTo("null");
                second.go();
                third.go();
                assertThat(List.of(second.line(), third.line())).allMatch(line -> line.startsWith("staged "));
                assertThat(List.of(second.line(), third.line())).containsOnly("committed");
                assertThat(List.of(second.line(), third.line())).containsOnly("null");
            }
        }
        assertThat(target.resolve("file")).content().isIn("second", "third");
        assertThat(names()).containsExactly("out");
    }

    /** A kill releases the lock: nobody waits for the dead. */
    @Test
    void whoeverWaitsGoesOnWhenTheHolderIsKilled() throws IOException, InterruptedException {
        Path target = temp.resolve("out");
        try (StagingProcess first = StagingProcess.start(target, "half", false)) {
            assertThat(first.line()).startsWith("staged ");
            try (StagingProcess second = StagingProcess.start(target, "second", false)) {
                assertThat(second.line()).contains(target.toString());
                first.kill();
                second.go();
                assertThat(second.line()).startsWith("staged ");
                assertThat(second.line()).isEqualTo("committed");
                assertThat(second.line()).isEqualTo("null");
            }
        }
        assertThat(target.resolve("file")).hasContent("second");
        assertThat(names()).containsExactly("out");
    }

    @Test
    void aLockIsHeldUntilItIsClosed() throws IOException, InterruptedException {
        Path target = temp.resolve("out");
        Path file = temp.resolve(".posbias-out.lock");
        assertThat(LockFile.isHeld(file)).isFalse();
        try (StagingProcess holder = StagingProcess.start(target, "half", false)) {
            assertThat(holder.line()).startsWith("staged ");
            assertThat(LockFile.isHeld(file)).isTrue();
            holder.kill();
            assertThat(file).exists();
            assertThat(LockFile.isHeld(file)).isFalse();
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void aProcessThatWasKilledHoldsNothing() throws IOException, InterruptedException {
        Path target = temp.resolve("out");
        try (StagingProcess killed = StagingProcess.start(target, "half", false)) {
            assertThat(killed.line()).startsWith("staged ");
            killed.kill();
        }
        assertThat(names()).hasSize(2).anyMatch(name -> name.equals(".posbias-out.lock"));
        try (Staging next = Staging.beside(target, Sessions.shared())) {
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
