package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import io.posbias.base.files.Checksums;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.study.probe.redocred.Article;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeBuildTest {
    @TempDir
    Path temp;

    private Path dev = Path.of("");
    private Path test = Path.of("");
    private Path out = Path.of("");

    @BeforeEach
    void write() {
        dev = Article.write(temp.resolve("dev.json"), article("Ada", "Ada Lovelace", "Ada"), donor());
        test = Article.write(temp.resolve("test.json"), article("Bob", "Bob Builder", "Bob"));
        out = temp.resolve("probes");
    }

    private static Article article(String title, String longName, String shortName) {
        String full = longName.replace(' ', '_');
        String place = title + "ville";
        return Article.of(
                        title,
                        "{0:PER:" + full + "} was born in {1:LOC:" + place + "} .",
                        "{0:PER:" + shortName + "} wrote .",
                        "{2:ORG:" + title + "_Works} opened in {3:TIME:18" + (int) title.charAt(0) + "} .",
                        "{2:ORG:" + title + "_Works} grew .",
                        "Fog was .",
                        "{4:MISC:" + title + "_Song} was made by {5:PER:" + title + "_Band} .",
                        "Rain" + " fell".repeat(120) + " .",
                        "Night came .",
                        "{2:ORG:" + title + "_Works} closed .",
                        "Day came .")
                .label("P19", 0, 1, 0)
                .label("P571", 2, 3, 2)
                .label("P175", 4, 5, 5);
    }

    private static Article donor() {
        return Article.of("Donor", "{0:ORG:Acme} one", "two", "three", "four").label("P17", 0, 0, 3);
    }

    private Cli.Ended build(Object... more) {
        return Cli.run("probe build redocred --input", dev, "--input", test, "--out", out, more);
    }

    private static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> listed = Files.list(folder)) {
            for (Path file : listed.toList()) {
                files.put(String.valueOf(file.getFileName()), Files.readString(file));
            }
        }
        return files;
    }

    @Test
    void saysOfEachProbeHowManyThereAre() throws IOException {
        Cli.Ended ended = build().ok();
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err().lines().map(line -> line.replaceFirst(" candidates.*", "")))
                .containsExactly(
                        "answer: 2 of 2",
                        "answer-single: 2 of 2",
                        "position: 2 of 2",
                        "moving: 2 of 2",
                        "literal: 2 of 2",
                        "brevity: 2 of 2",
                        "repetition: 2 of 2",
                        "grid: 6 of 6",
                        "foil: 2 of 2",
                        "poison: 2 of 2",
                        "relation: 0 of 0");
        assertThat(ended.err()).containsPattern("\npoison: .* 250 ");
        assertThat(files(out)).hasSize(12);
    }

    @Test
    void probesHaveAPlaceOfTheirOwn() throws Exception {
        Posbias posbias = new Posbias(temp, Map.of());
        posbias.run("probe run --model bm25 --data redocred")
                .fails(2, "--data redocred", "posbias probe build redocred");
        Cli.Ended built = posbias.run("probe build redocred --input", dev, "--input", test)
                .ok();
        assertThat(built.err()).endsWith("probes in " + posbias.home().resolve("probes/redocred") + "\n");
        Cli.Ended run = posbias.run("probe run --model bm25 --data redocred --probe position --format csv");
        assertThat(run.out()).contains("\nbm25,position,text1 - text2,2,");
        posbias.run("probe build redocred --input", dev).fails(2, "holds probes", "--overwrite");
        // A folder here comes before the name.
        Files.createDirectories(temp.resolve("redocred"));
        Child.run(temp, Map.of(), "probe run --model bm25 --data redocred").fails(2, "--data redocred holds no probe");
    }

    @Test
    void everyRecordIsAsTheSchemaSays() throws IOException {
        build();
        Schema schema = SchemaCheck.read("probe-1");
        int records = 0;
        for (Map.Entry<String, String> file : files(out).entrySet()) {
            if (file.getKey().endsWith(".jsonl")) {
                for (String line : file.getValue().lines().toList()) {
                    assertThat(schema.validate(line, InputFormat.JSON)).as(line).isEmpty();
                    records++;
                }
            }
        }
        assertThat(records).isEqualTo(2 + 2 + 2 + 20 + 4 + 2 + 2 + 6 + 2 + 2);
        String pair = "{\"id\": \"mine\", \"query\": \"q\", \"text1\": \"a\", \"text2\": \"b\"}";
        assertThat(schema.validate(pair, InputFormat.JSON)).isEmpty();
        assertThat(schema.validate(pair.replace("\"text1\"", "\"text\""), InputFormat.JSON))
                .isNotEmpty();
    }

    @Test
    void theCardSaysWhatWasCounted() {
        build("--probe position,literal --n 1");
        Fields card = Json.readYaml(out.resolve("probes.yaml"));
        assertThat(card.text("templates")).isEqualTo("paper");
        assertThat(card.text("licence")).contains("MIT");
        assertThat(card.records("inputs"))
                .extracting(input -> input.text("file"), input -> input.text("sha256"), input -> input.text("ids"))
                .containsExactly(
                        tuple("test.json", Checksums.sha256(test), "test"),
                        tuple("dev.json", Checksums.sha256(dev), "validation"));
        assertThat(card.record("queries").toMap())
                .containsExactly(
                        Map.entry("relations", 7),
                        Map.entry("in no other article", 7),
                        Map.entry("with evidence", 7),
                        Map.entry("with a question", 7));
        Fields literal = card.records("probes").get(1);
        assertThat(literal.toMap())
                .containsExactly(
                        Map.entry("probe", "literal"),
                        Map.entry("file", "literal.jsonl"),
                        Map.entry("sha256", Checksums.sha256(out.resolve("literal.jsonl"))),
                        Map.entry(
                                "steps",
                                Map.of(
                                        "queries", 7,
                                        "one evidence sentence with head and tail", 6,
                                        "head with two names", 2,
                                        "the first of an article", 2)),
                        Map.entry("candidates", 2),
                        Map.entry("asked", 1),
                        Map.entry("seed", 1),
                        Map.entry("drawn", 1),
                        Map.entry("queries", 1),
                        Map.entry("records", 2));
    }

    @Test
    void theCardIsAsTheSchemaSays() throws IOException {
        build("--probe position,poison --n 1");
        SchemaCheck.check("probes-1", card());
        build("--probe grid --overwrite");
        assertThat(card()).contains("\"asked\":\"all\"");
        SchemaCheck.check("probes-1", card());
    }

    private String card() {
        return Json.mapper()
                .writeValueAsString(Json.readYaml(out.resolve("probes.yaml")).toMap());
    }

    @Test
    void theOrderOfTheInputsDoesNotMatter() throws IOException {
        build();
        Map<String, String> first = files(out);
        Cli.run("probe build redocred --input", test, "--input", dev, "--out", out, "--overwrite")
                .ok();
        assertThat(files(out)).isEqualTo(first);
    }

    /** P108 is asked for in posbias's own words; an employer in two articles is a duplicate. */
    @Test
    void templatesAndDuplicates() {
        Article.write(
                dev, Article.of("X", "{0:PER:Ada} at {1:ORG:Acme}", "Fog .").label("P108", 0, 1, 0));
        Article.write(
                test, Article.of("Y", "{0:PER:Ada} at {1:ORG:Acme}", "Fog .").label("P108", 0, 1, 0));
        String none = "cannot build probes of " + test + ": ";
        build().fails(1, none, "relations=2", "in no other article=0", "with evidence=0", "with a question=0");
        build("--keep-duplicates").fails(1, none, "relations=2", "with evidence=2", "with a question=0");
        Cli.Ended all = build("--keep-duplicates --templates all --probe brevity");
        assertThat(all.err()).startsWith("brevity: 2 of 2 candidates").hasLineCount(1);
    }

    @Test
    void replacesOnlyProbesAndOnlyWhenTold() throws IOException {
        build("--probe position");
        build().fails(2, "--out " + out, "holds probes", "--overwrite");
        assertThat(build("--probe brevity --overwrite").code()).isZero();
        assertThat(files(out)).containsOnlyKeys("brevity.jsonl", "probes.yaml");
        Files.writeString(out.resolve("notes.txt"), "mine");
        build("--overwrite").fails(2, "--out " + out, "notes.txt");
        assertThat(Cli.run("probe build redocred --input", test, "--out", dev).err())
                .isEqualTo("posbias: --out " + dev + " is a file\n");
    }

    @Test
    void wrongUsageIsOneLine() {
        build("--probe positon").fails(2, "\"positon\"", "did you mean position?");
        build("--n 0").fails(2, "--n ", "1", "0");
        build("--input none.json").fails(2, "--input none.json");
        Path twin = temp.resolve("dev_again.json");
        Article.write(twin, donor());
        build("--input", twin).fails(2, "--input " + dev + " and " + twin, "validation0");
        assertThat(out).doesNotExist();
    }

    @Test
    void badInputLeavesNothing() throws IOException {
        Files.writeString(dev, "[{\"title\": \"Ada\", \"sents\": [[]]}]");
        build().fails(1, dev + ":1: ", "\"[0].sents\"");
        assertThat(out).doesNotExist();
    }
}
