package io.posbias.model.encode.model;

import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.UsageException;
import io.posbias.base.table.CsvRows;
import io.posbias.base.text.Printable;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What MTEB's registry knows of an open text model, at commit a905523 (Apache 2.0), in {@code configs/known-models.csv}: of
 * some models it alone names the prompts.
 *
 * @param name on the Hub
 * @param type dense, late-interaction, cross-encoder, sparse or router; empty if unknown
 * @param queryPrompt exact text before queries; empty for none
 * @param documentPrompt exact text before passages; empty for none
 * @param instructionTemplate text before queries with {@code {instruction}} in it; empty for none
 * @param frameworks what runs it, divided by bars
 */
public record KnownModel(
        String name,
        @Setting(usual = "''") String type,
        @Nullable Long parameters,
        @Nullable Integer maxTokens,
        @Setting(usual = "''") String queryPrompt,
        @Setting(usual = "''") String documentPrompt,
        @Setting(usual = "''") String instructionTemplate,
        @Setting(usual = "''") String frameworks) {
    private static final String FILE = "configs/known-models.csv";
    private static final String TEXT = "{text}";
    private static final String INSTRUCTION = "{instruction}";

    /** The origin of the facts, for messages. */
    public static final String REGISTRY = "MTEB's registry";

    public KnownModel {
        queryPrompt = prefix(queryPrompt);
        documentPrompt = prefix(documentPrompt);
        instructionTemplate = instructionTemplate.replace("\\n", "\n");
    }

    /** A prompt ends where the text begins. */
    private static String prefix(String prompt) {
        String plain = prompt.replace("\\n", "\n");
        return plain.endsWith(TEXT) ? plain.substring(0, plain.length() - TEXT.length()) : plain;
    }

    /** Returns all known models, in the order of their names. */
    public static List<KnownModel> all() {
        return CsvRows.bundled(FILE).stream()
                .map(row -> Json.bind(row, KnownModel.class))
                .toList();
    }

    /** Returns the model of a name on the Hub, in letters of any case. */
    public static Optional<KnownModel> find(String name) {
        return all().stream().filter(model -> model.name.equalsIgnoreCase(name)).findFirst();
    }

    /**
     * Returns the text before queries: the instruction in the model's template, else the known prompt.
     *
     * @param known empty for a model that the registry does not have
     * @param name of the model, for messages
     * @param instruction null if the user gave none
     * @throws UsageException if the model needs an instruction, or has no known template for the one given
     */
    public static String beforeQueries(Optional<KnownModel> known, String name, @Nullable String instruction) {
        if (instruction != null) {
            return known.filter(model -> !model.instructionTemplate.isEmpty())
                    .map(model -> model.instructed(instruction))
                    .orElseThrow(() -> new UsageException("--instruction: no template of " + name
                            + " is known: write the whole text into query-prompt of a recipe ('posbias models info')"));
        }
        if (known.isPresent() && known.get().asksForInstruction()) {
            throw new UsageException(
                    name + " has a template for instructions, "
                            + Printable.quoted(known.get().instructionTemplate)
                            + ", and no prompt: say with --instruction TEXT what its queries ask for, or --instruction '' for none");
        }
        return known.map(KnownModel::queryPrompt).orElse("");
    }

    public boolean hasPrompts() {
        return !queryPrompt.isEmpty() || !documentPrompt.isEmpty();
    }

    /** Returns true if queries need an instruction, which nobody but the user knows. */
    public boolean asksForInstruction() {
        return !hasPrompts() && !instructionTemplate.isEmpty();
    }

    /** Returns the text before queries with an instruction in it. */
    public String instructed(String instruction) {
        return instruction.isEmpty() ? "" : instructionTemplate.replace(INSTRUCTION, instruction);
    }

    /** Returns true if a library or file format is among those that run the model. */
    public boolean runsBy(String framework) {
        return List.of(frameworks.split("\\|", -1)).contains(framework);
    }
}
