package io.posbias.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs posbias in a process of its own, where the environment can be chosen. */
public final class Posbias {
    private final Path folder;
    private final Map<String, String> environment;

    /**
     * @param folder its working folder; its cache is {@code home} there
     * @param environment more variables
     */
    public Posbias(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
    }

    public Path home() {
        return folder.resolve("home");
    }

    public Cli.Ended run(Object... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.posbias.cli.Main"));
        Stream.of(arguments).map(String::valueOf).forEach(command::add);
        Path out = Files.createTempFile(folder, "stdout", "");
        Path err = Files.createTempFile(folder, "stderr", "");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("POSBIAS_HOME", home().toString());
        builder.environment().put("HF_HOME", folder.resolve("hf").toString());
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        return new Cli.Ended(code, Files.readString(out), Files.readString(err));
    }
}
