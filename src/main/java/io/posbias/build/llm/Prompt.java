package io.posbias.build.llm;

import io.posbias.Checksums;
import io.posbias.Configs;
import io.posbias.Fields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a language model is asked: a text with slots such as {@code {document}}, from {@code configs/prompts} or the user's
 * own YAML file.
 *
 * @param name as the pipeline says it
 * @param template with slots
 */
public record Prompt(String name, String template) {
    private static final String FOLDER = "configs/prompts";
    private static final Pattern SLOT = Pattern.compile("\\{([a-z_]+)\\}");
    private static final List<String> FIELDS = List.of("name", "description", "source", "template");

    /**
     * Finds a prompt.
     *
     * @param nameOrFile one in the jar, or the path of a YAML file
     * @param slots the slots that it may have, each of which the caller fills
     * @throws io.posbias.PosbiasException if there is none, or it has a slot that nothing fills
     */
    public static Prompt find(String nameOrFile, List<String> slots) {
        Fields fields = Configs.find("prompt", FOLDER, nameOrFile, "posbias construct list");
        fields.refuseOthers(FIELDS);
        Prompt prompt = new Prompt(fields.id("name"), fields.text("template"));
        SortedSet<String> unknown = new TreeSet<>(prompt.slots());
        unknown.removeAll(slots);
        if (!unknown.isEmpty()) {
            throw fields.bad(
                    "template",
                    "has the slot {" + unknown.first() + "}, which nothing fills here",
                    "slots are " + slots.stream().map(slot -> "{" + slot + "}").collect(Collectors.joining(", ")));
        }
        return prompt;
    }

    /** The names of those in the jar. */
    public static List<String> names() {
        return Configs.names(FOLDER);
    }

    /** SHA-256 of the template in UTF-8. */
    public String sha256() {
        return Checksums.sha256(template.getBytes(StandardCharsets.UTF_8));
    }

    private SortedSet<String> slots() {
        return SLOT.matcher(template)
                .results()
                .map(slot -> slot.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Fills all slots at once: what is in a document is no slot. */
    public String fill(Map<String, String> values) {
        return SLOT.matcher(template)
                .replaceAll(slot -> Matcher.quoteReplacement(values.getOrDefault(slot.group(1), "")));
    }
}
