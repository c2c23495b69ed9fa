package io.posbias.build;

import io.posbias.Fields;
import io.posbias.Suggestions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The kinds of stages, in the order in which pipelines usually have them: the one list of them. */
public final class Stages {
    private static final Map<String, Function<Fields, Stage>> KINDS = kinds();

    private static Map<String, Function<Fields, Stage>> kinds() {
        Map<String, Function<Fields, Stage>> kinds = new LinkedHashMap<>();
        kinds.put("questions", QuestionsStage::new);
        kinds.put("sample", SampleStage::new);
        kinds.put("summarise", SummariseStage::new);
        kinds.put("split", SplitStage::new);
        kinds.put("ask", AskStage::new);
        kinds.put("locate", LocateStage::new);
        kinds.put("tag", TagStage::new);
        kinds.put("agree", AgreeStage::new);
        kinds.put("judge", JudgeStage::new);
        kinds.put("balance", BalanceStage::new);
        kinds.put("false-negatives", FalseNegativesStage::new);
        kinds.put("translate", TranslateStage::new);
        kinds.put("clean", CleanStage::new);
        kinds.put("write", WriteStage::new);
        return Collections.unmodifiableMap(kinds);
    }

    private Stages() {}

    /** Their names. */
    public static Set<String> names() {
        return KINDS.keySet();
    }

    /**
     * Reads the settings of a stage.
     *
     * @param in the record that holds it
     * @throws io.posbias.BadInputException if there is no such kind, or a setting is wrong
     */
    static Stage read(String kind, Fields in) {
        Function<Fields, Stage> make = KINDS.get(kind);
        if (make == null) {
            throw in.bad(kind, "is no kind of stage", Suggestions.unknown("stage", kind, KINDS.keySet()));
        }
        return make.apply(in.record(kind));
    }
}
