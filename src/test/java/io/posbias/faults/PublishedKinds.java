package io.posbias.faults;

import io.posbias.data.convert.BeirConverterTest;
import io.posbias.data.dataset.ParquetFiles;
import io.posbias.study.probe.redocred.Article;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

final class PublishedKinds {
    private static final String ZSTD = "zstd";

    private PublishedKinds() {}

    static void addTo(FileKinds kinds) {
        published(kinds);
        sets(kinds);
        parquet(kinds);
    }

    private static void published(FileKinds kinds) {
        kinds.kind("SQuAD JSON", "squad.json", folder -> {
            squad(folder);
            return FileKinds.build(folder, "squad-posq", "squad.json", "--language en");
        });
        kinds.kind("articles for windows", "articles.json", folder -> {
            articlesOfWindows(folder);
            return FileKinds.build(folder, "windows", "articles.json", "--places 3 --length 9 --variants");
        });
        kinds.kind("FineWeb-PosQ rows", "rows.jsonl", folder -> {
            folder.write("rows.jsonl", """
                {"content": "zebra", "question": "first?", "span_class": ["beginning"]}
                {"content": "ant", "question": null, "span_class": null}
                {"content": "zebra", "question": "second?", "span_class": ["middle", "end"]}
                """);
            return FileKinds.build(folder, "fineweb-posq", "rows.jsonl");
        });
        kinds.kind("QED lines", "qed.jsonlines", folder -> {
            folder.write("qed.jsonlines", """
                {"example_id": -7, "question_text": "who sings", "paragraph_text": "Ann sings . Bob plays .", \
                "original_nq_answers": [[{"start": 0, "end": 3, "string": "Ann"}]], "annotation": {"answer": []}}
                {"example_id": 8, "question_text": "who plays", "paragraph_text": "Ann sings . Bob plays .", \
                "original_nq_answers": [[], [{"start": 12, "end": 15, "string": "Bob"}]]}
                """);
            return FileKinds.build(folder, "qed", "qed.jsonlines");
        });
        for (String file : List.of("prompts.csv", "annotations.csv")) {
            kinds.kind("Evidence Inference's " + file, "trials/" + file, folder -> {
                folder.write("trials/txt/PMC12.txt", "Pain fell. Nobody slept.");
                folder.write("trials/prompts.csv", """
                    PromptID,PMCID,Outcome,Intervention,Comparator
                    7,12,"Pain, at rest",Aspirin,Placebo
                    8,12,Sleep,Aspirin,Placebo
                    """);
                folder.write("trials/annotations.csv", """
                    PromptID,PMCID,Valid Reasoning,Annotations,Evidence Start,Evidence End
                    7,12,True,Pain fell.,0,10
                    8,12,True,Nobody slept.,11,24
                    """);
                return FileKinds.build(folder, "evidence-inference", "trials");
            });
        }
        kinds.kind("SciFact's own release", "data.tar.gz", folder -> {
            folder.write("data.tar.gz", BeirConverterTest.tar(BeirConverterTest.scifactRelease()));
            return FileKinds.build(folder, "scifact", "data.tar.gz");
        });
        kinds.kind("ColDeR pairs", "foil.jsonl", folder -> {
            folder.write("foil.jsonl", """
                {"id":"a","query":"where is the cat","document_1":"the cat the cat","document_2":"far away the cat is here"}
                {"id":"b","query":"where is the dog","document_1":"the dog the dog","document_2":"far away the dog is"}
                """);
            return FileKinds.words("probe import colder", folder.at("foil.jsonl"), "--out", folder.at(FileKinds.OUT));
        });
        for (String command : List.of("probe", "data")) {
            kinds.kind("Re-DocRED for " + command + " build", "test.json", folder -> {
                articles(folder);
                return FileKinds.words(
                        command,
                        "build",
                        "redocred",
                        "--input",
                        folder.at("test.json"),
                        "--out",
                        folder.at(FileKinds.OUT));
            });
        }
    }

    static void squad(Folder folder) {
        folder.write("squad.json", """
            {"version": "1.1", "data": [{"title": "Foxes", "paragraphs": [{"context": "A red fox sleeps under the old bridge.",
              "qas": [{"id": "s1", "question": "where?", "answers": [{"text": "under the old bridge", "answer_start": 17}]},
                      {"id": "s2", "question": "who sleeps?", "answers": [{"text": "red fox", "answer_start": 2}]}]}]},
             {"title": "Owls", "paragraphs": [{"context": "An owl hunts mice in the barn at night.",
              "qas": [{"id": "s3", "question": "what?", "answers": [{"text": "mice", "answer_start": 13}]}]}]}]}
            """);
    }

    /** An article whose evidence can go to three places. */
    static void articlesOfWindows(Folder folder) {
        folder.write("articles.json", """
            {"data": [{"paragraphs": [{"context": "A b c. B b c. C b c. D b c.", "qas": []},
              {"context": "E key c. F b c. G b c. H b c. I b c.",
               "qas": [{"id": "s1", "question": "key", "answers": [{"text": "key", "answer_start": 2}]}]}]}]}
            """);
    }

    /** Two articles that every probe can be made of, and one that lends sentences. */
    static void articles(Folder folder) {
        Article.write(
                folder.at("test.json"),
                article("Ada", "Ada_Lovelace"),
                article("Bob", "Bob_Builder"),
                Article.of("Donor", "{0:ORG:Acme} one", "two", "three", "four").label("P17", 0, 0, 3));
    }

