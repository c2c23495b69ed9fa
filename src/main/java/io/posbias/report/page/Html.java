package io.posbias.report.page;

import io.posbias.base.plot.Viridis;
import io.posbias.base.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** HTML of pages: templates, escapes, digests. */
public final class Html {
    private static final Pattern SLOT = Pattern.compile("\\{\\{(\\w+)}}");

    private Html() {}

    public static String fill(String template, Map<String, String> slots) {
        // In one pass: what fills a slot may look like a slot itself.
        return SLOT.matcher(template)
                .replaceAll(slot -> Matcher.quoteReplacement(Objects.requireNonNull(slots.get(slot.group(1)))));
    }

    static String digest(String text) {
        try {
            byte[] sha = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(sha) + "'";
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    public static String escape(String text) {
        return Printable.lines(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    static String colour(double share) {
        return String.format("#%06x", Viridis.rgb(share));
    }

    public static String resource(String name) {
        try (InputStream in = Html.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new IllegalStateException("cannot read " + name + " in the jar", broken);
        }
    }
}
