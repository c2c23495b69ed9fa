package io.posbias.run;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfirmedTest {
    @TempDir
    private Path folder;

    @Test
    void aCellIsKnownToTheProgramThatConfirmedIt() throws IOException {
        Path cell = Files.createDirectory(folder.resolve("cell"));
        Path jar = Files.writeString(folder.resolve("posbias.jar"), "program");
        Files.writeString(cell.resolve("result.json"), "0.5");
        assertFalse(confirmed(jar).has(cell));
        confirmed(jar).add(cell);
        assertTrue(confirmed(jar).has(cell));

        Path other = Files.writeString(folder.resolve("other.jar"), "changed");
        assertFalse(confirmed(other).has(cell));
        Files.writeString(cell.resolve("result.json"), "0.6");
        assertFalse(confirmed(jar).has(cell));
    }

    @Test
    void classesWithoutAJarConfirmNothing() throws IOException {
        Path cell = Files.createDirectory(folder.resolve("cell"));
        Files.writeString(cell.resolve("result.json"), "0.5");
        Confirmed classes = confirmed(cell);
        classes.add(cell);
        assertFalse(classes.has(cell));
        assertFalse(Files.exists(folder.resolve("home")));
    }

    private Confirmed confirmed(Path jar) {
        return new Confirmed(folder.resolve("home"), jar);
    }
}
