package io.posbias.cli;

import io.posbias.Json;
import io.posbias.report.Table;
import io.posbias.report.TableFormat;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.RetrieverProvider;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code posbias models}: the recipes there are. */
@Command(
        name = "models",
        description = "List models and show their recipes.",
        subcommands = {ModelsCommand.ListModels.class, ModelsCommand.Info.class},
        footer = {"", "Examples:", "  posbias models list", "  posbias models info bm25 > my-bm25.yaml"})
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
            description = "List the models that --model takes by name.",
            footer = {"", "Example:", "  posbias models list"})
    static final class ListModels implements Runnable {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public void run() {
            List<Table.Row> rows = Recipe.builtIn().stream()
                    .map(Recipe::find)
                    .map(recipe ->
                            new Table.Row(List.of(recipe.name(), recipe.kind(), recipe.family(), recipe.description())))
                    .toList();
            Table table = new Table(
                    "",
                    List.of(),
                    List.of("model", "kind", "family", "description"),
                    rows,
                    List.of("Kinds that a recipe may name: " + String.join(", ", RetrieverProvider.kinds())));
            PrintWriter out = spec.commandLine().getOut();
            out.print(TableFormat.TABLE.render(table));
            out.flush();
        }
    }

    /** {@code posbias models info}. */
    @Command(
            name = "info",
            description = "Show a model's recipe as YAML, ready to be changed and given to --model.",
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
            PrintWriter out = spec.commandLine().getOut();
            out.println("# sha256 of the settings: " + recipe.fingerprint());
            out.print(Json.toYaml(recipe.record()));
            out.flush();
        }
    }
}
