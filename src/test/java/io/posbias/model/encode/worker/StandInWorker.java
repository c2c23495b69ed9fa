package io.posbias.model.encode.worker;

import io.posbias.base.json.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** A worker whose vectors count letters, sparse ones without zeros, and which lies as its second argument says; it reads {@value #READ} characters of a text. */
public final class StandInWorker {
    static final int DIMENSION = 26;
    static final int READ = 40;

    private StandInWorker() {}

    /** Returns the command that starts it. */
    public static List<String> command(String gives, String lie) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                StandInWorker.class.getName(),
                gives,
                lie);
    }

    public static void main(String[] arguments) throws Exception {
        String lie = arguments[1];
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        InputStream in = new BufferedInputStream(System.in);
        int requests = 0;
        while (true) {
            byte[] start = in.readNBytes(8);
            if (start.length < 8) {
                return;
            }
            int size =
                    ByteBuffer.wrap(start, 4, 4).order(ByteOrder.LITTLE_ENDIAN).getInt();
            JsonNode request = Json.mapper().readTree(in.readNBytes(size));
            requests++;
            if (request.path("do").asString().equals("start")) {
                start(arguments, out);
            } else {
                switch (lie) {
                    case "dies" -> {
                        System.err.println("Traceback (most recent call last):");
                        System.err.println("MemoryError: 3 GB");
                        System.exit(7);
                    }
                    case "floods" -> {
                        System.err.print("x".repeat(50_000_000));
                        System.exit(7);
                    }
                    case "hangs" -> Thread.sleep(600_000);
                    case "dies before its child" -> {
                        // The child has the pipes, too.
                        new ProcessBuilder("sleep", "100").inheritIO().start();
                        System.exit(7);
                    }
                    case "answers before its child" -> {
                        new ProcessBuilder("sleep", "100").inheritIO().start();
                        answer(request, arguments, requests, out);
                        System.exit(7);
                    }
                    case "stops posbias" -> {
                        // As Ctrl-Z and fg do, for longer than the time limit.
                        if (requests == 2) {
                            signal("STOP");
                            Thread.sleep(4_000);
                            signal("CONT");
                            Thread.sleep(1_000);
                        }
                        answer(request, arguments, requests, out);
                    }
                    case "prints" -> out.write("Batches: 100%\n".getBytes(StandardCharsets.UTF_8));
                    default -> answer(request, arguments, requests, out);
                }
            }
        }
    }

    private static void signal(String name) throws IOException, InterruptedException {
        String posbias = ProcessHandle.current()
                .parent()
                .map(ProcessHandle::pid)
                .orElseThrow()
                .toString();
        new ProcessBuilder("kill", "-" + name, posbias).start().waitFor();
    }

    private static void start(String[] arguments, OutputStream out) throws IOException {
        String gives = arguments[0];
        String lie = arguments[1];
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("protocol", lie.equals("other protocol") ? 2 : 1);
        header.put("name", "letters");
        if (!lie.equals("no dimension") && !gives.equals("cross-encoder")) {
            header.put("dimension", DIMENSION);
        }
        boolean isProduct = gives.equals("sparse") || lie.equals("dot");
        header.put("similarity", lie.equals("euclidean") ? "euclidean" : isProduct ? "dot" : "cosine");
        if (lie.equals("spans")) {
            header.put("spans", true);
        }
        if (lie.equals("asks") && List.of(arguments).contains("--instruction-template")) {
            header = Map.of("error", "say with --instruction TEXT what queries ask for");
        }
        switch (lie) {
            case "other spans" -> header.put("spans", "yes");
            case "other notes" -> header.put("notes", Map.of("a", Map.of()));
            case "maxsim" -> header.put("similarity", "maxsim");
            case "half a dimension" -> header.put("dimension", DIMENSION + 0.5);
            default -> {}
        }
        if (lie.equals("starts twice")) {
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            write(both, header, new float[0]);
            write(both, header, new float[0]);
            out.write(both.toByteArray());
            out.flush();
            return;
        }
        if (lie.equals("refuses to start")) {
            header = Map.of("error", "No module named 'torch': python3 -m pip install sentence-transformers");
        }
        write(out, header, new float[0]);
    }

    private static void answer(JsonNode request, String[] arguments, int number, OutputStream out) throws IOException {
        boolean isSparse = arguments[0].equals("sparse");
        String lie = arguments[1];
        boolean pairs = request.has("pairs");
        JsonNode items = request.path(pairs ? "pairs" : "texts");
        List<float[]> vectors = new ArrayList<>();
        List<Integer> read = new ArrayList<>();
        for (JsonNode item : items) {
            String text = pairs ? item.get(1).asString() : item.asString();
            read.add(text.codePointCount(0, text.length()) <= READ ? -1 : READ);
            JsonNode spans = request.path("spans").path(read.size() - 1);
            spans.forEach(span -> vectors.add(letters(text.substring(
                            text.offsetByCodePoints(0, span.get(0).asInt()),
                            text.offsetByCodePoints(0, span.get(1).asInt()))
                    .strip())));
            if (spans.isMissingNode()) {
                float[] counts = pairs ? new float[] {overlap(item.get(0).asString(), text)} : letters(text);
                vectors.add(isSparse ? terms(counts) : counts);
            }
        }
        float[] numbers =
                new float[vectors.stream().mapToInt(vector -> vector.length).sum()];
        int to = 0;
        for (float[] vector : vectors) {
            System.arraycopy(vector, 0, numbers, to, vector.length);
            to += vector.length;
        }
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("read", read);
        if (isSparse) {
            header.put("rows", vectors.stream().map(vector -> vector.length / 2).toList());
        }
        switch (lie) {
            case "other order" -> numbers[2] = numbers[0];
            case "half a term" -> numbers[0] = 0.5f;
            case "another vocabulary" -> numbers[numbers.length - 2] = DIMENSION;
            case "one vector less" -> numbers = Arrays.copyOf(numbers, numbers.length - numbers.length / items.size());
            case "not a number" -> numbers[0] = Float.NaN;
            case "infinite" -> numbers[numbers.length - 1] = Float.POSITIVE_INFINITY;
            case "other reads" -> read.add(3);
            case "half a read" -> header.put("read", List.of(0.5, 1, 1));
            case "no read" -> header.put("read", Arrays.asList(null, 1, 1));
            case "misspelt read" -> header.put("reads", header.remove("read"));
            case "other cuts" -> header.put("query_cut", List.of("no", "no", "no"));
            case "error record" -> header.put("error", Map.of("message", "no such role"));
            case "error" -> header.put("error", "ValueError: no such role");
            case "dies later" -> {
                if (number > 3) {
                    System.exit(9);
                }
            }
            default -> {}
        }
        if (lie.equals("no json")) {
            out.write((Frame.MAGIC + "\4\0\0\0oops").getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        } else if (lie.equals("endless")) {
            out.write((Frame.MAGIC + "\377\377\377\177").getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        } else {
            write(out, header, numbers);
        }
    }

    static float[] letters(String text) {
        float[] vector = new float[DIMENSION];
        text.codePoints()
                .limit(READ)
                .map(Character::toLowerCase)
                .filter(letter -> letter >= 'a' && letter <= 'z')
                .forEach(letter -> vector[letter - 'a']++);
        return vector;
    }

    private static float[] terms(float[] counts) {
        float[] terms = new float[2 * DIMENSION];
        int size = 0;
        for (int letter = 0; letter < DIMENSION; letter++) {
            if (counts[letter] > 0) {
                terms[size++] = letter;
                terms[size++] = counts[letter];
            }
        }
        return Arrays.copyOf(terms, size);
    }

    static float overlap(String query, String passage) {
        float[] one = letters(query);
        float[] two = letters(passage);
        return (float) IntStream.range(0, DIMENSION)
                .mapToDouble(letter -> Math.min(one[letter], two[letter]))
                .sum();
    }

    private static void write(OutputStream out, Map<String, ?> header, float[] numbers) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>(header);
        all.put(Frame.NUMBERS, numbers.length);
        byte[] json = Json.mapper().writeValueAsBytes(all);
        ByteBuffer frame = ByteBuffer.allocate(8 + json.length + numbers.length * Float.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        frame.put(Frame.MAGIC.getBytes(StandardCharsets.US_ASCII))
                .putInt(json.length)
                .put(json);
        for (float number : numbers) {
            frame.putFloat(number);
        }
        out.write(frame.array());
        out.flush();
    }
}
