package io.posbias.data.dataset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

public final class TinyBenchmark {
    private final Path folder;

    private TinyBenchmark(Path folder) {
        this.folder = folder;
    }

    public static TinyBenchmark in(Path folder) {
        return new TinyBenchmark(folder)
                .write("dataset.yaml", "name: tiny\nlanguage: en\nbucketing: thirds\n")
                .write("corpus.jsonl", """
                        {"_id": "p1", "text": "A red fox sleeps under the old bridge."}
                        {"_id": "p2", "title": "Owls", "text": "An owl 🦉 hunts mice in the barn at night."}
                        {"_id": "p3", "text": "狐狸住在桥下。"}
                        """)
                .write("queries.jsonl", """
                        {"_id": "q1", "text": "where does the fox sleep", "pos_char_span": [17, 37]}
                        {"_id": "q2", "text": "what does the owl hunt", "pos_char_span": [15, 19]}
                        """)
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t1\nq2\tp2\t2\nq2\tp1\t0\n");
    }

    /** Another benchmark in English, in fifths of its passages, of lines as {@link #row} makes them. */
    public static Path inFifths(
            Path folder, String name, CharSequence corpus, CharSequence queries, CharSequence qrels) {
        return in(folder)
                .write("dataset.yaml", "name: " + name + "\nlanguage: en\nbucketing: relative:5\n")
                .write("corpus.jsonl", corpus.toString())
                .write("queries.jsonl", queries.toString())
                .write("qrels/test.tsv", qrels.toString())
                .folder();
    }

    /** A benchmark with a passage "WORD WORD" of each word, which is the answer to the query WORD. */
    public static Path ofWords(Path folder, List<String> words) {
        StringBuilder corpus = new StringBuilder();
        StringBuilder queries = new StringBuilder();
        StringBuilder qrels = new StringBuilder("query-id\tcorpus-id\tscore\n");
        for (String word : words) {
            corpus.append(row("p" + word, word + " " + word, ""));
            queries.append(row("q" + word, word, ", \"pos_char_span\": [0, 1]"));
            qrels.append("q" + word + "\tp" + word + "\t1\n");
        }
        return inFifths(folder, "words", corpus, queries, qrels);
    }

    /**
     * A line of a corpus or of queries.
     *
     * @param more further fields, a comma before each
     */
    public static String row(String id, String text, String more) {
        return "{\"_id\": \"" + id + "\", \"text\": \"" + text + "\"" + more + "}\n";
    }

    public TinyBenchmark write(String name, String text) {
        Path file = folder.resolve(name);
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    public TinyBenchmark without(String name) {
        try {
            Files.delete(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    public Path folder() {
        return folder;
    }

    public Dataset open() {
        return DatasetReader.open(folder);
    }
}
