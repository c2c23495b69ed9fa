package io.posbias.cli;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

public final class Posbias {
    private final Path home;
    private final Map<String, String> environment;

    /**
     * @param folder its cache is {@code home} there
     * @param environment more variables; nothing of this process's own environment reaches it
     */
    public Posbias(Path folder, Map<String, String> environment) {
        this.home = folder.resolve("home");
        this.environment = new HashMap<>(Map.of(
                "POSBIAS_HOME", home.toString(), "HF_HOME", folder.resolve("hf").toString()));
        this.environment.putAll(environment);
    }

    public Path home() {
        return home;
    }

    public Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    public Cli.Ended run(Object... arguments) {
        return Cli.run(environment, arguments);
    }

    /** Runs a command whose standard output is a file on a full disk. */
    public Cli.Ended runOnFullDisk(Object... arguments) {
        return Cli.runUnwritable(environment, "No space left on device", arguments);
    }
}
