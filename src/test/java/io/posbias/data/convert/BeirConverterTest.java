package io.posbias.data.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public class BeirConverterTest {
    @TempDir
    Path temp;

    private final List<String> notes = new ArrayList<>();

    public static byte[] zip(Map<String, String> entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    public static byte[] tar(Map<String, String> entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(header("data/", 0, '5'));
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                byte[] content = entry.getValue().getBytes(StandardCharsets.UTF_8);
                out.write(header(entry.getKey(), content.length, '0'));
                out.write(content);
                out.write(new byte[(512 - content.length % 512) % 512]);
            }
            out.write(new byte[1024]);
        }
        return bytes.toByteArray();
    }

    private static byte[] header(String name, int size, char type) {
        ByteBuffer header = ByteBuffer.allocate(512);
        header.put(0, name.getBytes(StandardCharsets.UTF_8));
        header.put(124, "%011o".formatted(size).getBytes(StandardCharsets.US_ASCII));
        header.put(156, (byte) type);
        header.put(257, "ustar".getBytes(StandardCharsets.US_ASCII));
        return header.array();
    }

    public static Map<String, String> beir(String name, String corpus, String queries, String qrels) {
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put(name + "/corpus.jsonl", corpus);
        entries.put(name + "/queries.jsonl", queries);
        entries.put(name + "/qrels/test.tsv", "query-id\tcorpus-id\tscore\n" + qrels);
        return entries;
    }

    /** Abstracts are joined with spaces; claim 3 has no evidence, claim 9 is of another split. */
    public static Map<String, String> scifact() {
        return beir("scifact", """
                {"_id": "11", "title": "Cells", "text": "Cells divide 🧬. They are small. Mice have many.", "metadata": {}}
                {"_id": "12", "title": "Mice", "text": "Mice eat grain.", "metadata": {}}
                """, """
                {"_id": "1", "text": "cells are small", "metadata": {}}
                {"_id": "3", "text": "mice eat", "metadata": {}}
                {"_id": "9", "text": "other", "metadata": {}}
                """, "1\t11\t1\n3\t12\t1\n");
    }

    public static Map<String, String> scifactRelease() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("data/corpus.jsonl", """
                {"doc_id": 11, "title": "Cells", "abstract": ["Cells divide 🧬.", "They are small.", "Mice have many."], \
                "structured": false}
                {"doc_id": 12, "title": "Mice", "abstract": ["Mice eat grain."], "structured": false}
                """);
        files.put("data/claims_dev.jsonl", """
                {"id": 1, "claim": "cells are small", "evidence": {"11": [{"sentences": [1, 2], "label": "SUPPORT"}]}, \
                "cited_doc_ids": [11]}
                {"id": 3, "claim": "mice eat", "evidence": {}, "cited_doc_ids": [12]}
                """);
        return files;
    }

    private Dataset build(String kind, Map<String, String> beir, Path... annotations) throws IOException {
        Path zip = Files.write(temp.resolve(kind + ".zip"), zip(beir));
        return Converter.build(
                temp.resolve("out"),
                false,
                BeirConverter.of(input(zip), kind, List.of(annotations), DatasetCard.named(kind)),
                notes::add,
                Sessions.shared());
    }

    static BeirInput input(Path path) {
        return new BeirInput(path, "", DatasetFiles.TEST, Map.of());
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(temp.resolve(name), content);
    }

    private static String evidence(Dataset dataset, String id) {
        Query query = dataset.queries().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
        Evidence evidence = query.evidence();
        if (evidence == null) {
            return "none";
        }
        Map<String, String> texts = new HashMap<>();
        dataset.passages().inFileOrder((ordinal, passage) -> texts.put(passage.id(), passage.text()));
        int only = Objects.requireNonNull(dataset.qrels().of(id)).relevantPassages()[0];
        String passage = query.passage() == null ? dataset.passages().ids().id(only) : query.passage();
        return passage + ": " + Objects.requireNonNull(evidence.span()).of(Objects.requireNonNull(texts.get(passage)));
    }

    @Test
    void setsOfAnArchiveHaveDifferentNames() throws IOException {
        for (String set : List.of("a/b", "a-b", "c/b", ".git/d")) {
            Files.writeString(
                    Files.createDirectories(temp.resolve("sets").resolve(set)).resolve("corpus.jsonl"), "");
        }
        assertThat(BeirInput.sets(temp.resolve("sets")).keySet()).containsExactly("a-b", "a/b", "c/b");
    }

    @Test
    void sciFactsSentencesAreFoundInBeirsAbstracts() throws IOException {
        Path release = Files.write(temp.resolve("data.tar.gz"), tar(scifactRelease()));
        Dataset dataset = build("scifact", scifact(), release);
        assertThat(dataset.queries()).extracting(Query::id).containsExactly("1", "3");
        assertThat(evidence(dataset, "1")).isEqualTo("11: They are small.");
        // Code points: the emoji is one.
        assertThat(Objects.requireNonNull(dataset.queries().getFirst().evidence())
                        .start())
                .isEqualTo(16);
        assertThat(evidence(dataset, "3")).isEqualTo("none");
        assertThat(notes)
                .satisfiesExactly(
                        unjudged -> assertThat(unjudged).contains("1 query"),
                        evidence ->
                                assertThat(evidence).contains("1 of 2 queries", "1 without", "0 whose", "of 1 with"));
        assertThat(temp.resolve("out/unpacked")).doesNotExist();
    }

    @Test
    void hotpotQasFirstSupportingFactSaysWhichPassageItIsIn() throws IOException {
        Path release = file("hotpot_dev_distractor_v1.json", """
                [{"_id": "h1", "question": "who", "supporting_facts": [["Owl", 7], ["Fox (film)", 1], ["Owl", 0]],
                  "context": [["Owl", ["Owls hunt. ", " They see."]], ["Fox (film)", ["A film.", " Foxes  star in it."]]]}]
                """);
        Dataset dataset = build(
                "hotpotqa",
                beir("hotpotqa", """
                        {"_id": "1", "title": "Owl", "text": "Owls hunt. They see."}
                        {"_id": "2", "title": "Fox (film)", "text": "A film. Foxes star in it."}
                        """, "{\"_id\": \"h1\", \"text\": \"who\"}\n", "h1\t1\t1\nh1\t2\t1\n"),
                release);
        assertThat(evidence(dataset, "h1")).isEqualTo("2: Foxes star in it.");
        assertThat(Files.readString(temp.resolve("out/queries.jsonl"))).contains("\"pos_corpus_id\":\"2\"");
        // A sample keeps the passage's name, without which it could not be opened.
        Dataset sample = Converter.build(
                temp.resolve("sample"),
                false,
                new SubsetConverter(dataset, queries -> queries, DatasetCard.named("sample")),
                notes::add,
                Sessions.shared());
        assertThat(evidence(sample, "h1")).isEqualTo("2: Foxes star in it.");
    }

    @Test
    void feversSentencesAreThoseOfItsPages() throws IOException {
        Path claims = file("shared_task_dev.jsonl", """
                {"id": 5, "label": "SUPPORTS", "claim": "x", "evidence": [[[1, 2, "Soul_Food_-LRB-film-RRB-", 1]], \
                [[3, 4, "Other", 0]]]}
                {"id": 6, "label": "NOT ENOUGH INFO", "claim": "y", "evidence": [[[7, null, null, null]]]}
                """);
        Path pages = Files.write(temp.resolve("wiki-pages.zip"), zip(Map.of("wiki-pages/wiki-001.jsonl", """
                {"id": "", "text": "", "lines": ""}
                {"id": "Soul_Food_-LRB-film-RRB-", "text": "x", "lines": "0\\tA film -LRB- 1997 -RRB- .\\tlink\\n1\\tIt was \
                made -LRB- in Chicago -RRB- .\\n2\\t"}
                """)));
        Dataset dataset = build(
                "fever",
                beir(
                        "fever", """
                {"_id": "Soul_Food_-LRB-film-RRB-", "title": "Soul Food (film)", "text": "A film ( 1997 ) . It was made -LRB- \
                in Chicago ) . End ."}
                """,
                        "{\"_id\": \"5\", \"text\": \"x\"}\n{\"_id\": \"6\", \"text\": \"y\"}\n", """
                5\tSoul_Food_-LRB-film-RRB-\t1
                6\tSoul_Food_-LRB-film-RRB-\t1
                """),
                claims,
                pages);
        assertThat(evidence(dataset, "5")).isEqualTo("Soul_Food_-LRB-film-RRB-: It was made -LRB- in Chicago ) .");
        assertThat(evidence(dataset, "6")).isEqualTo("none");
    }

    @Test
    void climateFeversSentencesOutsideThePassageAreCounted() throws IOException {
        Path release = file("climate-fever-dataset-r1.jsonl", """
                {"claim_id": "0", "claim": "warm", "evidences": [\
                {"evidence_label": "NOT_ENOUGH_INFO", "article": "Global warming", "evidence": "It is warm."},\
                {"evidence_label": "REFUTES", "article": "Global warming", "evidence": "Ice melts."}]}
                {"claim_id": "1", "claim": "sea", "evidences": [\
                {"evidence_label": "SUPPORTS", "article": "Global warming", "evidence": "Deep in the article."}]}
                """);
        Dataset dataset = build(
                "climate-fever",
                beir(
                        "climate-fever",
                        """
                        {"_id": "Global_warming", "title": "Global warming", "text": "It is warm. Ice melts. Seas rise."}
                        """,
                        "{\"_id\": \"0\", \"text\": \"warm\"}\n{\"_id\": \"1\", \"text\": \"sea\"}\n",
                        """
                        0\tGlobal_warming\t1
                        1\tGlobal_warming\t1
                        """),
                release);
        assertThat(evidence(dataset, "0")).isEqualTo("Global_warming: Ice melts.");
        assertThat(evidence(dataset, "1")).isEqualTo("none");
        assertThat(notes).singleElement().asString().contains("1 of 2 queries", "0 without", "1 whose", "of 0 with");
    }

    @Test
    void wrongFilesAreOneLine() throws IOException {
        Path stray = file("stray.txt", "x");
        assertThatThrownBy(() -> build("scifact", scifact(), stray))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("corpus.jsonl", "(stray.txt)");
        Map<String, String> release = scifactRelease();
        release.replaceAll((name, text) -> text.replace("[1, 2]", "[1, 5]"));
        Path other = Files.write(temp.resolve("data.tar.gz"), tar(release));
        assertThatThrownBy(() -> build("scifact", scifact(), other))
                .hasMessageContainingAll("sentence 5", "abstract 11", "has 3");
        byte[] whole = tar(scifactRelease());
        Path cut = Files.write(temp.resolve("cut.tar.gz"), Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> build("scifact", scifact(), cut))
                .isInstanceOf(PosbiasException.class)
                .hasMessageStartingWith("cannot read " + cut + ": the tar.gz file is corrupt (");
        Path climbing = Files.write(temp.resolve("climb.tar.gz"), tar(Map.of("../../evil", "x")));
        assertThatThrownBy(() -> build("scifact", scifact(), climbing))
                .hasMessageContaining("climbs out of the archive");
    }
}
