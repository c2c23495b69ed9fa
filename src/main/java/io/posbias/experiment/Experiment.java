package io.posbias.experiment;

import io.posbias.Configs;
import io.posbias.Fields;
import io.posbias.FileNames;
import io.posbias.Printable;
import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.dataset.DatasetCard;
import io.posbias.evaluate.ModelFinder;
import io.posbias.measure.Measure;
import io.posbias.measure.Measures;
import io.posbias.measure.Settings;
import io.posbias.position.Bucketing;
import io.posbias.report.ReportFormat;
import io.posbias.report.leaderboard.Layout;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.StoredRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A table as a YAML record: models, benchmarks, measures and outputs.
 *
 * @param name letters, digits and {@code . _ + -}; also a folder
 * @param pools benchmarks made by pooling those of a group whose names begin with theirs
 */
public record Experiment(
        String name,
        String title,
        List<ExperimentGroup> groups,
        List<String> pools,
        int k,
        List<ExperimentOutput> tables) {
    private static final String FOLDER = "configs/experiments";
    private static final List<String> OF_GROUPS =
            List.of("models", "datasets", "measures", ExperimentGroup.FIRST_STAGE);
    private static final List<String> FIELDS = List.of(
            "name",
            "title",
            "models",
            "datasets",
            "measures",
            ExperimentGroup.FIRST_STAGE,
            "groups",
            "pool",
            "k",
            "buckets",
            "settings",
            "tables");

    /**
     * Models that run on the same benchmarks.
     *
     * @param firstStage the recipe whose ranking these models rerank; empty for the one that their own recipes name
     * @param contentFixed how many queries of each benchmark are scored with the content held fixed; null for none
     */
    public record ExperimentGroup(
            List<String> models,
            List<String> datasets,
            String firstStage,
            Settings settings,
            @Nullable Integer contentFixed) {
        private static final String FIRST_STAGE = "first-stage";
        private static final String CONTENT_FIXED = "content-fixed";

        /**
         * Finds the recipes of the models.
         *
         * @throws UsageException if a recipe is unknown or takes no first stage although the group names one
         */
        public List<Recipe> recipes(ModelFinder finder) {
            if (firstStage.isEmpty()) {
                return finder.all(models);
            }
            if (!StoredRun.isFile(firstStage)) {
                finder.find(firstStage);
            }
            Object field = finder.field(firstStage);
            return finder.all(models).stream()
                    .map(recipe -> withFirstStage(recipe, field))
                    .toList();
        }

        private Recipe withFirstStage(Recipe recipe, Object field) {
            if (!recipe.takes(FIRST_STAGE)) {
                throw new UsageException(FIRST_STAGE + " " + firstStage + " has no meaning for " + recipe.name());
            }
            return recipe.with(Map.of(FIRST_STAGE, field));
        }
    }

    /**
     * A table to write.
     *
     * @param datasets names or patterns of the benchmarks in it; empty for the pooled ones, or all where there are none
     */
    public record ExperimentOutput(
            String file,
            Layout layout,
            ReportFormat format,
            String measure,
            List<String> datasets,
            boolean published,
            boolean intervals) {
        private static final List<String> FIELDS =
                List.of("file", "layout", "format", "measure", "datasets", "published", "intervals");

        private static ExperimentOutput read(Fields fields, List<String> measures) {
            fields.refuseOthers(FIELDS);
            String file = fields.id("file");
            if (!file.matches("[\\p{L}\\p{N}_+-][\\p{L}\\p{N}._+-]*") || file.equals("result.json")) {
                throw fields.bad(
                        "file", "is " + Printable.quoted(file), "it must be the name of a file, and not result.json");
            }
            ReportFormat format = checked(fields, "format", () -> format(fields.text("format", "markdown")));
            for (String field : List.of("layout", "measure", "published", "intervals")) {
                if (format == ReportFormat.JSON && fields.has(field)) {
                    throw fields.bad(field, "has no meaning with format json", "it contains whole results");
                }
            }
            return new ExperimentOutput(
                    file,
                    checked(fields, "layout", () -> Layout.parse(fields.text("layout", "position"))),
                    format,
                    measure(fields, measures),
                    fields.texts("datasets"),
                    fields.flag("published", false),
                    fields.flag("intervals", false));
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

        private static String measure(Fields fields, List<String> measures) {
            String usual = measures.contains(Measures.DEFAULT) ? Measures.DEFAULT : measures.getFirst();
            String measure = checked(
                    fields,
                    "measure",
                    () -> Measures.parse(fields.text("measure", usual)).toString());
            if (!measures.contains(measure)) {
                throw fields.bad("measure", "is " + measure, "the experiment measures " + String.join(", ", measures));
            }
            return measure;
        }
    }

    /** The names of the experiments inside the jar. */
    public static List<String> builtIn() {
        return Configs.names(FOLDER);
    }

    /**
     * Finds an experiment by a name from {@link #builtIn()} or by the path of a YAML file.
     *
     * @throws UsageException if the name is unknown or the file is missing
     */
    public static Experiment find(String nameOrFile) {
        Fields fields = Configs.find("experiment", FOLDER, nameOrFile, "posbias run --list");
        Path folder = Configs.isFile(nameOrFile)
                ? FileNames.path(nameOrFile).toAbsolutePath().getParent()
                : null;
        return read(fields, folder);
    }

    private static Experiment read(Fields fields, @Nullable Path folder) {
        fields.refuseOthers(FIELDS);
        String name = fields.id("name");
        if (!DatasetCard.isName(name) || name.contains("/")) {
            throw fields.bad("name", "is " + Printable.quoted(name), "a name is made of letters, digits and . _ -");
        }
        int k = fields.integer("k", Settings.USUAL.k());
        List<ExperimentGroup> groups = groups(fields, folder, k);
        groups.forEach(group -> checked(
                fields,
                "k",
                () -> group.settings()
                        .withContentFixed(group.contentFixed() == null ? null : ExperimentGroup.CONTENT_FIXED)
                        .checked("k")));
        List<String> measures = groups.stream()
                .flatMap(group -> group.settings().measures().stream())
                .map(Measure::toString)
                .distinct()
                .toList();
        List<ExperimentOutput> tables = fields.records("tables").stream()
                .map(table -> ExperimentOutput.read(table, measures))
                .toList();
        if (tables.stream().map(ExperimentOutput::file).distinct().count() < tables.size()) {
            throw fields.bad("tables", "has two of one file", "the second would replace the first");
        }
        return new Experiment(name, fields.text("title", ""), groups, fields.texts("pool"), k, tables);
    }

    private static List<ExperimentGroup> groups(Fields fields, @Nullable Path folder, int k) {
        if (!fields.has("groups")) {
            return List.of(group(fields, fields, folder, k));
        }
        List<Fields> parts = fields.records("groups");
        if (parts.isEmpty()) {
            throw fields.bad("groups", "is empty", "leave it out, or give a list of groups");
        }
        parts.forEach(part -> part.refuseOthers(OF_GROUPS));
        return parts.stream().map(part -> group(part, fields, folder, k)).toList();
    }

    private static ExperimentGroup group(Fields own, Fields all, @Nullable Path folder, int k) {
        Fields stage = own.has(ExperimentGroup.FIRST_STAGE) ? own : all;
        return new ExperimentGroup(
                several(own.has("models") ? own : all, "models", folder),
                several(own.has("datasets") ? own : all, "datasets", folder),
                beside(folder, stage.text(ExperimentGroup.FIRST_STAGE, "")),
                settings(own.has("measures") ? own : all, all).withK(k),
                contentFixed(all.record("settings")));
    }

    private static @Nullable Integer contentFixed(Fields settings) {
        if (!settings.has(ExperimentGroup.CONTENT_FIXED)) {
            return null;
        }
        int queries = settings.integer(ExperimentGroup.CONTENT_FIXED);
        if (queries < 2) {
            throw settings.bad(ExperimentGroup.CONTENT_FIXED, "is " + queries, "it is a number of queries, 2 or more");
        }
        return queries;
    }

    private static List<Measure> measures(Fields fields) {
        if (!fields.has("measures")) {
            return List.of(Measures.parse(Measures.DEFAULT));
        }
        return fields.texts("measures").stream()
                .map(measure -> checked(fields, "measures", () -> Measures.parse(measure)))
                .distinct()
                .toList();
    }

    private static Settings settings(Fields measuring, Fields fields) {
        Fields statistics = fields.record("settings");
        List<String> known = new ArrayList<>(Settings.STATISTICS);
        known.add(ExperimentGroup.CONTENT_FIXED);
        statistics.refuseOthers(known);
        return Settings.USUAL
                .with(statistics)
                .withMeasures(measures(measuring))
                .withBuckets(
                        fields.has("buckets")
                                ? checked(fields, "buckets", () -> Bucketing.parse(fields.text("buckets")))
                                : null);
    }

    private static List<String> several(Fields fields, String name, @Nullable Path folder) {
        List<String> texts = fields.texts(name);
        if (texts.isEmpty()) {
            throw fields.bad(name, "is missing or empty", "an experiment needs one at least");
        }
        return texts.stream().map(entry -> beside(folder, entry)).toList();
    }

    private static <T> T checked(Fields fields, String name, Supplier<T> value) {
        try {
            return value.get();
        } catch (UsageException wrong) {
            throw fields.bad(name, "is wrong: " + wrong.line(), "");
        }
    }

    private static String beside(@Nullable Path folder, String entry) {
        return Configs.isFile(entry) && folder != null
                ? folder.resolve(FileNames.path(entry)).normalize().toString()
                : entry;
    }
}
