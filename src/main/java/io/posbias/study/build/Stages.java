package io.posbias.study.build;

import io.posbias.base.json.Fields;
import io.posbias.base.text.Suggestions;
import io.posbias.model.retrieve.RecipeBook;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The kinds of stages in their usual order: the single list. */
final class Stages {
    private static final Map<String, Function<Fields, Stage>> KINDS = kinds();

    private static Map<String, Function<Fields, Stage>> kinds() {
        Map<String, Function<Fields, Stage>> kinds = new LinkedHashMap<>();
        kinds.put("questions", of(QuestionsStage.class));
        kinds.put("sample", of(SampleStage.class));
        kinds.put("summarise", of(SummariseStage.class));
        kinds.put("configure", of(ConfigureStage.class));
        kinds.put("split", SplitStage::of);
        kinds.put("ask", of(AskStage.class));
        kinds.put("locate", of(LocateStage.class));
        kinds.put("tag", of(TagStage.class));
        kinds.put("agree", of(AgreeStage.class));
        kinds.put("audit", of(AuditStage.class));
        kinds.put("second-evidence", of(SecondEvidenceStage.class));
        kinds.put("judge", of(JudgeStage.class));
        kinds.put("balance", of(BalanceStage.class));
        kinds.put("false-negatives", of(FalseNegativesStage.class));
        kinds.put("hard-negatives", of(HardNegativesStage.class));
        kinds.put("translate", of(TranslateStage.class));
        kinds.put("clean", of(CleanStage.class));
        kinds.put("write", of(WriteStage.class));
        return Collections.unmodifiableMap(kinds);
    }

    static <T extends Record & Stage> Function<Fields, Stage> of(Class<T> type) {
        return settings -> RecipeBook.READER.settings(settings, type);
    }

    private Stages() {}

    /**
     * Reads the settings of a stage.
     *
     * @throws io.posbias.base.json.BadInputException if the kind is unknown or a setting is wrong
     */
    static Stage read(String kind, Fields in) {
        Function<Fields, Stage> make = KINDS.get(kind);
        if (make == null) {
            throw in.bad(kind, "is not a kind of stage", Suggestions.unknown("stage", kind, KINDS.keySet()));
        }
        return make.apply(in.record(kind));
    }
}
