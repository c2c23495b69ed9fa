package io.posbias.model.encode.worker;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.fetch.jars.SitePackages;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

    /** posbias's own worker in a command. */
    public static final String OWN = "posbias/sentence_transformers.py";

    /** Files of posbias's own worker in {@code scripts/workers}, which are in its jar; the program comes first. */
    static final List<String> OWN_FILES = List.of(
            "sentence_transformers.py",
            "posbias_worker/__init__.py",
            "posbias_worker/decompx.py",
            "posbias_worker/dense.py",
            "posbias_worker/inside.py",
            "posbias_worker/late.py",
            "posbias_worker/loading.py",
            "posbias_worker/protocol.py",
            "posbias_worker/rerankers.py",
            "posbias_worker/texts.py",
            "posbias_worker/training.py",
            "posbias_worker/trust.py");

    static final String PYTHON = SitePackages.PYTHON;
    private static final int DAY_SECONDS = 86_400;
    private static final String OWN_FOLDER = "posbias/";
    private static final String SCRIPT = ".py";

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

    /** Returns these settings for one worker, whose steps of a training may take a day. */
    public WorkerSettings training() {
        return new WorkerSettings(gives, command, textsPerRequest, DAY_SECONDS, 1, trustRemoteCode, givesLogits);
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
                    FileNames.staysInside(word) && Files.exists(folder.resolve(word)) && !word.startsWith(OWN_FOLDER);
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
     * Returns a SHA-256 of the arguments, and of the program unless it is Python. Files and folders that they name by absolute
     * paths count by their content, so that these may lie anywhere; with a script of Python, the modules beside it.
     *
     * @param home that remembers the digests of large files
     */
    public String digest(Path home) {
        List<String> digests = new ArrayList<>();
        Path program = Path.of(command.getFirst());
        if (program.isAbsolute() && Files.isRegularFile(program) && !isPython(program)) {
            digests.addAll(Checksums.entries(program, home));
        }
        for (String word : command.subList(1, command.size())) {
            Path file = Path.of(new File(word).isAbsolute() ? word : "");
            if (isOwn(word)) {
                digests.add(ownDigest());
            } else if (file.isAbsolute() && file.getNameCount() > 0 && Files.exists(file)) {
                digests.addAll(Checksums.entries(file, home));
                if (word.endsWith(SCRIPT)) {
                    modules(file).forEach(module -> digests.add(module.getFileName() + " " + Checksums.sha256(module)));
                }
            } else {
                digests.add(word);
            }
        }
        return Checksums.sha256(digests.stream());
    }

    /** Returns true for the interpreter, which is not itself what the model computes, unlike a program of its own. */
    private static boolean isPython(Path program) {
        return String.valueOf(program.getFileName()).matches("(python|pypy)[0-9.]*(\\.exe)?");
    }

    /** Returns the other modules in a script's folder, where Python looks for them first. */
    private static List<Path> modules(Path script) {
        Path folder = Objects.requireNonNull(script.getParent());
        return IoErrors.call("read", folder, () -> FileNames.below(folder, 1)).stream()
                .filter(file -> file.toString().endsWith(SCRIPT) && !file.equals(script))
                .toList();
    }

    /** Returns the command with posbias's own scripts as files in a folder, and with the Python that a variable names. */
    List<String> started(@Nullable String python, Path folder) {
        List<String> started = new ArrayList<>();
        for (String word : command) {
            if (isOwn(word)) {
                started.add(unpacked(folder).toString());
            } else {
                started.add(started.isEmpty() && word.equals(PYTHON) && python != null ? python : word);
            }
        }
        if (trustRemoteCode) {
            started.add(TRUST);
        }
        return started;
    }

    private static boolean isOwn(String word) {
        if (word.startsWith(OWN_FOLDER) && !word.equals(OWN)) {
            throw new Setting.Wrong("command", "names " + word, "posbias has " + OWN);
        }
        return word.equals(OWN);
    }

    /** Returns true if the command runs posbias's own worker. */
    public boolean isOwn() {
        return command.contains(OWN);
    }

    /** Returns a SHA-256 of all files of posbias's own worker. */
    public static String ownDigest() {
        return Checksums.sha256(OWN_FILES.stream().map(file -> file + " " + Checksums.sha256(own(file))));
    }

    /** Writes posbias's own worker to a folder, and returns its program. */
    static Path unpacked(Path folder) {
        for (String name : OWN_FILES) {
            Path file = folder.resolve(name);
            IoErrors.run("write", file, () -> {
                Files.createDirectories(Objects.requireNonNull(file.getParent()));
                Files.write(file, own(name));
            });
        }
        return folder.resolve(OWN_FILES.getFirst());
    }

    private static byte[] own(String file) {
        try (InputStream in =
                Objects.requireNonNull(WorkerSettings.class.getResourceAsStream("/io/posbias/workers/" + file), file)) {
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
