package io.posbias.cli;

import static java.util.stream.Collectors.joining;

import io.posbias.base.json.Json;
import io.posbias.base.process.Sessions;
import io.posbias.data.convert.Catalog;
import io.posbias.data.convert.CatalogEntry;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.retrieve.RecipeCard;
import io.posbias.model.retrieve.RetrieverKinds;
import io.posbias.model.retrieve.RetrieverProvider;
import io.posbias.model.store.ModelFinder;
import io.posbias.model.strategy.Strategy;
import io.posbias.report.leaderboard.Layout;
import io.posbias.score.measure.Measures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

final class ReferencePages {
    private static final String MADE =
            "This page is made from the code's own lists (`ReferencePagesTest`, in a clone); do not edit it.\n\n";

    static final Map<String, Supplier<String>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("commands.md", ReferencePages::commands);
        ALL.put("models.md", ReferencePages::models);
        ALL.put("known-models.md", ReferencePages::knownModels);
        ALL.put("benchmarks.md", ReferencePages::benchmarks);
        ALL.put("names.md", ReferencePages::names);
        ALL.put("columns.md", () -> "# Columns\n\n" + MADE + ReferenceColumns.page());
        ALL.put("schemas.md", ReferencePages::schemas);
        ALL.put("rooms.md", ReferencePages::rooms);
    }

    private ReferencePages() {}

    private static String commands() {
        StringBuilder page = new StringBuilder("# Commands\n\n" + MADE
                + "What several commands share, their files and exit codes: [cli.md](../cli.md).\n");
        CommandLine root = PosbiasCommand.commandLine(Sessions.in(Path.of("unused")), List.of("completion"));
        root.parseArgs("--help-all");
        append(root, page);
        return page.toString();
    }

    private static void append(CommandLine command, StringBuilder page) {
        String name = command.getCommandSpec().qualifiedName();
        boolean isGroup = !command.getSubcommands().isEmpty();
        page.append("\n")
                .append(name.split(" ", -1).length < 3 ? "## " : "### ")
                .append(name)
                .append("\n\n```\n");
        page.append(command.getUsageMessage(CommandLine.Help.Ansi.OFF).stripTrailing())
                .append("\n```\n");
        if (isGroup) {
            command.getSubcommands().values().stream().distinct().forEach(sub -> append(sub, page));
        }
    }

    private static String models() {
        List<Recipe> recipes =
                RecipeBook.builtIn().stream().map(RecipeBook::find).toList();
        StringBuilder page = new StringBuilder("# Models\n\n" + MADE
                + "Recipes that `--model` knows by name, by family. `posbias models info NAME` prints one; [models.md](../models.md)"
                + " explains the fields. *Limit*: tokens that the model reads of a text, `-` where the recipe sets none."
                + " *Unverified*: fields that could not be checked with the vendor, see `models info`.\n");
        recipes.stream()
                .map(Recipe::family)
                .distinct()
                .sorted()
                .forEach(family -> page.append("\n## ")
                        .append(Character.toUpperCase(family.charAt(0)))
                        .append(family.substring(1))
                        .append("\n\n")
                        .append(table(
                                List.of("name", "kind", "limit", "unverified", "licence", "description"),
                                recipes.stream()
                                        .filter(recipe -> recipe.family().equals(family))
                                        .map(ReferencePages::row)
                                        .toList())));
        return page.toString();
    }

    private static String knownModels() {
        List<List<String>> rows = new ArrayList<>();
        ModelFinder.words()
                .forEach((model, word) -> rows.add(List.of(
                        code(model.name()),
                        model.type(),
                        model.hasPrompts() ? "known" : model.asksForInstruction() ? "`--instruction`" : "",
                        word.isEmpty() ? "" : code(word))));
        return "# Known models\n\n" + MADE
                + "The open text models of MTEB's registry at commit a905523 (Apache 2.0). *Give*: the word for `--model`; empty"
                + " where posbias does not run the model by name, which a recipe, a worker or a service may"
                + " ([models.md](../models.md)). *Prompts*: those that the model's files need not name.\n\n"
                + table(List.of("name", "type", "prompts", "give"), rows);
    }

    private static List<String> row(Recipe recipe) {
        int limit = recipe.maxTokens();
        int unknown = recipe.card().unknown().size();
        return List.of(
                code(recipe.name()),
                recipe.kind(),
                limit == 0 ? "-" : String.valueOf(limit),
                unknown == 0 ? "" : String.valueOf(unknown),
                recipe.card().licence(),
                recipe.card().description());
    }

    private static String benchmarks() {
        Map<String, List<CatalogEntry>> families = new LinkedHashMap<>();
        for (CatalogEntry entry : Catalog.read().entries().values()) {
            String name = entry.name();
            String family = name.split("/", -1).length < 3 ? name : name.substring(0, name.lastIndexOf('/')) + "/*";
            families.computeIfAbsent(family, group -> new ArrayList<>()).add(entry);
        }
        return "# Benchmarks\n\n" + MADE
                + "Benchmarks that `--dataset` knows by name. All but `demo` are downloaded on first use; their licences are shown"
                + " before that. `posbias data verify NAME` compares one with what was published of it. Your own:"
                + " [datasets.md](../datasets.md#your-own-documents).\n\n"
                + table(
                        List.of("name", "language", "licence", "bucketing", "published", "description"),
                        families.entrySet().stream()
                                .map(group -> row(group.getKey(), group.getValue()))
                                .toList());
    }

    private static List<String> row(String family, List<CatalogEntry> members) {
        CatalogEntry first = members.getFirst();
        boolean single = members.size() == 1;
        String published =
                single && !first.published().isEmpty() ? first.published().toString() : "";
        return List.of(
                code(family),
                first.card().language(),
                first.card().licence(),
                first.card().bucketing().isEmpty() ? "" : code(first.card().bucketing()),
                single ? published : members.size() + " sets",
                first.description());
    }

    private static String names() {
        return "# Names\n\n" + MADE
                + "## Measures\n\n`--measures` and `--measure`; definitions: [measures.md](../measures.md).\n\n"
                + table(
                        List.of("measure", "also read as", "meaning"),
                        Measures.KINDS.stream()
                                .map(kind -> List.of(code(kind.example()), codes(kind.aliases()), kind.help()))
                                .toList())
                + "\n## Kinds of models\n\n`kind` of a recipe ([models.md](../models.md)): "
                + codes(kinds()) + ".\n"
                + "\n## Strategies\n\n`MODEL+STRATEGY:FIELD=VALUE` ([mitigate.md](../mitigate.md)).\n\n"
                + table(
                        List.of("strategy", "fields", "what it does"),
                        Strategy.all().stream()
                                .map(strategy ->
                                        List.of(code(strategy.kind()), codes(fields(strategy)), strategy.meaning()))
                                .toList())
                + "\n## Layouts\n\n`report --layout` ([report.md](../report.md#tables-for-a-paper)).\n\n"
                + table(
                        List.of("layout", "shows"),
                        Layout.all().stream()
                                .map(layout -> List.of(code(layout.toString()), layout.description()))
                                .toList())
                + described("Experiments", "posbias run", "../cli.md#experiments", "experiments", "title")
                + described("Pipelines", "posbias construct", "../construct.md", "pipelines", "description");
    }

    private static List<String> fields(Strategy strategy) {
        SequencedSet<String> fields = new LinkedHashSet<>(Json.names(strategy.type()));
        fields.removeAll(Json.names(RecipeCard.class));
        fields.remove(Strategy.MODEL);
        return List.copyOf(fields);
    }

    private static List<String> kinds() {
        CodeSource own = RetrieverProvider.class.getProtectionDomain().getCodeSource();
        return RetrieverKinds.all().stream()
                .filter(provider -> provider.getClass()
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .equals(own.getLocation()))
                .map(RetrieverProvider::kind)
                .sorted()
                .toList();
    }

    private static String described(String title, String command, String page, String folder, String field) {
        return "\n## " + title + "\n\n`" + command + "` ([" + page.replaceAll("^../|#.*", "") + "](" + page + ")).\n\n"
                + table(
                        List.of("name", "what it is"),
                        files(Path.of("configs", folder)).stream()
                                .map(file -> List.of(
                                        code(file.getFileName().toString().replace(".yaml", "")),
                                        Json.readYaml(file).text(field, "")))
                                .toList());
    }

    private static String schemas() {
        StringBuilder page = new StringBuilder("# Schemas\n\n" + MADE
                + "JSON Schemas (draft 2020-12) of the JSON that posbias writes; tests check its files with them. A version gets new"
                + " fields, and never other meanings. CSV: [columns.md](columns.md).\n");
        for (Path file : files(Path.of("docs", "schema"))) {
            JsonNode schema = Json.mapper().readTree(file.toFile());
            page.append("\n## ").append(schema.path("title").asString()).append("\n\n");
            page.append(schema.path("description").asString(""))
                    .append(" [")
                    .append(file.getFileName())
                    .append("](../schema/")
                    .append(file.getFileName())
                    .append(").\n\n");
            List<List<String>> rows = new ArrayList<>();
            (schema.has("items") ? schema.path("items") : schema)
                    .path("properties")
                    .properties()
                    .forEach(property -> rows.add(List.of(
                            code(property.getKey()),
                            type(property.getValue()),
                            property.getValue().path("description").asString(""))));
            page.append(table(List.of("field", "type", "meaning"), rows));
        }
        return page.toString();
    }

    private static String rooms() {
        List<List<String>> rows = Stream.of("main", "scale")
                .flatMap(source -> rooms(Path.of("src", source, "java")).stream())
                .sorted(Comparator.comparing(List::getFirst))
                .toList();
        return "# Rooms\n\n" + MADE
                + "Packages, each with the first sentence of what it says of itself; which may use which:"
                + " [extending.md](../extending.md#architecture).\n\n"
                + table(List.of("package", "what lives there"), rows);
    }

    private static List<List<String>> rooms(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.endsWith("package-info.java"))
                    .map(file -> List.of(
                            code(root.relativize(file.getParent()).toString().replace('/', '.')), firstSentence(file)))
                    .toList();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private static String firstSentence(Path file) {
        try {
            String comment = Files.readString(file).replaceAll("(?s)\\*/.*|^.*?/\\*\\*", "");
            String text = comment.replaceAll("(?m)^ *\\* ?", "")
                    .replaceAll("\\{@\\w+\\s+([^}]*)}", "`$1`")
                    .replaceAll("\\s+", " ")
                    .strip();
            return text.replaceAll("\\. .*", ".");
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private static String type(JsonNode property) {
        if (property.has("const")) {
            return code(property.path("const").asString());
        }
        JsonNode type = property.path("type");
        String reference = property.path("$ref").asString("").replaceAll(".*/", "");
        return type.isArray()
                ? type.values().stream().map(JsonNode::asString).collect(joining(" or "))
                : type.asString(reference);
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private static String code(String text) {
        return "`" + text + "`";
    }

    private static String codes(Collection<String> texts) {
        return texts.stream().map(ReferencePages::code).collect(joining(", "));
    }

    static String table(List<String> header, List<List<String>> rows) {
        return Stream.concat(
                        Stream.of(header, header.stream().map(column -> "---").toList()), rows.stream())
                .map(row -> row.stream()
                        .map(cell -> cell.replace("|", "\\|").replace("\n", " "))
                        .collect(joining(" | ", "| ", " |\n")))
                .collect(joining());
    }
}
