package io.posbias.fetch.jars;

import io.posbias.base.process.Session;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where the Python of the variable POSBIAS_PYTHON, {@code python3} without it, looks for packages. */
public final class SitePackages {
    public static final String PYTHON = "python3";

    private static final String SCRIPT = "import site, sys; print(*sys.path, site.getusersitepackages(), sep='\\n')";

    private SitePackages() {}

    public static String python(Session session) {
        return session.variable("POSBIAS_PYTHON").orElse(PYTHON);
    }

    /** Returns the folders in their order; none if that Python cannot be started. The current folder is not among them. */
    static List<Path> folders(Session session) {
        try {
            return printed(session, "-I", "-X", "utf8", "-c", SCRIPT)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .map(Path::of)
                    .toList();
        } catch (IOException missing) {
            return List.of();
        }
    }

    /**
     * Runs that Python to its end, without input, and returns what it prints.
     *
     * @throws IOException if it cannot be started
     */
    public static String printed(Session session, String... arguments) throws IOException {
        List<String> command =
                Stream.concat(Stream.of(python(session)), Stream.of(arguments)).toList();
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        try (InputStream out = process.getInputStream()) {
            return new String(out.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
