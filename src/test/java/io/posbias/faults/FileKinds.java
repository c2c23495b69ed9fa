package io.posbias.faults;

import io.posbias.cli.Cli;
import io.posbias.cli.Posbias;
import io.posbias.cli.Studies;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.faults.FileKind.Digest;
import io.posbias.faults.Mutator.Coding;
import io.posbias.fetch.hub.FakeHub;
import io.posbias.model.chat.FakeChat;
import io.posbias.model.encode.StandInRerankers;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.api.FakeApi;
import io.posbias.model.encode.worker.RecordedWorker;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** A small sound file of each kind that posbias reads, with a command that reads it. */
final class FileKinds implements AutoCloseable {
    /** Where what is being made of a kind's file goes. */
    static final String OUT = FileKind.OUT;

    /** Before the command and the option that a text is for. */
    static final String TEXT_OF = "text of ";

    private static final String KEY = "sk-0123456789abcdefghij";
    private static final String PAIRS = """
            {"id": "a", "query": "where is the cat", "text1": "the cat is here", "text2": "a dog is there", "tags": {"n": 1}}
            {"id": "b", "query": "where is the dog", "text1": "the dog is here", "text2": "a cat is there", "tags": {"n": 2}}
            {"id": "c", "query": "where is the cow", "text1": "the cow", "text2": "a cat, and a cow", "tags": {"n": 3}}
            """;
    private static final String RUN = """
            q1 Q0 p1 1 3.5 tag
            q1 Q0 p2 2 2.5 tag
            q2 Q0 p2 1 1.25 tag
            q2 Q0 p1 2 0.5 tag
            q2 Q0 p3 3 0.25 tag
            """;

    private final Path temp;
    private final FakeApi chat = FakeChat.serve(question -> "Town" + question.length() % 3);
    private final FakeHub hub = new FakeHub();
    private final Map<String, String> python;
    private final Map<String, Maker> makers = new LinkedHashMap<>();

    /** Writes a kind's files into a folder; gives the command. */
    interface Setup {
        Object[] in(Folder folder) throws IOException, SQLException;
    }

    private record Maker(Coding coding, Digest digest, String file, Setup setup) {}

    FileKinds(Path temp) throws IOException {
        this.temp = temp;
        this.python = RecordedWorker.environment(Files.createDirectories(temp), "faults");
        hub.storeModel("owner/net/model.onnx", StandIns.lookup(StandIns.table(StandIns.VOCABULARY)), true);
        hub.storeModel(
                "owner/net/tokenizer.json", WordTokenizer.of(StandIns.WORDS).toJson(), false);
        benchmarks();
        DigestKinds.addTo(this);
        PublishedKinds.addTo(this);
        probes();
        runs();
        results();
        finished();
        ConstructionKinds.addTo(this);
        InsideKinds.addTo(this);
        settings();
        models();
        pulled();
        caches();
        CommandKinds.addTo(this, chat);
    }

    Set<String> names() {
        return makers.keySet();
    }

    FileKind make(String name) throws IOException, SQLException {
        Maker maker = Objects.requireNonNull(makers.get(name), name);
        Folder folder = new Folder(temp.resolve(name.replaceAll("[^A-Za-z0-9]+", "-")));
        Files.createDirectories(folder.root());
        List<Object> command = List.copyOf(Cli.words(maker.setup.in(folder)));
        return new FileKind(
                name, maker.coding, maker.digest, folder, folder.match(maker.file), posbias(folder), command);
    }

    Posbias posbias(Folder folder) {
        Map<String, String> environment = new HashMap<>(python);
        environment.put("HF_ENDPOINT", hub.endpoint().toString());
        environment.put("TEST_KEY", KEY);
        return new Posbias(folder.root(), environment);
    }

    void kind(String name, String file, Setup setup) {
        makers.put(name, new Maker(coding(file), Digest.NONE, file, setup));
    }

    /** Adds a kind whose digest in another file is updated to each broken file. */
    void behindDigest(String name, String file, Setup setup) {
        makers.put(name + ", behind its digest", new Maker(coding(file), Digest.UPDATED, file, setup));
    }

