package io.posbias.study.probe.redocred;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.JsonLines;
import io.posbias.study.probe.ProbeItem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

public record ProbeFolder(Path path) {
    /** Name of the default folder in {@code --data}. */
    static final String REDOCRED = "redocred";

    private static final String ENDING = ".jsonl";

    /** The paper's probes in its order, then others. */
    private static final Comparator<Path> PAPER_ORDER = Comparator.comparingInt(file -> {
        int place = List.copyOf(RedocredProbes.names()).indexOf(name(file));
        return place < 0 ? Integer.MAX_VALUE : place;
    });

    public static Path ofRedocred(Path home) {
        return home.resolve("probes").resolve(REDOCRED);
    }

    /**
     * Resolves {@code --data}; a local folder precedes a name.
     *
     * @throws UsageException if it does not exist
     * @throws BadInputException if a file's digest differs from {@code probes.yaml}
     */
    public static ProbeFolder of(Path given, Path home) {
        Staging.restore(given);
        if (Files.isDirectory(given)) {
            return new ProbeFolder(given).verified();
        }
        if (!given.equals(Path.of(REDOCRED))) {
            throw new UsageException("--data " + given + ": folder does not exist");
        }
        if (!Files.isDirectory(ofRedocred(home))) {
            throw new UsageException("--data " + REDOCRED + ": these probes are not built yet; 'posbias probe build "
                    + REDOCRED + " --input FILE' builds them");
        }
        return new ProbeFolder(ofRedocred(home)).verified();
    }

    /** Verifies the files against the digests in {@code probes.yaml}, if present. */
    private ProbeFolder verified() {
        Path card = path.resolve(RedocredProbes.CARD);
        if (Files.isRegularFile(card)) {
            Json.bind(Json.readYaml(card), Listed.class).probes.forEach(this::verify);
        }
        return this;
    }

    private record Listed(@Setting(usual = "[]") List<Entry> probes) {
        record Entry(String file, String sha256, @Nullable Integer records) {}
    }

    private void verify(Listed.Entry entry) {
        Path file = FileNames.directlyIn(path, entry.file);
        String sha256 = entry.sha256;
        if (Files.isRegularFile(file) && !Checksums.sha256(file).equals(sha256)) {
            throw new BadInputException(
                    Location.of(file),
                    "is not the file that " + RedocredProbes.CARD + " beside it has the SHA-256 of",
                    "it changed since it was built: build the probes again with --overwrite, or give a file that is meant"
                            + " to differ with --pairs");
        }
        if (Files.isRegularFile(file) && entry.records != null) {
            int[] rows = {0};
            new JsonLines(file).forEach(row -> rows[0]++);
            if (rows[0] != entry.records) {
                throw new BadInputException(
                        Location.of(file),
                        "has " + Plural.of(rows[0], "record") + ", " + RedocredProbes.CARD + " beside it counts "
                                + entry.records,
                        "build the probes again with --overwrite");
            }
        }
    }

    static void describe(Path folder, Object card) {
        Path file = folder.resolve(RedocredProbes.CARD);
        IoErrors.run("write", file, () -> Files.writeString(file, Json.toYaml(card)));
    }

    static String write(Path folder, String probe, List<ProbeRecord> records) {
        Path file = folder.resolve(probe + ENDING);
        IoErrors.run("write", file, () -> Files.write(file, Json.toLines(records)));
        return probe + ENDING;
    }

    /** The items of a file; without a probe in its lines, the file's name is the probe's. */
    public static List<ProbeItem> items(Path file) {
        return ProbeItem.read(file, name(file), RedocredProbes::type);
    }

    public static String name(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name;
    }

    /**
     * The files of all probes, including empty ones of probes that no query fits.
     *
     * @throws UsageException if there are none
     */
    public List<Path> files() {
        List<Path> there = IoErrors.call("read", path, () -> FileNames.in(path)).stream()
                .filter(file -> file.toString().endsWith(ENDING) && !FileNames.isHidden(path, file))
                .sorted(PAPER_ORDER.thenComparing(Comparator.naturalOrder()))
                .toList();
        if (there.isEmpty()) {
            throw new UsageException("--data " + path + " holds no probe; 'posbias probe build' makes some");
        }
        return there;
    }

    /**
     * The non-empty files.
     *
     * @throws PosbiasException if all are empty
     */
    public static List<Path> filled(List<Path> files) {
        List<Path> filled = files.stream()
                .filter(file -> IoErrors.call("read", file, () -> Files.size(file)) > 0)
                .toList();
        if (filled.isEmpty()) {
            throw new PosbiasException("no probe of " + files.getFirst().getParent() + " holds a pair");
        }
        return filled;
    }
}
