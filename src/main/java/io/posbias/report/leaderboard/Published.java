package io.posbias.report.leaderboard;

import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.score.result.ResultFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Results that a paper printed, in the form of {@link ResultFile}. Counts of queries are unknown and 0.
 *
 * @param file {@code data/published/NAME.json} of the jar, or a user's file
 * @param datasets names or patterns of the rows that tables show; empty for all
 * @param withoutResults names or patterns of the rows that are shown without other results; empty for all
 */
record Published(
        ResultsFile file,
        @Setting(usual = "[]") List<String> datasets,
        @Setting(usual = "[]") List<String> withoutResults) {
    private static final String FOLDER = "data/published";
    private static final String LINK = "published-as";

    /** A file of results, read when it is first needed. */
    static final class ResultsFile {
        private final String name;
        private final Path file;
        private final boolean isBuiltIn;
        private @Nullable List<Result> results;

        private ResultsFile(String name, Path file, boolean isBuiltIn) {
            this.name = name;
            this.file = file;
            this.isBuiltIn = isBuiltIn;
        }

        /** Reads the field: a name of {@code data/published}, or a path beside the file of the field. */
        @Setting.Reader
        static ResultsFile read(Fields fields, String field) {
            String given = fields.id(field);
            if (given.endsWith(".json")) {
                Path file = fields.beside(given);
                if (!Files.isRegularFile(file)) {
                    throw fields.bad(field, "is " + given, "there is no file " + file);
                }
                return new ResultsFile(
                        given.substring(given.lastIndexOf('/') + 1).replace(".json", ""), file, false);
            }
            String name = fields.oneOf(field, "", Configs.names(FOLDER, ".json"));
            return new ResultsFile(name, Path.of(FOLDER, name + ".json"), true);
        }

        synchronized List<Result> results() {
            List<Result> known = results;
            if (known == null) {
                known = List.copyOf(
                        isBuiltIn
                                ? ResultFile.read(Json.parse(file, Configs.read(FOLDER + "/" + name + ".json")))
                                : ResultFile.read(file));
                results = known;
            }
            return known;
        }
    }

    List<Result> results() {
        return file.results();
    }

    /** Name in {@code published-as} of recipes. */
    String paper() {
        return file.name;
    }

    String measure() {
        return results().getFirst().measures().getFirst();
    }

    /** The rows on the benchmarks of results; tiny subsets are separate benchmarks. */
    List<Result> beside(List<Result> own) {
        Set<String> benchmarks = own.stream().map(Result::dataset).collect(Collectors.toSet());
        if (benchmarks.isEmpty()) {
            return results().stream()
                    .filter(result -> ResultFiles.matches(result.dataset(), withoutResults))
                    .toList();
        }
        return results().stream()
                .filter(result -> benchmarks.contains(result.dataset()))
                .sorted(Comparator.comparing(Result::dataset))
                .toList();
    }

    boolean shows(Result result) {
        return !result.isPublished() || ResultFiles.matches(result.dataset(), datasets);
    }

    /** Returns the name that the paper has for a result's model. */
    String nameOf(Result result) {
        return result.isPublished()
                ? result.model()
                : Objects.requireNonNullElse(linked(result, paper()), result.model());
    }

    static boolean isOf(Result own, Result published) {
        return published
                .model()
                .equals(linked(own, String.valueOf(published.recipe().get("paper"))));
    }

    private static @Nullable String linked(Result own, String paper) {
        return own.recipe().get(LINK) instanceof Map<?, ?> names && names.get(paper) instanceof String name
                ? name
                : null;
    }
}
