package io.posbias.study.build.llm;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.posbias.base.files.Checksums;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
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
public record Prompt(
        @Setting(identifier = true) String name,
        @Setting(usual = "''") String description,
        @Setting(usual = "''") String source,
        String template,
        Fields written) {
    private static final String FOLDER = "configs/prompts";
    private static final Pattern SLOT = Pattern.compile("\\{([a-z_]+)\\}");

    @JsonCreator
    public static Prompt find(String nameOrFile) {
        return Json.settings(Configs.find("prompt", FOLDER, nameOrFile, "posbias construct list"), Prompt.class);
    }

    /** Refuses a template with other slots than the given ones. */
    public void allow(List<String> slots) {
        for (String slot : slots()) {
            if (!slots.contains(slot)) {
                throw new BadInputException(
                        written.where(),
                        "field \"template\" has the slot {" + slot + "}, which nothing fills here",
                        "slots are "
                                + slots.stream().map(one -> "{" + one + "}").collect(Collectors.joining(", ")));
            }
        }
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
