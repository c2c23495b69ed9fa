package io.posbias.model.encode.worker;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A worker whose vectors count letters, sparse ones without zeros, and which lies as its second argument says; it reads
 * {@value #READ} characters of a text. It is started often, so that it uses neither Jackson's binding nor lambdas, which
 * take three quarters of a short run.
 */
public final class StandInWorker {
    static final int DIMENSION = 26;
    static final int READ = 40;

    private static final JsonFactory JSON = new JsonFactory();

    private StandInWorker() {}

    /** Returns the command that starts it. */
    public static List<String> command(String gives, String lie) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                path(StandInWorker.class) + File.pathSeparator + path(JsonFactory.class),
                StandInWorker.class.getName(),
                gives,
                lie);
    }

    /** Returns the folder or jar of a class. */
    private static Path path(Class<?> type) {
        return Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
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
            Map<?, ?> request = request(in.readNBytes(size));
            requests++;
            if ("start".equals(request.get("do"))) {
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

    private static Map<?, ?> request(byte[] bytes) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), bytes)) {
            json.nextToken();
            return (Map<?, ?>) value(json);
        }
    }

    /** Reads a record, a list or the text of another value. */
    private static Object value(JsonParser json) {
        if (json.currentToken() == JsonToken.START_OBJECT) {
            Map<String, Object> fields = new HashMap<>();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String name = json.currentName();
                json.nextToken();
                fields.put(name, value(json));
            }
            return fields;
        }
        if (json.currentToken() == JsonToken.START_ARRAY) {
            List<Object> items = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                items.add(value(json));
            }
            return items;
        }
        return json.getString();
    }

    /** Returns the list at an index of a list or in a field of a record; empty if there is none. */
    private static List<?> list(@Nullable Object list) {
        return list == null ? List.of() : (List<?>) list;
    }

    private static int offset(String text, Object point) {
        return text.offsetByCodePoints(0, Integer.parseInt((String) point));
    }

    private static void answer(Map<?, ?> request, String[] arguments, int number, OutputStream out) throws IOException {
        boolean isSparse = arguments[0].equals("sparse");
        String lie = arguments[1];
        boolean pairs = request.containsKey("pairs");
        List<?> items = list(request.get(pairs ? "pairs" : "texts"));
        List<?> spansOfAll = list(request.get("spans"));
        List<float[]> vectors = new ArrayList<>();
        List<Object> read = new ArrayList<>();
        for (Object item : items) {
            String text = (String) (pairs ? list(item).get(1) : item);
            for (Object span : request.containsKey("spans") ? list(spansOfAll.get(read.size())) : List.of()) {
                int start = offset(text, list(span).get(0));
                vectors.add(letters(
                        text.substring(start, offset(text, list(span).get(1))).strip()));
            }
            read.add(text.codePointCount(0, text.length()) <= READ ? -1 : READ);
            if (!request.containsKey("spans")) {
                float[] counts =
                        pairs ? new float[] {overlap((String) list(item).get(0), text)} : letters(text);
                vectors.add(isSparse ? terms(counts) : counts);
            }
        }
        List<Integer> rows = new ArrayList<>();
        float[] numbers = new float[0];
        for (float[] vector : vectors) {
            rows.add(vector.length / 2);
            int to = numbers.length;
            numbers = Arrays.copyOf(numbers, to + vector.length);
            System.arraycopy(vector, 0, numbers, to, vector.length);
        }
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("read", read);
        if (isSparse) {
            header.put("rows", rows);
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
        int left = READ;
        for (int at = 0; at < text.length() && left > 0; at = text.offsetByCodePoints(at, 1)) {
            int letter = Character.toLowerCase(text.codePointAt(at));
            if (letter >= 'a' && letter <= 'z') {
                vector[letter - 'a']++;
            }
            left--;
        }
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
        float sum = 0;
        for (int letter = 0; letter < DIMENSION; letter++) {
            sum += Math.min(one[letter], two[letter]);
        }
        return sum;
    }

    private static void write(OutputStream out, Map<String, ?> header, float[] numbers) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>(header);
        all.put(Frame.NUMBERS, numbers.length);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            write(generator, all);
        }
        byte[] json = bytes.toByteArray();
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

    private static void write(JsonGenerator json, @Nullable Object value) {
        if (value instanceof Map<?, ?> fields) {
            json.writeStartObject();
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                json.writeName((String) field.getKey());
                write(json, field.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof List<?> items) {
            json.writeStartArray();
            for (Object item : items) {
                write(json, item);
            }
            json.writeEndArray();
        } else if (value instanceof String text) {
            json.writeString(text);
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else if (value instanceof Integer number) {
            json.writeNumber(number);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else {
            json.writeNull();
        }
    }
}
