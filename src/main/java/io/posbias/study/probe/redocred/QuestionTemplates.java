package io.posbias.study.probe.redocred;

import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Question templates of relations: {@code configs/probes/redocred-questions.yaml}. */
public enum QuestionTemplates {
    /** The 51 questions of the paper's Table A.5 and four more of the released pairs. */
    PAPER,
    /** Those and the authors' for the 39 remaining relations. */
    ALL;

    private static final String FILE = "configs/probes/redocred-questions.yaml";
    static final String SLOT = "<head>";

    Map<String, String> questions() {
        Fields file = Json.parseYaml(Path.of(FILE), Configs.read(FILE));
        Map<String, String> questions = new HashMap<>(section(file, "paper"));
        if (this == ALL) {
            questions.putAll(section(file, "notebook"));
        }
        return questions;
    }

    private static Map<String, String> section(Fields file, String name) {
        Fields section = file.record(name);
        Map<String, String> questions = new HashMap<>();
        section.names().forEach(relation -> questions.put(relation, section.text(relation)));
        return questions;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
