package io.posbias.cli.models;

import io.posbias.ExitCode;
import io.posbias.cli.common.Verb;
import io.posbias.evaluate.ModelPlace;
import io.posbias.evaluate.ModelStore;
import io.posbias.retrieve.Recipe;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code posbias models pull}: models from the Hugging Face Hub. */
@Command(
        name = "pull",
        description = {
            "Fetch the files of models from the Hugging Face Hub into posbias's cache; 'posbias eval' does the",
            "same when it needs them. A broken download is continued, every file is verified. Of models that",
            "come otherwise it says how; the exit code is 1 when one of them is not here."
        },
        footer = {
            "",
            "Environment: POSBIAS_HOME (cache, default ~/.cache/posbias), HF_ENDPOINT, HF_TOKEN, HF_HOME,",
            "HF_HUB_CACHE, HF_HUB_OFFLINE.",
            "",
            "Examples:",
            "  posbias models pull bge-m3",
            "  posbias models pull my-model.yaml --again",
        })
final class ModelsPullCommand extends Verb {
    @Parameters(
            paramLabel = "MODEL",
            arity = "1..*",
            description = "Names from 'posbias models list' or .yaml recipes.")
    private List<String> names = List.of();

    @Option(names = "--again", description = "Ask the Hub also for what is here; what differs is fetched.")
    private boolean again;

    @Override
    public Integer call() {
        ModelStore store = new ModelStore(session());
        boolean lacking = false;
        for (Recipe recipe : names.stream().map(Recipe::find).toList()) {
            store.pull(recipe, again);
            List<ModelPlace> places = store.places(recipe);
            for (ModelPlace place : places) {
                if (place.isHub()) {
                    printLine(place.files().name() + ": " + folder(place));
                } else {
                    say(place.otherwise());
                    lacking |= place.here().equals("no");
                }
            }
            if (places.isEmpty()) {
                say(recipe.name()
                        + (ModelStore.isService(recipe)
                                ? ": a service runs it, nothing to fetch"
                                : ": needs no files"));
            }
        }
        return lacking ? ExitCode.FAILURE : ExitCode.OK;
    }

    private static String folder(ModelPlace place) {
        return place.files().folder(place.home()).map(String::valueOf).orElse("");
    }
}
