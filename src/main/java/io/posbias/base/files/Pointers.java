package io.posbias.base.files;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files in place of other files: Git LFS pointers, links whose target is missing, links that were copied as texts, web pages in
 * place of a download.
 */
public final class Pointers {
    /** Bytes that tell a pointer. */
    public static final int PEEKED = 512;

    private static final Pattern LFS = Pattern.compile("version https://git-lfs\\.github\\.com/spec/v1(?s:\\s.*)");
    private static final Pattern SIZE = Pattern.compile("\\bsize (\\d+)");
    private static final Pattern LINK = Pattern.compile("(?:\\.\\./)+blobs/[0-9a-f]{40,64}\\s*");
    private static final Pattern PAGE =
            Pattern.compile("(?is)\\s*(?:<\\?xml[^>]*>\\s*)?<(?:!doctype html|html)[\\s>].*");

    private static final String AGAIN = "fetch the files again, or copy them with their targets (cp -rL)";

    private Pointers() {}

    /** Returns true for a file, and for a link whose target is missing, which is refused where it is opened. */
    public static boolean isFile(Path path) {
        return Files.isRegularFile(path) || isBroken(path);
    }

    private static boolean isBroken(Path path) {
        return Files.isSymbolicLink(path) && !Files.exists(path);
    }

    /** Returns the reason why a link leads nowhere; empty for other paths. */
    static Optional<String> broken(Path path) {
        return isBroken(path)
                ? Optional.of("it is a link to "
                        + Printable.cut(String.valueOf(IoErrors.call("read", path, () -> Files.readSymbolicLink(path))))
                        + ", which is missing; " + AGAIN)
                : Optional.empty();
    }

    /**
     * Refuses a pointer.
     *
     * @throws PosbiasException with the command that gets the file
     */
    public static void refuse(Path file) {
        refuse(file, IoErrors.call("read", file, () -> {
            try (InputStream in = Files.newInputStream(file)) {
                return in.readNBytes(PEEKED);
            }
        }));
    }

    /** @param first at least {@value #PEEKED} bytes of the file, or all */
    public static void refuse(Path file, byte[] first) {
        String text = new String(first, 0, Math.min(first.length, PEEKED), StandardCharsets.UTF_8);
        text = text.startsWith("\uFEFF") ? text.substring(1) : text;
        if (LFS.matcher(text).matches()) {
            Matcher size = SIZE.matcher(text);
            throw refused(
                    file,
                    "is a Git LFS pointer" + (size.find() ? " to " + size.group(1) + " bytes" : "") + ", not the file",
                    "get it with 'git lfs pull' in its folder");
        }
        if (LINK.matcher(text).matches()) {
            Path target = file.resolveSibling(text.strip()).normalize();
            String state = Files.exists(target) ? "" : ", which is missing";
            throw refused(file, "is a link to " + text.strip() + " that was copied as a text" + state, AGAIN);
        }
        if (PAGE.matcher(text).matches()) {
            throw refused(
                    file,
                    "is a web page (HTML), not the file",
                    "a download that asks for a log-in or another address gives one: fetch the file itself, on GitHub its raw"
                            + " address, on the Hub /resolve/ instead of /blob/");
        }
    }

    private static PosbiasException refused(Path file, String found, String advice) {
        return new PosbiasException(Printable.of(file.toString()) + ": " + found + "; " + advice);
    }

    /** Reads a whole file that is not a pointer. */
    public static byte[] content(Path file) {
        byte[] content = IoErrors.call("read", file, () -> Files.readAllBytes(file));
        refuse(file, content);
        return content;
    }
}
