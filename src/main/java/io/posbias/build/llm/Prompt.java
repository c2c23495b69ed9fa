package io.posbias.build.llm;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.posbias.BadInputException;
import io.posbias.Checksums;
import io.posbias.Configs;
import io.posbias.Fields;
import io.posbias.Location;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A prompt template with slots, for example {@code {document}}, from {@code configs/prompts} or the user's YAML
 * file.
 */
public record Prompt(String name, String template, Location where) {
    private static final String FOLDER = "configs/prompts";
    private static final Pattern SLOT = Pattern.compile("\\{([a-z_]+)\\}");
    private static final List<String> FIELDS = List.of("name", "description", "source", "template");

    /** Reads a prompt by name or from a YAML file. */
    @JsonCreator
    public static Prompt find(String nameOrFile) {
        Fields fields = Configs.find("prompt", FOLDER, nameOrFile, "posbias construct list");
        fields.refuseOthers(FIELDS);
        return new Prompt(fields.id("name"), fields.text("template"), fields.where());
    }

    /** Refuses a template with other slots than the given ones. */
    public void allow(List<String> slots) {
        for (String slot : slots()) {
            if (!slots.contains(slot)) {
                throw new BadInputException(
                        where,
                        "field \"template\" has the slot {" + slot + "}, which nothing fills here",
                        "slots are "
                                + slots.stream().map(one -> "{" + one + "}").collect(Collectors.joining(", ")));
            }
        }
    }

    public static List<String> names() {
        return Configs.names(FOLDER);
    }

    public String sha256() {
        return Checksums.sha256(template.getBytes(StandardCharsets.UTF_8));
    }

    private SortedSet<String> slots() {
        return SLOT.matcher(template)
                .results()
                .map(slot -> slot.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Fills all slots in one pass: braces in a document are not slots. */
    public String fill(Map<String, String> values) {
        return SLOT.matcher(template)
                .replaceAll(slot -> Matcher.quoteReplacement(values.getOrDefault(slot.group(1), "")));
    }
}
