package io.posbias;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TemporaryTest {
    @Test
    void onlyTheUserMayLookIntoIt() throws IOException {
        Path folder = Temporary.folder("test");
        Path base = Objects.requireNonNull(folder.getParent()).getParent();
        assertThat(base).isNotNull().hasParent(Path.of(System.getProperty("java.io.tmpdir")));
        assertThat(String.valueOf(Objects.requireNonNull(base).getFileName())).startsWith("posbias-");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(base)))
                .isEqualTo("rwx------");
        assertThat(Temporary.folder("test")).isNotEqualTo(folder);
        Staging.delete(folder);
    }

    @Test
    void whatKilledProcessesLeftIsDeletedAndWhatLivesStays() throws IOException {
        Path mine = Temporary.folder("test");
        Path base =
                Objects.requireNonNull(Objects.requireNonNull(mine.getParent()).getParent());
        Path left = Files.createDirectories(base.resolve("0123456789abcdef/vectors-1"));
        Path lock = Files.createFile(base.resolve("0123456789abcdef.lock"));
        Temporary.clear();
        assertThat(left.getParent()).doesNotExist();
        assertThat(lock).doesNotExist();
        assertThat(mine).exists();
        Staging.delete(mine);
    }
}
