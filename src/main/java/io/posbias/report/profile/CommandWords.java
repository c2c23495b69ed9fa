package io.posbias.report.profile;

import io.posbias.base.files.FileNames;
import io.posbias.score.result.Result;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Words of a command for what results are of, so that suggested commands run as printed.
 *
 * @param models what {@code --model} was given, by the model's name; the name itself where it is missing
 * @param datasets what {@code --dataset} was given, by the benchmark's name; likewise
 * @param folder of a result
 */
public record CommandWords(Map<String, String> models, Map<String, String> datasets, Function<Result, String> folder) {
    /** Names, and a word for the folder. */
    public static final CommandWords NAMES = new CommandWords(Map.of(), Map.of(), result -> "FOLDER");

    String models(List<Result> results) {
        return words(results.stream().map(Result::model).distinct().toList(), models);
    }

    String datasets(Result result) {
        return words(result.datasets(), datasets);
    }

    String folder(Result result) {
        return FileNames.quoted(folder.apply(result));
    }

    private static String words(List<String> names, Map<String, String> given) {
        return FileNames.quoted(
                names.stream().map(name -> given.getOrDefault(name, name)).collect(Collectors.joining(",")));
    }
}
