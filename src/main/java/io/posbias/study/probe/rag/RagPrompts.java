package io.posbias.study.probe.rag;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Prompts of the ColDeR paper's Table A.7, and one for several passages: {@code configs/probes/rag-prompts.yaml}. */
public record RagPrompts(
        String poisoning,
        String withDocument,
        String withoutDocument,
        String withPassages,
        String judge,
        String sha256) {
    private static final String FILE = "configs/probes/rag-prompts.yaml";
    private static final Pattern SLOT = Pattern.compile("\\{([a-z_]+)\\}");

    public static RagPrompts bundled() {
        byte[] yaml = Configs.read(FILE);
        SequencedMap<String, @Nullable Object> prompts =
                Json.parseYaml(Path.of(FILE), yaml).toMap();
        prompts.put("sha256", Checksums.sha256(yaml));
        return Json.settings(new Fields(Location.of(Path.of(FILE)), prompts), RagPrompts.class);
    }

    public String poisoning(String evidence, String tail) {
        return fill(poisoning, Map.of("evidence", evidence, "tail", tail));
    }

    String withDocument(String document, String query) {
        return fill(withDocument, Map.of("doc", document, "query", query));
    }

    String withoutDocument(String query) {
        return fill(withoutDocument, Map.of("query", query));
    }

    String withPassages(List<String> passages, String query) {
        String numbered = IntStream.range(0, passages.size())
                .mapToObj(i -> "Passage " + (i + 1) + ": " + passages.get(i))
                .collect(Collectors.joining("\n\n"));
        return fill(withPassages, Map.of("passages", numbered, "query", query));
    }

    String judge(RagItem item, String answer) {
        return judge(item.query(), item.evidence(), item.gold(), answer);
    }

    String judge(String query, String evidence, String gold, String answer) {
        return fill(
                judge,
                Map.of("query", query, "evidence_sentence", evidence, "gold_answer", gold, "model_answer", answer));
    }

    /** Fills all slots at once, so that text in documents is not taken for a slot. */
    private static String fill(String template, Map<String, String> values) {
        Matcher slots = SLOT.matcher(template);
        return slots.replaceAll(slot -> {
            String value = values.get(slot.group(1));
            if (value == null) {
                throw new IllegalStateException(FILE + ": nothing to fill in for " + slot.group());
            }
            return Matcher.quoteReplacement(value);
        });
    }
}
