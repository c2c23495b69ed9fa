package io.posbias.cli;

import io.posbias.Json;
import io.posbias.Names;
import io.posbias.UsageException;
import io.posbias.report.Table;
import io.posbias.report.TableFormat;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.RetrieverProvider;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
final class ModelsCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }

    /** {@code posbias models list}. */
    @Command(
            name = "list",
            description = {
                "List the models that --model takes by name, where their files come from and whether they are here:",
                "hub ('posbias models pull' fetches them), export (scripts/export_onnx.py makes them), bundled (a",
                "jar), folder, api (a service runs it), none."
            },
            footer = {"", "Examples:", "  posbias models list", "  posbias models list --family dense --format csv"})
    static final class ListModels implements Runnable {
        @Spec
        private CommandSpec spec = CommandSpec.create();

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
        public void run() {
            List<Recipe> recipes = Recipe.builtIn().stream().map(Recipe::find).toList();
            List<String> families =
                    recipes.stream().map(Recipe::family).distinct().sorted().toList();
            if (family != null && !families.contains(family)) {
                throw new UsageException(Names.unknown("family", family, families));
            }
            ModelStore store = new ModelStore(line -> {});
            List<Table.Row> rows = recipes.stream()
                    .filter(recipe -> family == null || recipe.family().equals(family))
                    .map(recipe -> row(recipe, store))
                    .toList();
            Table table = new Table(
                    "",
                    List.of(),
                    List.of("model", "kind", "from", "here", "description"),
                    rows,
                    List.of("Kinds that a recipe may name: " + String.join(", ", RetrieverProvider.kinds())));
            PrintWriter out = spec.commandLine().getOut();
            out.print(format.render(table));
            out.flush();
        }

        private static Table.Row row(Recipe recipe, ModelStore store) {
            List<ModelPlace> places = store.places(recipe);
            return new Table.Row(List.of(
                    recipe.name(),
                    recipe.kind(),
                    ModelStore.from(recipe, places),
                    ModelStore.here(recipe, places),
                    recipe.description()));
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
    static final class Info implements Runnable {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Parameters(paramLabel = "MODEL", description = "A name from 'posbias models list' or a .yaml file.")
        private String model = "";

        @Override
        public void run() {
            Recipe recipe = Recipe.find(model);
            recipe.retriever();
            List<String> comments = new ArrayList<>();
            comments.add("sha256 of the settings: " + recipe.fingerprint());
            recipe.unknown().forEach(sentence -> comments.add("unknown: " + sentence.replaceAll("\\s*\\R\\s*", " ")));
            for (ModelPlace place : new ModelStore(line -> {}).places(recipe)) {
                comments.addAll(place.describe());
            }
            PrintWriter out = spec.commandLine().getOut();
            comments.forEach(comment -> out.println("# " + comment));
            out.print(Json.toYaml(recipe.record()));
            out.flush();
        }
    }
}
