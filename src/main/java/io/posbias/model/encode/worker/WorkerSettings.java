package io.posbias.model.encode.worker;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settings of workers.
 *
 * @param command program and arguments
 * @param textsPerRequest at most; long texts go by 64
 * @param timeout of an answer, in seconds
 * @param workers processes
 * @param trustRemoteCode true to add the argument {@value #TRUST}
 * @param givesLogits true if scores are logits of relevance
 */
public record WorkerSettings(
        Gives gives,
        List<String> command,
        @Setting(usual = "256", least = 1) int textsPerRequest,
        @Setting(usual = "600", least = 1) int timeout,
        @Setting(usual = "1", least = 1, most = 64) int workers,
        @Setting(usual = "false") boolean trustRemoteCode,
        @Setting(usual = "false") boolean givesLogits) {
    private static final String TRUST = "--trust-remote-code";

    /** Beginning of the names of posbias's own workers in {@code scripts/workers}, which are in its jar. */
    public static final String OWN = "posbias/";

    private static final String PYTHON = "python3";

    /** Kind of a worker's answers. */
    public enum Gives {
        DENSE,
        LATE_INTERACTION,
        CROSS_ENCODER,
        SPARSE
    }

    public WorkerSettings {
        command = List.copyOf(command);
        if (command.isEmpty()) {
            throw new Setting.Wrong("command", "is empty", "give the program and its arguments");
        }
        if (command.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
            throw new Setting.Wrong("command", "has a NUL character", "no program can be given one");
        }
        if (givesLogits && gives != Gives.CROSS_ENCODER) {
            throw new Setting.Wrong(
                    "gives-logits", "has no meaning with 'gives: " + Suggestions.word(gives) + "'", "remove it");
        }
    }

    /**
     * Returns these settings with the paths of the command as absolute ones: words that begin with {@code ./} or {@code ../},
     * files with a suffix, and a program with a slash. Prompts and names of models stay as they are.
     *
     * @param folder of the recipe
     * @param say takes a line for each path, and for each other word that names something in the folder
     */
    public WorkerSettings in(Path folder, Consumer<String> say) {
        List<String> words = new ArrayList<>();
        for (String word : command) {
            boolean isThere =
                    FileNames.staysInside(word) && Files.exists(folder.resolve(word)) && !word.startsWith(OWN);
            boolean isFile =
                    isThere && word.matches("(?s).*\\.\\p{Alpha}\\w*") && Files.isRegularFile(folder.resolve(word));
            if (isFile || word.matches("(?s)\\.\\.?/.*") || (isThere && words.isEmpty() && word.contains("/"))) {
                words.add(folder.resolve(word).toAbsolutePath().normalize().toString());
                say.accept("the argument " + Printable.quoted(word) + " is the path " + words.getLast());
            } else {
                words.add(word);
                if (isThere) {
                    say.accept("the argument " + Printable.quoted(word) + " is a text; ./" + word + " is in " + folder);
                }
            }
        }
        return new WorkerSettings(gives, words, textsPerRequest, timeout, workers, trustRemoteCode, givesLogits);
    }

    /**
     * Returns a SHA-256 of the arguments, and of the program if it is a script. Files and folders that they name by absolute
     * paths count by their content, so that these may lie anywhere.
     *
     * @param home that remembers the digests of large files
     */
    public String digest(Path home) {
        List<String> digests = new ArrayList<>();
        Path program = Path.of(command.getFirst());
        if (program.isAbsolute() && Files.isRegularFile(program) && isScript(program)) {
            digests.add(sha256(program, home));
        }
        for (String word : command.subList(1, command.size())) {
            Path file = Path.of(new File(word).isAbsolute() ? word : "");
            if (word.startsWith(OWN)) {
                digests.add(Checksums.sha256(own(word)));
            } else if (file.isAbsolute() && Files.isRegularFile(file)) {
                digests.add(sha256(file, home));
            } else if (file.isAbsolute() && file.getNameCount() > 0 && Files.isDirectory(file)) {
                for (Path inside : IoErrors.call("read", file, () -> FileNames.below(file))) {
                    digests.add(file.relativize(inside) + " " + sha256(inside, home));
                }
            } else {
                digests.add(word);
            }
        }
        return Checksums.sha256(digests.stream());
    }

    /** Returns true for a text that names its interpreter, which is itself what the model computes, unlike python3. */
    private static boolean isScript(Path program) {
        byte[] start = IoErrors.call("read", program, () -> {
            try (InputStream in = Files.newInputStream(program)) {
                return in.readNBytes(2);
            }
        });
        return new String(start, StandardCharsets.ISO_8859_1).equals("#!");
    }

    private static String sha256(Path file, Path home) {
        return IoErrors.call("read", file, () -> Checksums.remembered(file, home));
    }

    /** Returns the command with posbias's own scripts as files in a folder, and with the Python that a variable names. */
    List<String> started(@Nullable String python, Path folder) {
        List<String> started = new ArrayList<>();
        for (String word : command) {
            if (word.startsWith(OWN)) {
                Path file = folder.resolve(word.substring(OWN.length()));
                IoErrors.run("write", file, () -> Files.write(file, own(word)));
                started.add(file.toString());
            } else {
                started.add(started.isEmpty() && word.equals(PYTHON) && python != null ? python : word);
            }
        }
        if (trustRemoteCode) {
            started.add(TRUST);
        }
        return started;
    }

    private static byte[] own(String word) {
        String name = word.substring(OWN.length());
        try (InputStream script = WorkerSettings.class.getResourceAsStream("/io/posbias/workers/" + name)) {
            if (script == null) {
                throw new Setting.Wrong("command", "names " + word, "posbias has " + OWN + "sentence_transformers.py");
            }
            return script.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