    private static Article article(String name, String full) {
        return Article.of(
                        name,
                        "{0:PER:" + full + "} was born in {1:LOC:" + name + "ville} .",
                        "{0:PER:" + name + "} wrote .",
                        "{2:ORG:" + name + "_Works} opened in {3:TIME:18" + (int) name.charAt(0) + "} .",
                        "{2:ORG:" + name + "_Works} grew .",
                        "Fog was .",
                        "{4:MISC:" + name + "_Song} was made by {5:PER:" + name + "_Band} .",
                        "Rain" + " fell".repeat(120) + " .",
                        "Night came .",
                        "{2:ORG:" + name + "_Works} closed .",
                        "Day came .")
                .label("P19", 0, 1, 0)
                .label("P571", 2, 3, 2)
                .label("P175", 4, 5, 5);
    }

    private static void sets(FileKinds kinds) {
        kinds.kind("BEIR zip", "scifact.zip", folder -> {
            folder.write("scifact.zip", BeirConverterTest.zip(BeirConverterTest.scifact()));
            return FileKinds.build(folder, "beir", "scifact.zip", "--language en");
        });
        annotated(
                kinds,
                "SciFact tar.gz",
                "data.tar.gz",
                "scifact",
                BeirConverterTest.scifact(),
                () -> BeirConverterTest.tar(BeirConverterTest.scifactRelease()));
        annotated(
                kinds,
                "HotpotQA JSON",
                "hotpot_dev_distractor_v1.json",
                "hotpotqa",
                BeirConverterTest.beir(
                        "hotpotqa", """
                        {"_id": "1", "title": "Owl", "text": "Owls hunt. They see."}
                        {"_id": "2", "title": "Fox (film)", "text": "A film. Foxes star in it."}
                        """, "{\"_id\": \"h1\", \"text\": \"who\"}\n", "h1\t1\t1\nh1\t2\t1\n"),
                () -> FileKinds.bytes("""
                    [{"_id": "h1", "question": "who", "supporting_facts": [["Owl", 7], ["Fox (film)", 1], ["Owl", 0]],
                      "context": [["Owl", ["Owls hunt. ", " They see."]], ["Fox (film)", ["A film.", " Foxes  star in it."]]]}]
                    """));
        annotated(
                kinds,
                "Climate-FEVER lines",
                "climate-fever-dataset-r1.jsonl",
                "climate-fever",
                BeirConverterTest.beir(
                        "climate-fever", """
                        {"_id": "Global_warming", "title": "Global warming", "text": "It is warm. Ice melts. Seas rise."}
                        """, "{\"_id\": \"0\", \"text\": \"warm\"}\n", "0\tGlobal_warming\t1\n"),
                () -> FileKinds.bytes("""
                    {"claim_id": "0", "claim": "warm", "evidences": [\
                    {"evidence_label": "NOT_ENOUGH_INFO", "article": "Global warming", "evidence": "It is warm."},\
                    {"evidence_label": "REFUTES", "article": "Global warming", "evidence": "Ice melts."}]}
                    """));
    }

    private interface Content {
        byte[] get() throws IOException;
    }

    private static void annotated(
            FileKinds kinds, String name, String file, String set, Map<String, String> beir, Content annotations) {
        kinds.kind(name, file, folder -> {
            folder.write(set + ".zip", BeirConverterTest.zip(beir));
            folder.write(file, annotations.get());
            return FileKinds.build(
                    folder, "beir", set + ".zip", "--evidence", set, "--language en --annotations", folder.at(file));
        });
    }

    private static void parquet(FileKinds kinds) {
        kinds.kind("SQuAD rows, Parquet", "rows.parquet", folder -> {
            ParquetFiles.write(
                    folder.at("rows.parquet"),
                    "SELECT 'id' || i AS id, 'T' AS title, 'Context ' || i || ' with an answer' AS context, 'Question"
                            + " ' || i || '?' AS question, {'text': ['answer'], 'answer_start': [18::INT]} AS answers FROM"
                            + " range(9) t(i)",
                    ZSTD);
            return FileKinds.build(folder, "squad-posq", "rows.parquet", "--language en");
        });
        kinds.kind("FineWeb-PosQ rows, Parquet", "rows.parquet", folder -> {
            ParquetFiles.write(
                    folder.at("rows.parquet"),
                    "SELECT 'content ' || i AS content, 'question ' || i AS question, ['end'] AS span_class FROM"
                            + " range(9) t(i)",
                    "uncompressed");
            return FileKinds.build(folder, "fineweb-posq", "rows.parquet");
        });
        for (String file : List.of("queries.parquet", "corpus.parquet", "qrels/test.parquet")) {
            kinds.kind("PosIR " + file, "eng-Latn/law/" + file, folder -> {
                posir(folder.at("eng-Latn/law"));
                return FileKinds.build(folder, "posir", "eng-Latn/law");
            });
        }
    }

    private static void posir(Path folder) throws IOException, SQLException {
        Files.createDirectories(folder.resolve("qrels"));
        ParquetFiles.write(
                folder.resolve("corpus.parquet"),
                "SELECT 'd' || i AS _id, 'text number ' || i AS text FROM range(5) t(i)",
                ZSTD);
        ParquetFiles.write(
                folder.resolve("queries.parquet"),
                "SELECT 'q' || i AS _id, 'question ' || i AS text, [5, 11]::BIGINT[] AS pos_char_span, 13::BIGINT AS"
                        + " pos_char_length, (100 * i + 512)::BIGINT AS pos_token_length FROM range(4) t(i)",
                ZSTD);
        ParquetFiles.write(
                folder.resolve("qrels/test.parquet"),
                "SELECT 'q' || i AS \"query-id\", 'd' || i AS \"corpus-id\", 1::BIGINT AS score FROM range(4) t(i)",
                ZSTD);
    }
}
