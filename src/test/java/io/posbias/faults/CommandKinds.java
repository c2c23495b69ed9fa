package io.posbias.faults;

import io.posbias.faults.Mutator.Coding;
import io.posbias.model.encode.api.FakeApi;
import io.posbias.model.encode.worker.StandInWorker;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Commands that write more than one thing, and files that decide what they print. */
final class CommandKinds {
    private static final int ARTICLES = 8;
    private static final int SENTENCES = 8;

    private static final String QUERIES = "tiny/queries.jsonl";

    private CommandKinds() {}

    private static Object[] diagnose(Folder folder, String what, Object... more) {
        return FileKinds.with(
                FileKinds.words(
                        "diagnose " + what + " --dataset", folder.at("tiny"), "--out", folder.at(FileKinds.OUT)),
                more);
    }

    static void addTo(FileKinds kinds, FakeApi chat) {
        kinds.kind("recipe of a worker", "mine.yaml", folder -> {
            FileKinds.letters(folder);
            return FileKinds.eval(folder, folder.write("mine.yaml", worker()), "tiny");
        });
        kinds.kind("SQuAD JSON, checked", "squad.json", folder -> {
            folder.write("squad.json", squad());
            return FileKinds.words(
                    "check bm25", folder.at("squad.json"), "--language en --results", folder.at(FileKinds.OUT));
        });
        kinds.kind("queries of a mitigation", QUERIES, folder -> {
            FileKinds.tiny(folder);
            return FileKinds.words(
                    "mitigate --model bm25 --dataset",
                    folder.at("tiny"),
                    "--strategies chunked --draws 20 --results",
                    folder.at(FileKinds.OUT));
        });
        kinds.behindDigest("queries of answers", "windows/queries.jsonl", folder -> {
            DigestKinds.windows(kinds, folder);
            return FileKinds.words(
                    "probe answers --dataset",
                    folder.at("windows"),
                    "--llm",
                    chat.address() + "/v1",
                    "--llm-model m --model bm25 --k 2 --threads 1 --out",
                    folder.at(FileKinds.OUT));
        });
        kinds.kind("windows of a pipeline", "small.yaml", folder -> {
            DigestKinds.windows(kinds, folder);
            folder.write("small.yaml", """
                    name: small
                    language: en
                    seed: 42
                    bucketing: "labels:beginning,middle,end"
                    stages:
                      - sample: {unit: words}
                      - questions: {of: windows}
                      - tag: {of: target}
                      - write: {format: sentence-transformers}
                      - write: {format: beir}
                        as: write-beir
                    """);
            return FileKinds.words(
                    "construct",
                    folder.at("small.yaml"),
                    "--input",
                    folder.at("windows"),
                    "--out",
                    folder.at(FileKinds.OUT));
        });
        kinds.kind("reversed queries", QUERIES, folder -> {
            FileKinds.sentences(folder);
            return diagnose(folder, "reversal --model bm25");
        });
        kinds.kind("queries of moved evidence", QUERIES, folder -> {
            FileKinds.sentences(folder);
            return diagnose(folder, "moving --model bm25 --n 2");
        });
        kinds.kind("queries of segments", QUERIES, folder -> {
            FileKinds.encoded(folder, FileKinds.lookup(), "");
            return diagnose(folder, "segments --min-words 2", "--model", folder.at("model/recipe.yaml"));
        });
        kinds.kind("queries of second evidence", QUERIES, folder -> {
            FileKinds.sentences(folder);
            return diagnose(folder, "second-evidence");
        });
        kinds.kind("judgements to be verified", "tiny/qrels/test.tsv", folder -> {
            FileKinds.tiny(folder);
            return FileKinds.words("data verify --write", folder.at("tiny"));
        });
        kinds.kind("result.json of a gate's report", "before/bm25/result.json", folder -> {
            kinds.evaluated(folder);
            return FileKinds.words(
                    "gate --fail-on any --format junit --output",
                    folder.at("out/gate.xml"),
                    "--baseline",
                    folder.at("before/bm25"),
                    "--result",
                    folder.at("before/bm25"));
        });
        kinds.kind("layout of a table", "mine.yaml", folder -> {
            folder.write("mine.yaml", """
                    description: mine
                    title: "{measure} in points"
                    rows: models
                    headings: dataset
                    values: [buckets, bucket-mean, psi]
                    digits: 2
                    families:
                      Words: ["bm25*"]
                    notes: ["mine"]
                    """);
            return FileKinds.words("report", kinds.evaluated(folder), "--layout", folder.at("mine.yaml"));
        });
        kinds.kind("result.json of the gate's baseline", Coding.TEXT, false, "before/bm25/result.json", folder -> {
            kinds.evaluated(folder);
            kinds.sound(
                    folder,
                    "eval --model bm25 --dataset",
                    folder.at("tiny"),
                    "--draws 20 --out",
                    folder.at("now/bm25"));
            return FileKinds.words(
                    "gate --baseline", folder.at("before/bm25"), "--result", folder.at("now/bm25"), "--fail-on any");
        });
    }

    private static String worker() {
        String command = StandInWorker.command("dense", "").stream()
                .map(word -> "  - '" + word + "'\n")
                .collect(Collectors.joining());
        return "name: letters\nkind: worker\nfamily: dense\ngives: dense\ntexts-per-request: 1\ntimeout: 20\ncommand:\n"
                + command;
    }

    /** Articles whose sentences differ in two words, with a question on each second one. */
    private static String squad() {
        return IntStream.range(0, ARTICLES)
                .mapToObj(CommandKinds::article)
                .collect(Collectors.joining(",\n", "{\"version\": \"1.1\", \"data\": [\n", "]}\n"));
    }

    private static String article(int article) {
        String context = IntStream.range(0, SENTENCES)
                .mapToObj(i -> "In valley %s the old %s was built beside %s by people from the hills."
                        .formatted(word(article, 0), word(article, i + 1), word(article, i + 20)))
                .collect(Collectors.joining(" "));
        String questions = IntStream.range(0, SENTENCES / 2)
                .map(i -> 2 * i + article % 2)
                .mapToObj(i -> {
                    String answer = word(article, i + 20);
                    return "{\"id\": \"q%d-%d\", \"question\": \"Which %s was built?\", \"answers\": [{\"text\": \"%s\", \"answer_start\": %d}]}"
                            .formatted(article, i, word(article, i + 1), answer, context.indexOf(answer));
                })
                .collect(Collectors.joining(",\n   "));
        return " {\"title\": \"%s\", \"paragraphs\": [{\"context\": \"%s\",\n  \"qas\": [%s]}]}"
                .formatted(word(article, 0), context, questions);
    }

    private static String word(int article, int place) {
        return "" + (char) ('b' + article) + 'a' + (char) ('b' + place % 20) + (place < 20 ? "on" : "ir");
    }
}