    private static Coding coding(String file) {
        boolean isText = !file.endsWith(".parquet")
                && !file.endsWith(".onnx")
                && !file.endsWith(".safetensors")
                && !file.endsWith(".zip")
                && !file.endsWith(".data")
                && !file.endsWith(".vectors");
        return file.endsWith(".gz") ? Coding.GZIP : isText ? Coding.TEXT : Coding.BINARY;
    }

    void kind(String name, Coding coding, boolean sealed, String file, Setup setup) {
        makers.put(name, new Maker(coding, sealed ? Digest.KEPT : Digest.NONE, file, setup));
    }

    /** Runs a command that must succeed, before anything is broken. */
    void sound(Folder folder, Object... command) {
        Cli.Ended ended = posbias(folder).run(command);
        if (ended.code() != 0) {
            throw new AssertionError(Arrays.toString(command) + ": " + ended.err());
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static TinyBenchmark tiny(Folder folder) {
        return TinyBenchmark.in(folder.at("tiny"));
    }

    static Object[] words(Object... words) {
        return words;
    }

    static Object[] with(Object[] command, Object... more) {
        return Stream.of(command, more).flatMap(Stream::of).toArray();
    }

    private static Object[] eval(Folder folder, Object model) {
        return eval(folder, model, "tiny");
    }

    static Object[] eval(Folder folder, Object model, String dataset) {
        return words("eval --model", model, "--dataset", folder.at(dataset), "--out", folder.at(OUT), "--draws 20");
    }

    static Object[] build(Folder folder, String format, String input, Object... more) {
        return with(words("data build", format, "--input", folder.at(input), "--out", folder.at(OUT)), more);
    }

    private void benchmarks() {
        for (String file : List.of("dataset.yaml", "corpus.jsonl", "queries.jsonl", "qrels/test.tsv")) {
            kind("benchmark's " + file, "tiny/" + file, folder -> {
                tiny(folder);
                return eval(folder, "bm25");
            });
        }
        for (String file : List.of("corpus.jsonl", "queries.jsonl")) {
            kind("benchmark's " + file + ".gz", "tiny/" + file + ".gz", folder -> {
                Path plain = tiny(folder).folder().resolve(file);
                folder.write("tiny/" + file + ".gz", Mutator.deflate(Files.readAllBytes(plain)));
                Files.delete(plain);
                return eval(folder, "bm25");
            });
        }
        kind("queries of a sample", "tiny/queries.jsonl", folder -> {
            tiny(folder);
            return words("data sample", folder.at("tiny"), "--n 1 --out", folder.at(OUT));
        });
        kind("corpus of references", "tiny/corpus.jsonl", folder -> {
            tiny(folder);
            return words(
                    "calibrate references --dataset",
                    folder.at("tiny"),
                    "--out",
                    folder.at(OUT),
                    "--reference reference-flat");
        });
    }

    static Object[] probe(Folder folder, Object model, String... data) {
        return with(words("probe run --model", model, "--out", folder.at(OUT)), data[0], folder.at(data[1]));
    }

    private void probes() {
        kind("pairs of probes", "mine.jsonl", folder -> {
            folder.write("mine.jsonl", PAIRS);
            return probe(folder, "bm25", "--pairs", "mine.jsonl");
        });
        for (String file : List.of("probes.yaml", "foil.jsonl")) {
            kind("folder of probes: " + file, Coding.TEXT, file.equals("foil.jsonl"), "data/" + file, folder -> {
                poisoned(folder);
                return probe(folder, "bm25", "--data", "data");
            });
        }
        for (String file : List.of("result.json", "scores.csv")) {
            kind("finished probe's " + file, "out/bm25/" + file, folder -> {
                folder.write("mine.jsonl", PAIRS);
                Object[] command = probe(folder, "bm25", "--pairs", "mine.jsonl");
                sound(folder, command);
                return command;
            });
        }
    }

    void poisoned(Folder folder) {
        PublishedKinds.articles(folder);
        sound(
                folder,
                "probe build redocred --input",
                folder.at("test.json"),
                "--out",
                folder.at("data"),
                "--probe foil,poison");
    }

    private void runs() {
        kind("list of second evidence", "second.jsonl", folder -> {
            tiny(folder);
            folder.write("second.jsonl", """
                    {"query_id": "q1", "second": "none", "others": [], "sentences": [[0, 38]], "own": [0, 1]}
                    {"query_id": "q2", "second": "after", "others": [[20, 24]], "sentences": [[0, 18], [19, 42]], "own": [0, 1]}
                    """);
            return words(
                    "eval --model bm25 --dataset",
                    folder.at("tiny"),
                    "--single-evidence",
                    folder.at("second.jsonl"),
                    "--out",
                    folder.at(OUT),
                    "--draws 20");
        });
        for (String file : List.of("run.trec", "run.trec.gz")) {
            kind("TREC run, " + file, file, folder -> {
                tiny(folder);
                folder.write(file, file.endsWith(".gz") ? Mutator.deflate(bytes(RUN)) : bytes(RUN));
                return words(
                        "score --run",
                        folder.at(file),
                        "--dataset",
                        folder.at("tiny"),
                        "--out",
                        folder.at(OUT),
                        "--draws 20");
            });
        }
    }

    Path evaluated(Folder folder) {
        tiny(folder);
        return evaluated(folder, "");
    }

    /** Writes two finished results; gives the folder that has both. */
    private Path evaluated(Folder folder, String more) {
        for (String model : List.of("bm25", "bm25-lucene")) {
            sound(
                    folder,
                    "eval --model",
                    model,
                    "--dataset",
                    folder.at("tiny"),
                    "--draws 20 --out",
                    folder.at("before/" + model),
                    more.isEmpty() ? words() : words(more));
        }
        return folder.at("before");
    }

    private static Object[] compare(Path both) {
        return words("compare --draws 40", both.resolve("bm25"), both.resolve("bm25-lucene"));
    }

    private void results() {
        String result = "before/bm25/result.json";
        kind("result.json, reported", result, folder -> words("report", evaluated(folder)));
        kind(
                "result.json on a page",
                result,
                folder -> words("report page", evaluated(folder), "--output", folder.at("out/page.html")));
        kind(
                "result.json in figures",
                result,
                folder -> words("report figures", evaluated(folder), "--output", folder.at(OUT)));
        kind(
                "result.json for MTEB",
                result,
                folder -> words("report mteb", evaluated(folder), "--output", folder.at(OUT)));
        kind(
                "queries.csv, compared",
                Coding.TEXT,
                true,
                "before/bm25/queries.csv",
                folder -> compare(evaluated(folder)));
        behindDigest("queries.csv, compared", "before/bm25/queries.csv", folder -> compare(evaluated(folder)));
        behindDigest("content-fixed.csv, compared", "before/bm25/content-fixed.csv", folder -> {
            sentences(folder);
            return compare(evaluated(folder, "--content-fixed 2 --places 7"));
        });
        behindDigest("run.trec.gz, measured", "before/bm25/run.trec.gz", folder -> {
            Path finished = evaluated(folder).resolve("bm25");
            return words(
                    "eval --model bm25 --dataset", folder.at("tiny"), "--measures R@10 --draws 20 --out", finished);
        });
        kind("queries.csv, pooled", Coding.TEXT, true, "before/bm25/queries.csv", folder -> {
            evaluated(folder);
            TinyBenchmark.in(folder.at("second"))
                    .write("dataset.yaml", "name: second\nlanguage: en\nbucketing: thirds\n");
            sound(folder, "eval --model bm25 --dataset", folder.at("second"), "--draws 20 --out", folder.at("other"));
            return words("pool --name both --out", folder.at(OUT), folder.at("before/bm25"), folder.at("other"));
        });
        kind("queries.csv of the gate", Coding.TEXT, true, "before/bm25/queries.csv", folder -> {
            Path finished = evaluated(folder).resolve("bm25");
            return words("gate --baseline", finished, "--result", finished, "--fail-on any");
        });
        kind("CSV of another benchmark", "mmteb.csv", folder -> {
            Path before = evaluated(folder);
            folder.write("plain.yaml", "name: plain\nkind: bm25\nk1: 2\nb: 0.1\nanalyzer: whitespace\n");
            sound(
                    folder,
                    "eval --model",
                    folder.at("plain.yaml"),
                    "--dataset",
                    folder.at("tiny"),
                    "--draws 20 --out",
                    before.resolve("plain"));
            folder.write(
                    "mmteb.csv",
                    "model,retrieval,other\nbm25,40.1,1\nbm25-lucene,39,4\nplain,42,3\n\"one, two\",4,3\n");
            return words("correlate --x", folder.at("mmteb.csv"), "--y", before);
        });
    }

    private void finished() {
        for (String file : List.of("result.json", "queries.csv", "buckets.csv", "run.trec.gz")) {
            Coding coding = file.endsWith(".gz") ? Coding.GZIP : Coding.TEXT;
            kind("finished " + file, coding, !file.equals("result.json"), "out/" + file, folder -> {
                tiny(folder);
                sound(folder, eval(folder, "bm25"));
                return eval(folder, "bm25");
            });
        }
    }

    private void settings() {
        kind("recipe of BM25", "mine.yaml", folder -> {
            tiny(folder);
            folder.write(
                    "mine.yaml",
                    "name: mine\nkind: bm25\nk1: 1.2\nb: 0.75\nlengths: exact\nanalyzer: words\nstemmer: porter2\n");
            return eval(folder, folder.at("mine.yaml"));
        });
        kind("recipe of a service", "mine.yaml", folder -> {
            folder.write(
                    "mine.yaml",
                    "name: vendor\nkind: embedding-api\nfamily: dense\nservice: openai\nmodel: m-1\nendpoint: "
                            + chat.address() + "/v1/embeddings\ndimension: 2\ntexts-per-call: 10\nkey: TEST_KEY\n");
            return words("models info", folder.at("mine.yaml"));
        });
        kind("experiment", "mine.yaml", folder -> {
            tiny(folder);
            folder.write("mine.yaml", """
                    name: mine
                    title: Two on one
                    models: [bm25, bm25-lucene]
                    datasets: [./tiny]
                    measures: [nDCG@10]
                    k: 100
                    settings: {draws: 20, seed: 1}
                    tables:
                      - {file: position.md, layout: position, format: markdown}
                    """);
            return words("run", folder.at("mine.yaml"), "--results", folder.at(OUT));
        });
        for (String option : Studies.optionsOfTexts()) {
            kind(TEXT_OF + option, "mine.txt", folder -> {
                sentences(folder);
                folder.write("mine.txt", "The magic number is seven.\n");
                return words(
                        option,
                        folder.at("mine.txt"),
                        "--model bm25 --dataset",
                        folder.at("tiny"),
                        "--out",
                        folder.at(OUT));
            });
        }
    }

    /** A benchmark whose passages have four sentences. */
    static void sentences(Folder folder) {
        tiny(folder).write("corpus.jsonl", """
                {"_id": "p1", "text": "A red fox sleeps under the old bridge. It rains a lot. Night falls soon. Day comes."}
                {"_id": "p2", "text": "An owl 🦉 hunts mice in the barn at night. It is cold. Mice run away. The owl waits."}
                """);
    }

    /** A benchmark in the words of the models made here, and such a model. */
    static Object[] encoded(Folder folder, byte[] graph, String more) {
        letters(folder);
        StandIns.write(folder.at("model"), graph, StandIns.PLAIN + more);
        return eval(folder, folder.at("model/recipe.yaml"));
    }

    static void letters(Folder folder) {
        tiny(folder).write("queries.jsonl", """
                        {"_id": "q1", "text": "a b", "pos_char_span": [0, 3]}
                        {"_id": "q2", "text": "c h", "pos_char_span": [4, 7]}
                        """).write("corpus.jsonl", """
                        {"_id": "p1", "text": "a b c d e f"}
                        {"_id": "p2", "title": "h", "text": "g h a c"}
                        {"_id": "p3", "text": "f f f"}
                        """);
    }

    static byte[] lookup() {
        return StandIns.lookup(StandIns.table(StandIns.VOCABULARY));
    }

    private void models() {
        for (String file : List.of("recipe.yaml", "tokenizer.json", "model.onnx")) {
            kind("dense model's " + file, "model/" + file, folder -> encoded(folder, lookup(), ""));
        }
        kind("safetensors", "model/head.safetensors", folder -> {
            folder.write("model/head.safetensors", safetensors());
            return encoded(folder, lookup(), "pooling: cls\nhead: {file: head.safetensors, bias: bias}\n");
        });
        kind("external data of a graph", "model/model.data", folder -> {
            folder.write("model/model.data", floats(StandIns.table(StandIns.VOCABULARY)));
            return encoded(folder, StandIns.external("model.data"), "");
        });
    }

    private static byte[] floats(float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return bytes.array();
    }

    private static byte[] safetensors() {
        byte[] header = bytes("{\"linear.weight\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[0,24]},"
                + "\"bias\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[24,36]}}");
        byte[] data = floats(1, 2, 0, -1, 3, 0, 10, 0, -1);
        return ByteBuffer.allocate(Long.BYTES + header.length + data.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length)
                .put(header)
                .put(data)
                .array();
    }

    /** A model that came from the Hub, whose manifest has the digests of its files. */
    private void pulled() {
        kind("recipe of a model on the Hub", "net.yaml", folder -> words("models pull", net(folder)));
        for (String file : List.of("posbias-model.json", "model.onnx", "tokenizer.json")) {
            boolean sealed = !file.equals("posbias-model.json");
            Coding coding = file.endsWith(".onnx") ? Coding.BINARY : Coding.TEXT;
            kind("pulled model's " + file, coding, sealed, "home/models/net/" + file, folder -> {
                letters(folder);
                sound(folder, "models pull", net(folder));
                return eval(folder, folder.at("net.yaml"));
            });
        }
    }

    private static Path net(Folder folder) {
        return folder.write(
                "net.yaml",
                "name: net\nkind: dense\nsource: {hub: owner/net}\nonnx: {float32: model.onnx}\n" + StandIns.PLAIN);
    }

    private void caches() {
        cached("cache of vectors", Coding.BINARY, true, ".vectors", folder -> encoded(folder, lookup(), ""));
        cached("card of a cache", Coding.TEXT, false, "space.json", folder -> encoded(folder, lookup(), ""));
        cached("cache of scores", Coding.BINARY, true, ".vectors", folder -> {
            WordTokenizer tokenizer = WordTokenizer.of(List.of("cat", "dog", "cow", "the", "here"));
            Path cross = StandInRerankers.write(
                    folder.at("model"),
                    "cross",
                    StandInRerankers.overlap(tokenizer.size(), 1),
                    tokenizer.toJson(),
                    "kind: cross-encoder\nfamily: reranker\nmax-tokens: 64\nfirst-stage: bm25\n");
            folder.write("mine.jsonl", PAIRS);
            return probe(folder, cross, "--pairs", "mine.jsonl");
        });
        cached("cache of replies", Coding.TEXT, false, ".jsonl", folder -> {
            poisoned(folder);
            return words(
                    "probe rag --data",
                    folder.at("data"),
                    "--llm",
                    chat.address() + "/v1",
                    "--llm-model m --out",
                    folder.at(OUT));
        });
    }

    /** What the command itself leaves in posbias's folder: the first file of that ending, in whichever folder. */
    private void cached(String name, Coding coding, boolean sealed, String ending, Setup setup) {
        kind(name, coding, sealed, "home/**" + ending, folder -> {
            Object[] command = setup.in(folder);
            sound(folder, command);
            folder.delete(OUT);
            return command;
        });
    }

    @Override
    public void close() {
        chat.close();
        hub.close();
    }
}
