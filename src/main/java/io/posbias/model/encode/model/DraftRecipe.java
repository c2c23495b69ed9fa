package io.posbias.model.encode.model;

import static io.posbias.model.encode.model.ModelFolder.CONFIG;
import static io.posbias.model.encode.model.ModelFolder.LENGTHS;
import static io.posbias.model.encode.model.ModelFolder.MODULES;
import static io.posbias.model.encode.model.ModelFolder.SETTINGS;
import static io.posbias.model.encode.model.ModelFolder.TOKENIZER_CONFIG;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Plural;
import io.posbias.model.encode.onnx.GraphFacts;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A recipe of a graph whose files do not say how it is run, filled in as far as graph and tokenizer say. The fields that a person
 * must decide have the value {@value #DECIDE}, which no recipe runs with.
 */
public final class DraftRecipe {
    /** Value of a field to be decided. */
    public static final String DECIDE = "DECIDE";

    private static final String GRAPH = ".onnx";
    private static final String TOKENIZER = "tokenizer.json";
    private static final String PROMPT = "query-prompt";
    private static final double UNLIMITED = 1e7;

    private final String given;
    private final Path root;
    private final Path graph;
    private final GraphFacts facts;
    private final List<String> lines = new ArrayList<>();
    private final List<String> open = new ArrayList<>();

    private DraftRecipe(String given, Path root, Path graph) {
        this.given = given;
        this.root = root;
        this.graph = graph;
        this.facts = GraphFacts.of(graph);
        write();
    }

    /**
     * Drafts the recipe of an {@code .onnx} file, or of a folder with a graph that {@link InferredRecipe} cannot run for lack of
     * files.
     *
     * @return empty for all else
     * @throws UsageException if the file does not exist
     */
    public static Optional<DraftRecipe> of(String given) {
        Path path = FileNames.path(given);
        if (given.endsWith(GRAPH)) {
            if (!Files.isRegularFile(path)) {
                throw new UsageException("no model " + given + ": file not found");
            }
            Path folder = folder(path);
            boolean isInside = folder.endsWith("onnx") && !Files.exists(folder.resolve(TOKENIZER));
            return Optional.of(new DraftRecipe(given, isInside ? folder(folder) : folder, path));
        }
        return Files.isDirectory(path) && lacksFiles(path)
                ? graph(path)
                        .map(file ->
                                new DraftRecipe(given, path.toAbsolutePath().normalize(), file))
                : Optional.empty();
    }

    private static Path folder(Path path) {
        return Objects.requireNonNull(path.toAbsolutePath().normalize().getParent());
    }

    private static boolean lacksFiles(Path folder) {
        if (Files.isRegularFile(folder.resolve(MODULES))) {
            String modules = IoErrors.call("read", folder, () -> Files.readString(folder.resolve(MODULES)));
            return modules.contains("1_Pooling")
                    && !Files.isRegularFile(folder.resolve("1_Pooling").resolve(CONFIG));
        }
        Fields config = ModelFolder.read(folder.resolve(CONFIG));
        boolean isClassifier =
                config.texts("architectures").stream().anyMatch(name -> name.endsWith("ForSequenceClassification"));
        return !isClassifier && !"model2vec".equals(config.raw("model_type"));
    }

    /** Returns the graph of a folder: one of the usual names, else the only one. */
    private static Optional<Path> graph(Path folder) {
        List<Path> all = Stream.of(folder, folder.resolve("onnx"))
                .filter(Files::isDirectory)
                .flatMap(one -> IoErrors.call("read", one, () -> FileNames.visible(one, 1)).stream())
                .filter(file -> file.toString().endsWith(GRAPH))
                .distinct()
                .toList();
        return all.stream()
                .filter(file -> file.endsWith("model.onnx"))
                .findFirst()
                .or(() -> all.size() == 1 ? Optional.of(all.getFirst()) : Optional.empty());
    }

    private String name() {
        String file = String.valueOf(graph.getFileName()).replace(GRAPH, "");
        String name = file.equals("model") ? String.valueOf(root.getFileName()) : file;
        return FileNames.ofModel(name).replaceFirst("^\\.+", "");
    }

    private void write() {
        String file = FileNames.slashed(root.relativize(graph.toAbsolutePath().normalize()));
        line("name", name(), "");
        Map.Entry<String, List<Integer>> output = output();
        List<Integer> sizes = output.getValue();
        boolean isReranker = (output.getKey().equals("logits") && sizes.size() < 3) || sizes.equals(List.of(-1, 1));
        Kind kind = isReranker ? Kind.CROSS_ENCODER : Kind.DENSE;
        line("kind", kind.word(), "");
        line("family", kind.family(), "");
        line("description", file + " of " + root.getFileName() + ", drafted from its graph", "");
        line("source", Map.of("folder", root.toString()), "");
        line("onnx", Map.of("float32", file), "inputs: " + String.join(", ", facts.inputs()));
        if (!facts.beside().isEmpty()) {
            Path parent = folder(graph);
            line(
                    "external-data",
                    facts.beside().stream()
                            .map(other -> FileNames.slashed(root.relativize(parent.resolve(other))))
                            .toList(),
                    "weights that the graph names");
        }
        boolean hasTokenizer = Files.isRegularFile(root.resolve(TOKENIZER));
        line("tokenizer", TOKENIZER, hasTokenizer ? "" : "missing: put it into the folder");
        maxTokens();
        line("output", output.getKey(), "sizes " + sizes + ", -1 for any");
        if (isReranker) {
            decide("activation", "none or sigmoid, behind the logit");
            line("truncation", "longest-first", "");
            line("first-stage", "bm25", "");
        } else {
            vectors(sizes);
        }
    }

    private void vectors(List<Integer> sizes) {
        boolean isPooled = sizes.size() == 2;
        if (isPooled) {
            line("pooling", "none", "the graph does it");
        } else {
            decide("pooling", "mean, cls, last or max: as the model was trained, by its card or 1_Pooling/config.json");
        }
        line("normalise", true, "vectors of length 1");
        line("similarity", "cosine", "");
        prompts();
        int width = sizes.isEmpty() || sizes.getLast() < 0 ? facts.width() : sizes.getLast();
        if (width > 0) {
            line("dimension", width, "");
        }
    }

    private void prompts() {
        Fields prompts = ModelFolder.read(root.resolve(SETTINGS)).record("prompts");
        if (prompts.has("query")) {
            line(PROMPT, prompts.text("query"), SETTINGS);
        } else {
            decide(PROMPT, "the text before each query by the model's card; \"\" for none");
        }
        String passage = Stream.of("document", "passage", "corpus")
                .filter(prompts::has)
                .findFirst()
                .map(prompts::text)
                .orElse("");
        line("document-prompt", passage, passage.isEmpty() ? "the text before each passage" : SETTINGS);
    }

    /** The usual outputs of encoders, of texts before those of tokens; else the only one. */
    private Map.Entry<String, List<Integer>> output() {
        List<String> known = new ArrayList<>(DenseEncoder.TEXT_OUTPUTS);
        known.addAll(DenseEncoder.TOKEN_OUTPUTS);
        known.add("logits");
        return known.stream()
                .filter(facts.outputs()::containsKey)
                .findFirst()
                .or(() -> facts.outputs().size() == 1
                        ? facts.outputs().keySet().stream().findFirst()
                        : Optional.empty())
                .map(name -> Map.entry(name, facts.outputs().getOrDefault(name, List.of())))
                .orElseThrow(() -> new PosbiasException(given + " has the outputs "
                        + String.join(", ", facts.outputs().keySet()) + "; none is known: write a recipe with"
                        + " output (docs/own-model.md)"));
    }

    private void maxTokens() {
        Map<String, Double> limits = new LinkedHashMap<>();
        limits.put(LENGTHS, ModelFolder.read(root.resolve(LENGTHS)).number("max_seq_length", UNLIMITED));
        limits.put(
                TOKENIZER_CONFIG,
                ModelFolder.read(root.resolve(TOKENIZER_CONFIG)).number("model_max_length", UNLIMITED));
        limits.put(
                TOKENIZER,
                ModelFolder.read(root.resolve(TOKENIZER)).record("truncation").number("max_length", UNLIMITED));
        // RoBERTa and its kin leave out the first two.
        int positions = facts.positions() % 64 == 2 ? facts.positions() - 2 : facts.positions();
        limits.put("the graph's positions", positions > 0 ? positions : UNLIMITED);
        Optional<Map.Entry<String, Double>> first = limits.entrySet().stream()
                .filter(limit -> limit.getValue() < UNLIMITED && limit.getValue() >= 1)
                .findFirst();
        if (first.isEmpty()) {
            decide("max-tokens", "the most tokens that the model reads of a text");
        } else {
            double said = first.get().getValue();
            boolean isLess = positions > 0 && said < positions;
            line(
                    "max-tokens",
                    (int) (positions > 0 ? Math.min(positions, said) : said),
                    first.get().getKey() + (isLess ? " says so; the graph has " + positions + " positions" : ""));
        }
    }

    private void decide(String field, String how) {
        open.add(field);
        line(field, DECIDE, how);
    }

    private void line(String field, Object value, String comment) {
        String json = new String(Json.toLine(value), StandardCharsets.UTF_8).strip();
        lines.add(field + ": " + (value.equals(DECIDE) ? DECIDE : json) + (comment.isEmpty() ? "" : "  # " + comment));
    }

    /** Returns the recipe as YAML, with comments. */
    public String text() {
        String file = name() + ".yaml";
        List<String> all = new ArrayList<>();
        all.add("# Draft, from graph and tokenizer. "
                + (open.isEmpty()
                        ? "Nothing is left to decide"
                        : "Decide " + Plural.of(open.size(), "field") + ": " + String.join(", ", open))
                + "; save it as " + file + ", then:");
        all.add("#   posbias models check " + file);
        all.add("#   posbias eval --model " + file + " --dataset demo");
        all.addAll(lines);
        return String.join("\n", all) + "\n";
    }

    /** Returns the error about a model that cannot be run yet, with the command that prints the draft. */
    public UsageException refused() {
        String file = name() + ".yaml";
        return new UsageException(
                "model " + given + " has no recipe: 'posbias models info " + FileNames.quoted(Path.of(given)) + " > "
                        + file + "' writes one"
                        + (open.isEmpty()
                                ? ""
                                : " with " + Plural.of(open.size(), "field") + " for you to decide ("
                                        + String.join(", ", open) + ")")
                        + ", for --model " + file);
    }
}
