package io.posbias.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How large the campaign of faults is, and its counts. {@code mvn verify} tries a few faults of each sort; the profile
 * {@code faults} tries all. The seed decides which, so that what failed once fails again.
 */
public final class Campaign {
    public static final boolean FULL = "full".equals(System.getProperty("posbias.faults"));

    /** Decides which faults are tried: {@code -Dposbias.faults.seed=N} tries others. */
    public static final long SEED = Long.getLong("posbias.faults.seed", 20261122);

    public static final int HANG_SECONDS = 30;

    private static final Path REPORT = Path.of("target", "faults.txt");
    private static final Map<String, Counts> COUNTS = new TreeMap<>();
    private static final int SHOWN = 12;
    private static final String HEAD = line(
            "",
            "tried",
            "done",
            "refused",
            Stream.of(Defect.values()).map(Campaign::word).toList());

    private Campaign() {}

    public enum Defect {
        WRONG_BYTES,
        STACK_TRACE,
        HANG,
        LEFTOVER,
        LEAK,
        BAD_TEXT
    }

    static final class Counts {
        private int tried;
        private int done;
        private int refused;
        private final Map<Defect, Integer> defects = new EnumMap<>(Defect.class);
        private final List<String> examples = new ArrayList<>();
    }

    public static SplittableRandom random(String part) {
        return new SplittableRandom(SEED ^ part.hashCode() * 0x9E3779B97F4A7C15L);
    }

    public static synchronized void tried(String sort, boolean done) {
        Counts counts = COUNTS.computeIfAbsent(sort, unseen -> new Counts());
        counts.tried++;
        if (done) {
            counts.done++;
        } else {
            counts.refused++;
        }
    }

    public static synchronized void found(String sort, Defect defect, String example) {
        Counts counts = COUNTS.computeIfAbsent(sort, unseen -> new Counts());
        counts.defects.merge(defect, 1, Integer::sum);
        if (counts.examples.size() < SHOWN) {
            counts.examples.add(word(defect) + ": " + example);
        }
    }

    /** Prints the counts of sorts, writes those of all so far, and fails if faults of one of these sorts showed defects. */
    public static synchronized void check(String... sorts) {
        write();
        System.out.println(HEAD);
        List<String> failed = new ArrayList<>();
        for (String sort : sorts) {
            Counts counts = COUNTS.computeIfAbsent(sort, unseen -> new Counts());
            System.out.println(line(sort, counts));
            if (!counts.defects.isEmpty()) {
                failed.add(sort + ", seed " + SEED + ": " + counts.defects + "\n" + String.join("\n", counts.examples));
            }
        }
        if (!failed.isEmpty()) {
            throw new AssertionError(String.join("\n", failed));
        }
    }

    private static String word(Defect defect) {
        return defect.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Writes the counts of all sorts so far. */
    static synchronized void write() {
        List<String> lines = new ArrayList<>();
        lines.add("faults tried with seed " + SEED + (FULL ? "" : " (a few of each sort; all with -Pfaults)"));
        lines.add(HEAD);
        COUNTS.forEach((sort, counts) -> lines.add(line(sort, counts)));
        COUNTS.forEach((sort, counts) -> counts.examples.forEach(example -> lines.add(sort + ": " + example)));
        try {
            Files.createDirectories(REPORT.toAbsolutePath().getParent());
            Files.write(REPORT, lines);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private static String line(String sort, Counts counts) {
        return line(
                sort,
                String.valueOf(counts.tried),
                String.valueOf(counts.done),
                String.valueOf(counts.refused),
                Stream.of(Defect.values())
                        .map(defect -> String.valueOf(counts.defects.getOrDefault(defect, 0)))
                        .toList());
    }

    private static String line(String sort, String tried, String done, String refused, List<String> defects) {
        return String.format(Locale.ROOT, "%-44s %6s %6s %8s", sort, tried, done, refused)
                + defects.stream()
                        .map(count -> String.format(Locale.ROOT, " %12s", count))
                        .collect(Collectors.joining());
    }
}
