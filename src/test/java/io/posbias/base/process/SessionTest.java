package io.posbias.base.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SessionTest {
    /** Libraries are loaded by absolute paths, and children run in other folders. */
    @Test
    void foldersOfVariablesAreAbsolute() {
        Path here = Path.of("").toAbsolutePath();
        Map<String, String> variables = Map.of("POSBIAS_HOME", "own", "HF_HOME", "~/hub", "HOME", "user");
        Session session = Session.quiet(variables, Path.of("/other"));
        assertThat(session.home()).isEqualTo(here.resolve("own"));
        assertThat(session.folder("HF_HOME")).contains(here.resolve("user/hub"));
        assertThat(session.cache()).isEqualTo(here.resolve("user/.cache"));
    }
}
