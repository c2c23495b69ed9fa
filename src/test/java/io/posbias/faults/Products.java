package io.posbias.faults;

import io.posbias.base.files.Checksums;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What a command has made in its folder, but for what says when and how it was made. */
final class Products {
    /** Times, the machine, and how much came from a cache; docs/report.md says so of result.json. */
    private static final Pattern MAKING =
            Pattern.compile("\"(seconds|environment|effort)\" ?: ?\\{[^}]*\\}|\"modified\" ?: ?\"[^\"]*\"");

    private Products() {}

    /** Temporary files, and digests that a process remembers of its own jar. */
    static boolean isOfProcess(String file) {
        return file.startsWith("tmp/") || file.startsWith("home/digests/") || file.startsWith("home/confirmed/");
    }

    /** The digests of the products, by their paths; caches are none: they only grow. */
    static Map<String, String> of(Folder folder) {
        Map<String, String> digests = new TreeMap<>();
        folder.contents().forEach((file, bytes) -> {
            if (!isOfProcess(file) && !file.contains("/vectors/") && !file.contains("/replies/")) {
                String text = new String(bytes, StandardCharsets.ISO_8859_1);
                boolean made = file.endsWith(".json") || file.endsWith(".html");
                String plain = made ? MAKING.matcher(text).replaceAll("") : text;
                digests.put(file, Checksums.sha256(plain.getBytes(StandardCharsets.ISO_8859_1)));
            }
        });
        return digests;
    }

    static String difference(Map<String, String> right, Map<String, String> made) {
        Map<String, String> all = new TreeMap<>(right);
        all.putAll(made);
        StringBuilder words = new StringBuilder();
        all.keySet().forEach(file -> {
            if (!right.containsKey(file)) {
                words.append(' ').append(file).append(" is too many");
            } else if (!made.containsKey(file)) {
                words.append(' ').append(file).append(" is missing");
            } else if (!right.get(file).equals(made.get(file))) {
                words.append(' ').append(file).append(" differs");
            }
        });
        return words.toString().strip();
    }
}
