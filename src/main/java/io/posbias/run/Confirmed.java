package io.posbias.run;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.process.Version;
import io.posbias.score.result.ResultFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Cells whose findings are known to be what this very program gives, so that it does not measure them from their runs each
 * time: empty files in the folder {@code confirmed} of posbias's home, named by the digests of posbias.jar, of Java's version
 * and of result.json, which holds those of the other files and of the benchmark. Without a jar none is kept.
 */
final class Confirmed {
    private final Path home;
    private final Path jar;
    private @Nullable String program;

    Confirmed(Path home) {
        this(home, FileNames.holding(Version.class));
    }

    /** @param jar posbias.jar, or a folder of classes */
    Confirmed(Path home, Path jar) {
        this.home = home;
        this.jar = jar;
    }

    boolean has(Path folder) {
        return !program().isEmpty() && Files.isRegularFile(memo(folder));
    }

    void add(Path folder) {
        if (!program().isEmpty()) {
            Checksums.remember(memo(folder), "");
        }
    }

    private Path memo(Path folder) {
        String result = Checksums.sha256(folder.resolve(ResultFile.NAME));
        return home.resolve("confirmed")
                .resolve(Checksums.sha256(Stream.of(program(), System.getProperty("java.vm.version"), result)));
    }

    /** Returns the digest of posbias.jar, whose manifest names the versions of the libraries; empty without a jar. */
    private String program() {
        String known = program;
        if (known == null) {
            known = Files.isRegularFile(jar) ? IoErrors.call("read", jar, () -> Checksums.remembered(jar, home)) : "";
            program = known;
        }
        return known;
    }
}
