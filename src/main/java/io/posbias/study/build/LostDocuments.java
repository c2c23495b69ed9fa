package io.posbias.study.build;

import io.posbias.base.text.Plural;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Documents of a run that gave no question: how many, why, and what would help. */
final class LostDocuments {
    /** Reasons of stages that have advice. */
    static final String TOO_SHORT_TO_SPLIT = "too short to split";

    static final String TOO_SHORT = "too short";
    static final String TOO_LONG = "too long";
    static final String UNCUT = "too long, and without ends of sentences to cut at";
    static final String NO_SENTENCE = "no whole sentence in the part";
    static final String FEW_TERMS = " rare words (a template?)";

    /** Reasons that the pipeline asks for, with no loss to mend. */
    private static final List<String> WANTED = List.of("not drawn", "document not drawn");

    private static final String MODEL =
            "let a language model ask ('posbias construct' with --llm URL --llm-model NAME)";

    /** Advice by a part of the reason. */
    private static final Map<String, String> ADVICE = Collections.unmodifiableMap(advice());

    private LostDocuments() {}

    private static Map<String, String> advice() {
        Map<String, String> advice = new LinkedHashMap<>();
        advice.put(TOO_SHORT_TO_SPLIT, "a text needs a sentence in each of three parts: join short documents");
        advice.put(
                TOO_SHORT,
                "join short documents, or take shorter ones, for example --set 'sample.edges=[20,160]' (own-posq takes 50 words)");
        advice.put(
                UNCUT,
                "questions are made of whole sentences: give running text, since lists, forms and lines of OCR without full"
                        + " stops have none");
        advice.put(TOO_LONG, "take longer ones, for example --set 'sample.edges=[50,2000]'");
        advice.put("markup", "remove it, or --set sample.markup=keep");
        advice.put("duplicate", "each document is taken once");
        advice.put(
                FEW_TERMS,
                "words of every tenth document are too common: add other documents, remove what repeats, or " + MODEL);
        advice.put("sentences ", MODEL);
        advice.put(NO_SENTENCE, MODEL);
        advice.put("headings", MODEL);
        advice.put("references", MODEL);
        advice.put(
                "another segment", "the parts of a document are alike; --set 'agree.models=[bm25]' asks fewer judges");
        return advice;
    }

    /** Returns lines about the documents without a question among the kept ones of the last stage; none if there are none. */
    static List<String> lines(List<PipelineRecord.Finished> stages, Path folder) {
        Map<String, String> lost = new TreeMap<>();
        Map<String, Boolean> documents = new TreeMap<>();
        for (PipelineRecord.Finished stage : stages) {
            boolean isLast = stage.equals(stages.getLast());
            new Candidates(Optional.of(folder.resolve(stage.file()))).forEachLine(candidate -> {
                candidate.dropped().ifPresent(why -> lost.put(candidate.document(), why));
                boolean isAsked = isLast && candidate.dropped().isEmpty() && candidate.has(Candidate.QUESTION);
                documents.merge(candidate.document(), isAsked, Boolean::logicalOr);
            });
        }
        Map<String, Integer> reasons = new TreeMap<>();
        documents.forEach((document, isAsked) -> {
            String why = lost.getOrDefault(document, "");
            if (!isAsked && !why.isEmpty() && !WANTED.contains(why)) {
                reasons.merge(why, 1, Integer::sum);
            }
        });
        int all = reasons.values().stream().mapToInt(Integer::intValue).sum();
        List<String> lines = new ArrayList<>();
        if (all > 0) {
            lines.add(all + " of " + Plural.of(documents.size(), "document") + " gave no question:");
            reasons.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
                    .forEach(reason ->
                            lines.add("  " + reason.getValue() + " " + reason.getKey() + help(reason.getKey())));
        }
        return lines;
    }

    private static String help(String why) {
        return ADVICE.entrySet().stream()
                .filter(advice -> why.contains(advice.getKey()))
                .findFirst()
                .map(advice -> ": " + advice.getValue())
                .orElse("");
    }
}
