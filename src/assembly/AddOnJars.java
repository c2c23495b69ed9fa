import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lists the jars of each add-on: {@code FROM/NAME}, a folder in the layout of a Maven repository, becomes {@code TO/NAME-jars.txt}
 * with a line {@code GROUP:ARTIFACT:VERSION[:CLASSIFIER] SHA-256 BYTES} per jar.
 */
class AddOnJars {
    public static void main(String[] args) throws Exception {
        for (String name : List.of("spark")) {
            Path from = Path.of(args[0], name);
            StringBuilder lines = new StringBuilder();
            for (Path jar : jars(from)) {
                lines.append(coordinates(from.relativize(jar))).append(' ').append(sha256(jar)).append(' ').append(Files.size(jar)).append('\n');
            }
            if (lines.isEmpty()) {
                throw new IOException("no jars in " + from);
            }
            Files.writeString(Path.of(args[1], name + "-jars.txt"), lines);
        }
    }

    private static List<Path> jars(Path from) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            return files.filter(file -> file.toString().endsWith(".jar")).sorted().collect(Collectors.toList());
        }
    }

    /** @param path GROUP/WITH/FOLDERS/ARTIFACT/VERSION/ARTIFACT-VERSION[-CLASSIFIER].jar */
    private static String coordinates(Path path) {
        int last = path.getNameCount() - 1;
        String artifact = path.getName(last - 2).toString();
        String version = path.getName(last - 1).toString();
        String classifier = path.getFileName().toString().replaceFirst("\\.jar$", "").substring((artifact + "-" + version).length());
        return path.subpath(0, last - 2).toString().replace('/', '.').replace('\\', '.') + ":" + artifact + ":" + version
                + classifier.replaceFirst("^-", ":");
    }

    private static String sha256(Path file) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
