package io.posbias.run.experiment;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.files.FileNames;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.position.Bucketing;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.retrieve.StoredRun;
import io.posbias.model.store.ModelFinder;
import io.posbias.report.ReportFormat;
import io.posbias.report.leaderboard.Layout;
import io.posbias.score.measure.Depth;
import io.posbias.score.measure.Measure;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.SettingsFields;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
    private static final String SETTINGS = "settings";

    /**
     * An experiment as written.
     *
     * @param all fields for groups that lack them
     * @param k null for the usual one
     * @param settings those of {@link SettingsFields#STATISTICS}, and content-fixed
     */
    record Written(
            @Setting(identifier = true) String name,
            @Setting(usual = "''") String title,
            @JsonUnwrapped Part all,
            @Nullable List<Part> groups,
            @Setting(usual = "[]") List<String> pool,
            @Nullable Integer k,
            @Nullable String buckets,
            @Setting(usual = "{}") Map<String, Object> settings,
            @Setting(usual = "[]") List<ExperimentOutput> tables,
            Fields fields) {
        Written {
            if (!DatasetCard.isName(name) || name.contains("/")) {
                throw new Setting.Wrong(
                        "name", "is " + Printable.quoted(name), "a name is made of letters, digits and . _ -");
            }
            if (groups != null && groups.isEmpty()) {
                throw new Setting.Wrong("groups", "is empty", "leave it out, or give a list of groups");
            }
            if (tables.stream().map(ExperimentOutput::file).distinct().count() < tables.size()) {
                throw new Setting.Wrong("tables", "has two of one file", "the second would replace the first");
            }
        }

        Experiment read(@Nullable Path folder) {
            List<ExperimentGroup> all = Objects.requireNonNullElse(groups, List.of(this.all)).stream()
                    .map(part -> group(part.orElse(this.all), folder))
                    .toList();
            List<String> measures = all.stream()
                    .flatMap(group -> group.settings().measures().stream())
                    .map(Measure::toString)
                    .distinct()
                    .toList();
            List<ExperimentOutput> outputs =
                    tables.stream().map(table -> table.of(measures)).toList();
            return new Experiment(name, title, all, pool, Objects.requireNonNullElse(k, Settings.USUAL.k()), outputs);
        }

        private ExperimentGroup group(Part part, @Nullable Path folder) {
            Integer fixed = contentFixed();
            Settings whole = SettingsFields.with(Settings.USUAL, fields.record(SETTINGS))
                    .withMeasures(part.parsed())
                    .withBuckets(buckets == null ? null : checked("buckets", () -> Bucketing.parse(buckets)))
                    .with("k", Objects.requireNonNullElse(k, Settings.USUAL.k()));
            checked(
                    "k",
                    () -> Depth.checked(
                            whole.withContentFixed(fixed == null ? null : ExperimentGroup.CONTENT_FIXED), "k"));
            return new ExperimentGroup(
                    several("models", part.models, folder),
                    several("datasets", part.datasets, folder),
                    beside(folder, Objects.requireNonNullElse(part.firstStage, "")),
                    whole,
                    fixed);
        }

        private @Nullable Integer contentFixed() {
            Fields statistics = fields.record(SETTINGS);
            statistics.refuseOthers(
                    Stream.concat(SettingsFields.STATISTICS.stream(), Stream.of(ExperimentGroup.CONTENT_FIXED))
                            .toList());
            if (!statistics.has(ExperimentGroup.CONTENT_FIXED)) {
                return null;
            }
            int queries = statistics.integer(ExperimentGroup.CONTENT_FIXED);
            if (queries < 2) {
                throw statistics.bad(
                        ExperimentGroup.CONTENT_FIXED, "is " + queries, "it is a number of queries, 2 or more");
            }
            return queries;
        }

        private <T> T checked(String field, Supplier<T> value) {
            try {
                return value.get();
            } catch (UsageException wrong) {
                throw fields.bad(field, "is wrong: " + wrong.line(), "");
            }
        }

        private List<String> several(String field, @Nullable List<String> entries, @Nullable Path folder) {
            if (entries == null) {
                throw fields.bad(field, Part.MISSING, Part.ONE);
            }
            return entries.stream().map(entry -> beside(folder, entry)).toList();
        }
    }

    /** Fields of a group. */
    record Part(
            @Nullable List<String> models,
            @Nullable List<String> datasets,
            @Nullable List<String> measures,
            @Nullable String firstStage) {
        private static final String MISSING = "is missing or empty";
        private static final String ONE = "an experiment needs one at least";

        Part {
            refuseEmpty("models", models);
            refuseEmpty("datasets", datasets);
            parsed(measures);
        }

        private static void refuseEmpty(String field, @Nullable List<String> entries) {
            if (entries != null && entries.isEmpty()) {
                throw new Setting.Wrong(field, MISSING, ONE);
            }
        }

        private static List<Measure> parsed(@Nullable List<String> measures) {
            return Objects.requireNonNullElse(measures, List.of(Measures.DEFAULT)).stream()
                    .map(measure -> Experiment.parsed("measures", () -> Measures.parse(measure)))
                    .distinct()
                    .toList();
        }

        List<Measure> parsed() {
            return parsed(measures);
        }

        Part orElse(Part all) {
            return new Part(
                    models == null ? all.models : models,
                    datasets == null ? all.datasets : datasets,
                    measures == null ? all.measures : measures,
                    firstStage == null ? all.firstStage : firstStage);
        }
    }

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
            if (!RecipeBook.takes(recipe, FIRST_STAGE)) {
                throw new UsageException(FIRST_STAGE + " " + firstStage + " has no meaning for " + recipe.name());
            }
            return RecipeBook.with(recipe, Map.of(FIRST_STAGE, field));
        }
    }

    /**
     * A table to write.
     *
     * @param datasets names or patterns of the benchmarks in it; empty for the pooled ones, or all where there are none
     */
    public record ExperimentOutput(
            @Setting(identifier = true) String file,
            @Setting(usual = "position") Layout layout,

            @Setting(words = {"markdown", "table", "csv", "tidy-csv", "latex", "json"})
            ReportFormat format,

            @Setting(usual = "''") String measure,
            @Setting(usual = "[]") List<String> datasets,
            @Setting(usual = "false") boolean published,
            @Setting(usual = "false") boolean intervals,
            Fields written) {
        public ExperimentOutput {
            if (!file.matches("[\\p{L}\\p{N}_+-][\\p{L}\\p{N}._+-]*") || file.equals("result.json")) {
                throw new Setting.Wrong(
                        "file", "is " + Printable.quoted(file), "it must be the name of a file, and not result.json");
            }
            for (String field : List.of("layout", "measure", "published", "intervals")) {
                if (format == ReportFormat.JSON && written.has(field)) {
                    throw new Setting.Wrong(field, "has no meaning with format json", "it contains whole results");
                }
            }
            String named = measure;
            measure = named.isEmpty()
                    ? ""
                    : parsed("measure", () -> Measures.parse(named).toString());
        }

        private ExperimentOutput of(List<String> measures) {
            String usual = measures.contains(Measures.DEFAULT) ? Measures.DEFAULT : measures.getFirst();
            String shown = measure.isEmpty() ? usual : measure;
            if (!measures.contains(shown)) {
                throw written.bad("measure", "is " + shown, "the experiment measures " + String.join(", ", measures));
            }
            return new ExperimentOutput(file, layout, format, shown, datasets, published, intervals, written);
        }
    }

    /**
     * Adds models to those of the one group.
     *
     * @throws UsageException for several groups
     */
    public Experiment plus(List<String> models) {
        if (models.isEmpty()) {
            return this;
        }
        if (groups.size() > 1) {
            throw new UsageException("--model: " + name + " has " + Plural.of(groups.size(), "group")
                    + " of models; add the models to a group in a copy of its file");
        }
        ExperimentGroup group = groups.getFirst();
        List<String> all = Stream.concat(group.models().stream(), models.stream())
                .distinct()
                .toList();
        return new Experiment(
                name,
                title,
                List.of(new ExperimentGroup(
                        all, group.datasets(), group.firstStage(), group.settings(), group.contentFixed())),
                pools,
                k,
                tables);
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
        return Json.settings(fields, Written.class).read(folder);
    }

    private static <T> T parsed(String field, Supplier<T> value) {
        try {
            return value.get();
        } catch (UsageException wrong) {
            throw new Setting.Wrong(field, "is wrong: " + wrong.line(), "");
        }
    }

    private static String beside(@Nullable Path folder, String entry) {
        return Configs.isFile(entry) && folder != null
                ? folder.resolve(FileNames.path(entry)).normalize().toString()
                : entry;
    }
}
