package io.posbias.experiment;

import io.posbias.Configs;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.dataset.DatasetCard;
import io.posbias.evaluate.Scoring;
import io.posbias.measure.Measure;
import io.posbias.measure.Measures;
import io.posbias.measure.Profiler;
import io.posbias.measure.Units;
import io.posbias.position.Bucketing;
import io.posbias.report.ReportFormat;
import io.posbias.report.leaderboard.Layout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A table of a paper or of one's own as a YAML record: models, benchmarks, how to measure, and which tables to write.
 *
 * @param name letters, digits and {@code . _ + -}: it becomes a folder
 * @param title one line for lists
 * @param models names of recipes, or paths of such
 * @param datasets names or patterns of benchmarks, or folders
 * @param pools benchmarks that are made by pooling those of {@code datasets} whose names lie below theirs
 * @param k how many passages a ranking holds at most
 * @param scoring how rankings become numbers
 * @param tables what is written at the end
 */
public record Experiment(
        String name,
        String title,
        List<String> models,
        List<String> datasets,
        List<String> pools,
        int k,
        Scoring scoring,
        List<Output> tables) {
    private static final String FOLDER = "configs/experiments";
    private static final List<String> FIELDS =
            List.of("name", "title", "models", "datasets", "pool", "measures", "k", "buckets", "settings", "tables");
    private static final List<String> SETTINGS = List.of("draws", "seed", "confidence", "thin-below");
    private static final int USUAL_K = 100;
    private static final int USUAL_SEED = 42;

    /**
     * A table to write.
     *
     * @param file its name
     * @param datasets names or patterns of the benchmarks in it; empty for the pooled ones, or all where there are none
     * @param published whether the paper's rows are beside ours
     * @param intervals whether numbers are printed with their intervals
     */
    public record Output(
            String file,
            Layout layout,
            ReportFormat format,
            String measure,
            List<String> datasets,
            boolean published,
            boolean intervals) {
        private static final List<String> FIELDS =
                List.of("file", "layout", "format", "measure", "datasets", "published", "intervals");

        private static Output read(Fields fields) {
            fields.refuseOthers(FIELDS);
            String file = fields.id("file");
            if (!file.matches("[\\p{L}\\p{N}_+-][\\p{L}\\p{N}._+-]*") || file.equals("result.json")) {
                throw fields.bad("file", "is \"" + file + "\"", "it must be the name of a file, and not result.json");
            }
            ReportFormat format = checked(fields, "format", () -> format(fields.text("format", "markdown")));
            for (String field : List.of("layout", "measure", "published", "intervals")) {
                if (format == ReportFormat.JSON && fields.has(field)) {
                    throw fields.bad(field, "has no meaning with format json", "that is whole results");
                }
            }
            return new Output(
                    file,
                    checked(fields, "layout", () -> Layout.parse(fields.text("layout", "position"))),
                    format,
                    checked(
                            fields,
                            "measure",
                            () -> Measures.parse(fields.text("measure", Measures.DEFAULT))
                                    .toString()),
                    fields.texts("datasets"),
                    flag(fields, "published"),
                    flag(fields, "intervals"));
        }

        private static ReportFormat format(String word) {
            List<ReportFormat> known = Arrays.stream(ReportFormat.values())
                    .filter(format -> format != ReportFormat.MTEB && format != ReportFormat.HTML)
                    .toList();
            return known.stream()
                    .filter(format -> format.toString().equals(word.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new UsageException(Suggestions.unknown(
                            "format",
                            word,
                            known.stream().map(ReportFormat::toString).toList())));
        }

        private static boolean flag(Fields fields, String name) {
            Object value = fields.raw(name);
            if (value == null || value instanceof Boolean) {
                return Boolean.TRUE.equals(value);
            }
            throw fields.bad(name, "is " + value, "it must be true or false");
        }
    }

    /** The names of the experiments inside the jar. */
    public static List<String> builtIn() {
        return Configs.names(FOLDER);
    }

    /**
     * Finds an experiment.
     *
     * @param nameOrFile a name from {@link #builtIn()} or the path of a YAML file
     * @param threads how many may work
     * @throws UsageException if there is no such name or file
     */
    public static Experiment find(String nameOrFile, int threads) {
        if (nameOrFile.endsWith(".yaml") || nameOrFile.endsWith(".yml")) {
            Path file = Path.of(nameOrFile);
            if (!Files.isRegularFile(file)) {
                throw new UsageException("no experiment " + nameOrFile + ": no such file");
            }
            return read(Json.readYaml(file), file.toAbsolutePath().getParent(), threads);
        }
        if (!builtIn().contains(nameOrFile)) {
            throw new UsageException(
                    Suggestions.unknown("experiment", nameOrFile, builtIn()) + "; or give the path of a .yaml file");
        }
        String name = FOLDER + "/" + nameOrFile + ".yaml";
        return read(Json.parseYaml(Path.of(name), Configs.read(name)), null, threads);
    }

    private static Experiment read(Fields fields, @Nullable Path folder, int threads) {
        fields.refuseOthers(FIELDS);
        String name = fields.id("name");
        if (!DatasetCard.isName(name) || name.contains("/")) {
            throw fields.bad("name", "is \"" + name + "\"", "a name is made of letters, digits and . _ -");
        }
        Scoring scoring = scoring(fields, threads);
        int k = fields.integer("k", USUAL_K);
        checked(fields, "k", () -> {
            scoring.checkDepth(k, "k");
            return k;
        });
        List<Output> tables =
                fields.records("tables").stream().map(Output::read).toList();
        if (tables.stream().map(Output::file).distinct().count() < tables.size()) {
            throw fields.bad("tables", "has two of one file", "the second would replace the first");
        }
        return new Experiment(
                name,
                fields.text("title", ""),
                several(fields, "models", folder),
                several(fields, "datasets", folder),
                fields.texts("pool"),
                k,
                scoring,
                tables);
    }

    private static Scoring scoring(Fields fields, int threads) {
        Fields settings = fields.record("settings");
        settings.refuseOthers(SETTINGS);
        List<Measure> measures = fields.has("measures")
                ? fields.texts("measures").stream()
                        .map(measure -> checked(fields, "measures", () -> Measures.parse(measure)))
                        .distinct()
                        .toList()
                : List.of(Measures.parse(Measures.DEFAULT));
        Bucketing buckets = fields.has("buckets")
                ? checked(fields, "buckets", () -> Bucketing.parse(fields.text("buckets")))
                : null;
        int draws = settings.integer("draws", Profiler.DRAWS);
        double confidence = settings.number("confidence", Profiler.CONFIDENCE);
        if (draws < 0) {
            throw settings.bad("draws", "is " + draws, "it must be 0 or more");
        }
        if (!(confidence > 0 && confidence < 1)) {
            throw settings.bad("confidence", "is " + confidence, "it must be between 0 and 1");
        }
        return new Scoring(
                measures,
                buckets,
                settings.integer("thin-below", Profiler.THIN_BELOW),
                draws,
                settings.integer("seed", USUAL_SEED),
                confidence,
                Units.By.PASSAGE,
                threads);
    }

    private static List<String> several(Fields fields, String name, @Nullable Path folder) {
        List<String> texts = fields.texts(name);
        if (texts.isEmpty()) {
            throw fields.bad(name, "is missing or empty", "an experiment needs one at least");
        }
        return texts.stream().map(entry -> beside(folder, entry)).toList();
    }

    /** What reads a value speaks of the command line; here it is in a file. */
    private static <T> T checked(Fields fields, String name, Supplier<T> value) {
        try {
            return value.get();
        } catch (UsageException wrong) {
            throw fields.bad(name, "is wrong: " + wrong.line(), "");
        }
    }

    /** Paths in a file, which begin with a dot or end in .yaml, count from its folder. */
    private static String beside(@Nullable Path folder, String entry) {
        boolean path = entry.startsWith(".") || entry.endsWith(".yaml");
        return path && folder != null ? folder.resolve(entry).normalize().toString() : entry;
    }
}
