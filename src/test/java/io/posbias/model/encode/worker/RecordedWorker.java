package io.posbias.model.encode.worker;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Stands in for the Python that runs posbias's worker: gives the answers that it once gave. {@code mvn test
 * -Dposbias.record=PYTHON -Dtest=...} records them again, with the Python of an environment of {@code scripts/peers}. Files that
 * it wrote to a request's {@code folder} are written again.
 */
public final class RecordedWorker {
    private static final String VERSIONS = "--versions";
    private static final String PAIRS = "pairs";
    private static final List<String> FOLDERS = List.of("folder", "checkpoint");

    /** Between a request and the name of a file that it wrote. */
    private static final String FILE = " wrote ";

    private static final Path FOLDER = Path.of("src/test/resources/io/posbias/model/inside/recorded");

    /** Files that this process records anew. */
    private static final Set<String> BEGUN = ConcurrentHashMap.newKeySet();

    private RecordedWorker() {}

    /**
     * Returns the environment of a session whose Python this is.
     *
     * @param folder for the program
     * @param name of the file of answers
     */
    public static Map<String, String> environment(Path folder, String name) throws IOException {
        String python = System.getProperty("posbias.record", "");
        Path file = FOLDER.resolve(name + ".jsonl").toAbsolutePath();
        if (!python.isEmpty()) {
            Files.createDirectories(FOLDER);
            if (BEGUN.add(name)) {
                Files.deleteIfExists(file);
            }
        }
        Path program = folder.resolve("python-of-" + name);
        Files.writeString(program, """
                #!/bin/sh
                export CLASSPATH='%s'
                exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC %s '%s' '%s' "$@"
                """.formatted(
                        System.getProperty("java.class.path"),
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        RecordedWorker.class.getName(),
                        file,
                        python));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Map.of("POSBIAS_PYTHON", program.toString());
    }

    /** Takes the file of answers, the Python that gives them or nothing, and the arguments of Python. */
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        List<String> command = new ArrayList<>(List.of(arguments).subList(1, arguments.length));
        Map<String, byte[]> known = arguments[1].isEmpty() ? known(file) : Map.of();
        Process python = arguments[1].isEmpty()
                ? null
                : new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        if (command.contains(VERSIONS)) {
            byte[] versions = python == null
                    ? known.getOrDefault(VERSIONS, new byte[0])
                    : python.getInputStream().readAllBytes();
            if (python != null) {
                record(file, VERSIONS, versions);
            }
            System.out.write(versions);
            System.out.flush();
            return;
        }
        InputStream in = new BufferedInputStream(System.in);
        String state = "";
        for (byte[] request = message(in); request.length > 0; request = message(in)) {
            JsonNode header = header(request);
            String key = state + key(header);
            byte[] answer;
            String files = header.path("folder").asString("");
            if (python == null) {
                answer = known.getOrDefault(key, refusal("not recorded: " + key));
                write(known, key, files);
            } else {
                OutputStream out = python.getOutputStream();
                out.write(request);
                out.flush();
                answer = answer(python.getInputStream());
                record(file, key, answer);
                recordFiles(file, key, files);
            }
            if (header.path("do").asString("").equals("randomise")) {
                state = header.path("seed") + " ";
            } else if (header.path("do").asString("").equals("train")) {
                state = Checksums.sha256(key.getBytes(StandardCharsets.UTF_8)) + " ";
            }
            System.out.write(answer);
            System.out.flush();
        }
        if (python != null) {
            python.getOutputStream().close();
        }
    }

    /**
     * A request by its fields in order; the first one by its name alone, as machines have other numbers of processors. Of files
     * that it names the contents count, of folders nothing.
     */
    private static String key(JsonNode header) throws IOException {
        if (header.path("do").asString("").equals("start")) {
            return "start";
        }
        Map<String, String> fields = new TreeMap<>();
        header.properties()
                .forEach(field -> fields.put(field.getKey(), field.getValue().toString()));
        FOLDERS.forEach(fields::remove);
        if (header.has(PAIRS)) {
            fields.put(PAIRS, Checksums.sha256(Path.of(header.path(PAIRS).stringValue())));
        }
        return fields.toString();
    }

    private static void recordFiles(Path file, String key, String folder) throws IOException {
        if (folder.isEmpty()) {
            return;
        }
        try (Stream<Path> all = Files.walk(Path.of(folder))) {
            for (Path one : all.filter(Files::isRegularFile).sorted().toList()) {
                record(file, key + FILE + Path.of(folder).relativize(one), Files.readAllBytes(one));
            }
        }
    }

    private static void write(Map<String, byte[]> known, String key, String folder) throws IOException {
        for (Map.Entry<String, byte[]> one : known.entrySet()) {
            if (!folder.isEmpty() && one.getKey().startsWith(key + FILE)) {
                Path file = Path.of(folder).resolve(one.getKey().substring((key + FILE).length()));
                Files.createDirectories(Objects.requireNonNull(file.getParent()));
                Files.write(file, one.getValue());
            }
        }
    }

    private static JsonNode header(byte[] message) {
        int size = ByteBuffer.wrap(message, 4, 4).order(ByteOrder.LITTLE_ENDIAN).getInt();
        return Json.mapper().readTree(Arrays.copyOfRange(message, 8, 8 + size));
    }

    /** Reads a message without numbers; empty at the end. */
    private static byte[] message(InputStream in) throws IOException {
        byte[] start = in.readNBytes(8);
        if (start.length < 8) {
            return new byte[0];
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(start);
        whole.write(in.readNBytes(
                ByteBuffer.wrap(start, 4, 4).order(ByteOrder.LITTLE_ENDIAN).getInt()));
        return whole.toByteArray();
    }

    private static byte[] answer(InputStream in) throws IOException {
        byte[] header = message(in);
        long numbers = header.length == 0 ? 0 : header(header).path("numbers").asLong(0);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(header);
        whole.write(in.readNBytes((int) numbers * Float.BYTES));
        return whole.toByteArray();
    }

    private static byte[] refusal(String why) {
        return Frame.of(Map.of("error", why));
    }

    private static void record(Path file, String request, byte[] answer) throws IOException {
        if (Files.exists(file) && known(file).containsKey(request)) {
            return;
        }
        Map<String, String> line = new LinkedHashMap<>();
        line.put("request", request);
        line.put("answer", Base64.getEncoder().encodeToString(answer));
        byte[] bytes = (Json.mapper().writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
        Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static Map<String, byte[]> known(Path file) throws IOException {
        Map<String, byte[]> known = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            JsonNode read = Json.mapper().readTree(line);
            known.put(
                    read.path("request").stringValue(),
                    Base64.getDecoder().decode(read.path("answer").stringValue()));
        }
        return known;
    }
}
