package io.posbias.faults;

import io.posbias.data.dataset.ParquetFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Files whose digests are recorded beside them and updated to each broken file, so that their readers meet it. */
final class DigestKinds {
    private static final List<String> FILES = List.of("corpus.jsonl", "queries.jsonl", "qrels/test.tsv");

    private DigestKinds() {}

    static void addTo(FileKinds kinds) {
        built(kinds);
        parquet(kinds);
        for (String file : List.of("foil.jsonl", "poison.jsonl")) {
            kinds.behindDigest("folder of probes: " + file, "data/" + file, folder -> {
                kinds.poisoned(folder);
                return FileKinds.probe(folder, "bm25", "--data", "data");
            });
        }
    }

    private static void built(FileKinds kinds) {
        for (String file : FILES) {
            kinds.behindDigest("SQuAD's " + file, "squad/" + file, folder -> {
                PublishedKinds.squad(folder);
                kinds.sound(folder, command("squad-posq", folder, "squad"));
                return FileKinds.eval(folder, "bm25", "squad");
            });
            kinds.behindDigest("windows' " + file, "windows/" + file, folder -> {
                windows(kinds, folder);
                return FileKinds.eval(folder, "bm25", "windows");
            });
        }
        for (String file : List.of("corpus.jsonl", "queries.jsonl")) {
            kinds.behindDigest("windows' " + file + ", diagnosed", "windows/" + file, folder -> {
                windows(kinds, folder);
                return FileKinds.words(
                        "diagnose position --model bm25 --dataset",
                        folder.at("windows"),
                        "--draws 20 --out",
                        folder.at(FileKinds.OUT));
            });
        }
    }

    private static Object[] command(String format, Folder folder, String name) {
        return FileKinds.words(
                "data build", format, "--language en --input", folder.at(name + ".json"), "--out", folder.at(name));
    }

    static void windows(FileKinds kinds, Folder folder) {
        PublishedKinds.articlesOfWindows(folder);
        kinds.sound(
                folder,
                "data build windows --input",
                folder.at("articles.json"),
                "--out",
                folder.at("windows"),
                "--places 3 --length 9 --variants");
    }

    private static void parquet(FileKinds kinds) {
        Map<String, String> selects = Map.of(
                "corpus", "SELECT 'p' || i AS _id, 'a red fox number ' || i || ' sleeps' AS text FROM range(1, 4) t(i)",
                "queries",
                        "SELECT 'q' || i AS _id, 'fox number ' || i AS text, [2, 9]::BIGINT[] AS pos_char_span FROM"
                                + " range(1, 3) t(i)",
                "qrels/test",
                        "SELECT 'q' || i AS \"query-id\", 'p' || i AS \"corpus-id\", 1::BIGINT AS score FROM range(1,"
                                + " 3) t(i)");
        for (String file : List.of("corpus", "queries", "qrels/test")) {
            kinds.behindDigest("benchmark's " + file + ".parquet", "tiny/" + file + ".parquet", folder -> {
                Path tiny = FileKinds.tiny(folder).folder();
                for (String plain : FILES) {
                    Files.delete(tiny.resolve(plain));
                }
                for (Map.Entry<String, String> select : selects.entrySet()) {
                    ParquetFiles.write(tiny.resolve(select.getKey() + ".parquet"), select.getValue(), "zstd");
                }
                kinds.sound(folder, "data verify --write", tiny);
                return FileKinds.eval(folder, "bm25", "tiny");
            });
        }
    }
}
