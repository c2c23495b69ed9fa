package io.posbias.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.cli.Cli;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All commands that read files, with a standard output on a full disk: who prints ends with one line and exit code 1. */
@Tag("faults")
@Tag("slow")
class LostOutputTest {
    @TempDir
    Path temp;

    @Test
    void whatCannotBePrintedIsAnError() throws IOException, SQLException {
        List<String> printing = new ArrayList<>();
        try (FileKinds kinds = new FileKinds(temp)) {
            for (String name : kinds.names()) {
                FileKind kind = kinds.make(name);
                String printed = kind.withOut("printed").run().ended().ok().out();
                Cli.Ended lost = kind.posbias()
                        .runOnFullDisk(kind.withOut("lost").command().toArray());
                if (printed.isEmpty()) {
                    lost.ok();
                } else {
                    assertThat(lost.code()).as(name + lost.err()).isOne();
                    assertThat(lost.err()).as(name).endsWith("posbias: cannot write stdout: no space left on device\n");
                    printing.add(name);
                }
            }
        }
        assertThat(printing).hasSizeGreaterThan(50);
    }
}
