package io.posbias.faults;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

final class ConstructionKinds {
    private static final int DOCUMENTS = 6;
    private static final int SENTENCES = 6;
    private static final int WORDS = 12;

    private static final String PIPELINE = """
            name: small
            language: en
            seed: 42
            bucketing: "labels:beginning,middle,end"
            stages:
              - sample: {n: 6}
              - split: {by: thirds}
              - ask: {model: nobody, without-model: extractive, prompt: question-segment}
              - tag: {of: part}
              - agree: {models: [bm25]}
              - balance: {by: [position]}
              - write: {}
            """;

    private ConstructionKinds() {}

    static void addTo(FileKinds kinds) {
        kinds.kind("documents of a pipeline", "documents.jsonl", ConstructionKinds::construct);
        kinds.kind("pipeline", "small.yaml", ConstructionKinds::construct);
        for (String file : List.of("pipeline.yaml", "stages/01-sample.jsonl", "stages/05-agree.jsonl")) {
            kinds.kind("finished " + file, "out/" + file, folder -> {
                Object[] command = construct(folder);
                kinds.sound(folder, command);
                return command;
            });
        }
    }

    private static Object[] construct(Folder folder) {
        folder.write("small.yaml", PIPELINE);
        String documents = IntStream.range(0, DOCUMENTS)
                .mapToObj(ConstructionKinds::document)
                .collect(Collectors.joining());
        folder.write("documents.jsonl", documents);
        return new Object[] {
            "construct",
            folder.at("small.yaml"),
            "--input",
            folder.at("documents.jsonl"),
            "--out",
            folder.at("out"),
            "--threads 2"
        };
    }

    private static String document(int number) {
        String text = IntStream.range(0, SENTENCES)
                .mapToObj(sentence -> sentence(number * SENTENCES + sentence))
                .collect(Collectors.joining(" "));
        return "{\"_id\": \"d" + number + "\", \"text\": \"" + text + "\"}\n";
    }

    private static String sentence(int number) {
        String words = IntStream.range(0, WORDS)
                .mapToObj(word -> word(17 * (number * WORDS + word) + 5))
                .collect(Collectors.joining(" "));
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ".";
    }

    /** Three syllables, another word for each number. */
    private static String word(int number) {
        return IntStream.of(number, number / 60, number / 3600)
                .mapToObj(part -> "" + "bdfgklmnprst".charAt(part % 12) + "aeiou".charAt(part / 12 % 5))
                .collect(Collectors.joining());
    }
}
