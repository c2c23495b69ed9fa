package io.posbias.base.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Shutdown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TemporaryTest {
    private final Shutdown shutdown = new Shutdown();

    @Test
    void onlyTheUserMayLookIntoIt() throws IOException {
        Path gone;
        try (Staging own = Staging.temporary("test", shutdown)) {
            gone = own.folder();
            Path base = Objects.requireNonNull(own.folder().getParent());
            assertThat(base).hasParent(Path.of(System.getProperty("java.io.tmpdir")));
            assertThat(String.valueOf(base.getFileName())).startsWith("posbias-");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(base)))
                    .isEqualTo("rwx------");
            try (Staging other = Staging.temporary("test", shutdown)) {
                assertThat(other.folder()).isNotEqualTo(own.folder());
            }
        }
        assertThat(gone).doesNotExist();
    }

    @Test
    void whatKilledProcessesLeftIsDeletedAndWhatLivesStays() throws IOException {
        try (Staging mine = Staging.temporary("test", shutdown)) {
            Path base = Objects.requireNonNull(mine.folder().getParent());
            Path left = Files.createDirectories(base.resolve("vectors-0123456789abcdef/part"));
            Path lock = Files.createFile(base.resolve("vectors-0123456789abcdef.lock"));
            Staging.clearTemporary();
            assertThat(left.getParent()).doesNotExist();
            assertThat(lock).doesNotExist();
            assertThat(mine.folder()).exists();
        }
    }
}
