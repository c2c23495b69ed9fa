package io.posbias.cli.models;

import io.posbias.ExitCode;
import io.posbias.Json;
import io.posbias.Names;
import io.posbias.UsageException;
import io.posbias.cli.common.Group;
import io.posbias.cli.common.Verb;
import io.posbias.evaluate.ModelPlace;
import io.posbias.evaluate.ModelStore;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.RetrieverProvider;
import io.posbias.table.Sheet;
import io.posbias.table.TableFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code posbias models}: the recipes there are. */
@Command(
        name = "models",
        description = "List, show, fetch and check models.",
        subcommands = {
            ModelsCommand.ListModels.class,
            ModelsCommand.Info.class,
            ModelsCommand.Pull.class,
            ModelsCheckCommand.class,
        },
        footer = {
            "",
            "Examples:",
            "  posbias models list",
            "  posbias models info bm25 > my-bm25.yaml",
            "  posbias models check all-minilm-l6-v2",
        })
public final class ModelsCommand extends Group {

    /** {@code posbias models list}. */
    @Command(
            name = "list",
            description = {
                "List the models that --model takes by name, where their files come from and whether they are here:",
                "hub ('posbias models pull' fetches them), export (scripts/export_onnx.py makes them), bundled (a",
                "jar), folder, api (a service runs it), none."
            },
            footer = {"", "Examples:", "  posbias models list", "  posbias models list --family dense --format csv"})
    static final class ListModels extends Verb {
        @Option(
                names = "--family",
                paramLabel = "FAMILY",
                description = "Only these: sparse, dense, late-interaction, reranker or other.")
        private @Nullable String family;

        @Option(
                names = "--format",
                paramLabel = "FORMAT",
                description = "What to print: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
        private TableFormat format = TableFormat.TABLE;

        @Override
        protected void work() {
            List<Recipe> recipes = Recipe.builtIn().stream().map(Recipe::find).toList();
            List<String> families =
                    recipes.stream().map(Recipe::family).distinct().sorted().toList();
            if (family != null && !families.contains(family)) {
                throw new UsageException(Names.unknown("family", family, families));
            }
            ModelStore store = new ModelStore(session().quiet());
            List<Recipe> shown = recipes.stream()
                    .filter(recipe -> family == null || recipe.family().equals(family))
                    .toList();
            print(format.render(new Sheet<Recipe>()
                    .plain("model", Recipe::name)
                    .plain("kind", Recipe::kind)
                    .plain("from", recipe -> ModelStore.from(recipe, store.places(recipe)))
                    .plain("here", recipe -> ModelStore.here(recipe, store.places(recipe)))
                    .plain("description", Recipe::description)
                    .table(
                            "",
                            shown,
                            List.of("Kinds that a recipe may name: " + String.join(", ", RetrieverProvider.kinds())))));
        }
    }

    /** {@code posbias models info}. */
    @Command(
            name = "info",
            description = {
                "Show a model's recipe as YAML, ready to be changed and given to --model; in comments before it what",
                "is not known for sure, and which files it needs, where, and whether they are here."
            },
            footer = {"", "Example:", "  posbias models info bm25"})
    static final class Info extends Verb {
        @Parameters(paramLabel = "MODEL", description = "A name from 'posbias models list' or a .yaml file.")
        private String model = "";

        @Override
        protected void work() {
            Recipe recipe = Recipe.find(model);
            recipe.retriever();
            printLine("# sha256 of the settings: " + recipe.fingerprint());
            recipe.unknown().forEach(sentence -> printLine("# unknown: " + sentence.replaceAll("\\s*\\R\\s*", " ")));
            new ModelStore(session().quiet())
                    .places(recipe)
                    .forEach(place -> place.describe().forEach(comment -> printLine("# " + comment)));
            print(Json.toYaml(recipe.record()));
        }
    }

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
    static final class Pull extends Verb {
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
                    boolean service = ModelStore.isService(recipe);
                    say(recipe.name() + (service ? ": a service runs it, nothing to fetch" : ": needs no files"));
                }
            }
            return lacking ? ExitCode.FAILURE : ExitCode.OK;
        }

        private static String folder(ModelPlace place) {
            return place.files().folder(place.home()).map(String::valueOf).orElse("");
        }
    }
}
