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
import java.util.ArrayList;
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
            ModelsPullCommand.class,
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
                defaultValue = "table",
                description = "What to print: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
        private TableFormat format = TableFormat.TABLE;

        @Override
        public Integer call() {
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
            return ExitCode.OK;
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
        public Integer call() {
            Recipe recipe = Recipe.find(model);
            recipe.retriever();
            List<String> comments = new ArrayList<>();
            comments.add("sha256 of the settings: " + recipe.fingerprint());
            recipe.unknown().forEach(sentence -> comments.add("unknown: " + sentence.replaceAll("\\s*\\R\\s*", " ")));
            for (ModelPlace place : new ModelStore(session().quiet()).places(recipe)) {
                comments.addAll(place.describe());
            }
            comments.forEach(comment -> printLine("# " + comment));
            print(Json.toYaml(recipe.record()));
            return ExitCode.OK;
        }
    }
}
