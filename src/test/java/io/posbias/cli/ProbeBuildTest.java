package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import io.posbias.Checksums;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.probe.redocred.Article;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    /** Long enough for the grid, with a relation for each of the probes. */
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
        List<Object> words =
                new ArrayList<>(List.of("probe", "build", "redocred", "--input", dev, "--input", test, "--out", out));
        words.addAll(List.of(more));
        return Cli.run(words.toArray());
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
        Cli.Ended ended = build();
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).isEqualTo("""
                        answer: 2 of 2 candidates; all are taken, fewer than the 250 asked for
                        answer-single: 2 of 2 candidates; all are taken, fewer than the 250 asked for
                        position: 2 of 2 candidates; all are taken, fewer than the 250 asked for
                        moving: 2 of 2 candidates; all are taken, fewer than the 250 asked for
                        literal: 2 of 2 candidates; all are taken, fewer than the 250 asked for
                        brevity: 2 of 2 candidates; all are taken, fewer than the 250 asked for
                        repetition: 2 of 2 candidates; all are taken, fewer than the 250 asked for
                        grid: 6 of 6 candidates
                        foil: 2 of 2 candidates; all are taken, fewer than the 250 asked for
                        poison: 2 of 2 candidates; all are taken, fewer than the 250 asked for
                        """);
        assertThat(files(out)).hasSize(11);
    }

    /** One word for what took two options, and the card says which. */
    @Test
    void publishedIsCompatWithAllQuestions() throws IOException {
        assertThat(build("--profile", "published").code()).isZero();
        Map<String, String> published = files(out);
        assertThat(published.get("probes.yaml")).contains("profile: \"compat\"\n", "templates: \"all\"\n");
        build("--overwrite", "--profile", "compat", "--templates", "all");
        assertThat(files(out)).isEqualTo(published);
        assertThat(build("--overwrite", "--profile", "published", "--templates", "paper")
                        .err())
                .contains("--profile published has its questions: give --profile compat with --templates");
    }

    /** Whoever builds them once need not say again where they are. */
    @Test
    void probesHaveAPlaceOfTheirOwn() throws Exception {
        Posbias posbias = new Posbias(temp, Map.of());
        Cli.Ended before = posbias.run("probe", "run", "--model", "bm25", "--data", "redocred");
        assertThat(before.code()).isEqualTo(2);
        assertThat(before.err())
                .isEqualTo("posbias: --data redocred: these probes are not built yet; 'posbias probe build redocred"
                        + " --input FILE' builds them\n");
        Cli.Ended built = posbias.run("probe", "build", "redocred", "--input", dev, "--input", test);
        assertThat(built.code()).as(built.err()).isZero();
        assertThat(built.err()).endsWith("probes in " + posbias.home().resolve("probes/redocred") + "\n");
        Cli.Ended run = posbias.run(
                "probe", "run", "--model", "bm25", "--data", "redocred", "--probe", "position", "--format", "csv");
        assertThat(run.out()).contains("\nbm25,position,text1 - text2,2,");
        Cli.Ended again = posbias.run("probe", "build", "redocred", "--input", dev);
        assertThat(again.err()).contains("holds probes: use --overwrite to replace them");
        // A folder here comes before the name.
        Files.createDirectories(temp.resolve("redocred"));
        assertThat(Child.run(temp, Map.of(), "probe", "run", "--model", "bm25", "--data", "redocred")
                        .err())
                .isEqualTo("posbias: --data redocred holds no probe; 'posbias probe build' makes some\n");
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
        build("--probe", "position,literal", "--n", "1", "--profile", "compat");
        Fields card = Json.readYaml(out.resolve("probes.yaml"));
        assertThat(card.text("profile")).isEqualTo("compat");
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
                                        "one evidence sentence", 7,
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
        build("--probe", "position,poison", "--n", "1");
        SchemaCheck.check("probes-1", card(), "queries.*", "probes.steps.*");
        build("--probe", "grid", "--overwrite");
        assertThat(card()).contains("\"asked\":\"all\"");
        SchemaCheck.check("probes-1", card(), "queries.*", "probes.steps.*");
    }

    private String card() {
        return Json.mapper()
                .writeValueAsString(Json.readYaml(out.resolve("probes.yaml")).toMap());
    }

    @Test
    void theOrderOfTheInputsDoesNotMatter() throws IOException {
        build();
        Map<String, String> first = files(out);
        Cli.Ended again =
                Cli.run("probe", "build", "redocred", "--input", test, "--input", dev, "--out", out, "--overwrite");
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(files(out)).isEqualTo(first);
    }

    @Test
    void anotherSeedDrawsAnotherSample() throws IOException {
        build("--probe", "grid", "--n", "3");
        String first = Files.readString(out.resolve("grid.jsonl"));
        build("--probe", "grid", "--n", "3", "--seed", "5", "--overwrite");
        assertThat(Files.readString(out.resolve("grid.jsonl"))).isNotEqualTo(first);
    }

    /** P108 is asked for in posbias's own words; an employer in two articles is a duplicate. */
    @Test
    void templatesAndDuplicates() {
        Article.write(
                dev, Article.of("X", "{0:PER:Ada} at {1:ORG:Acme}", "Fog .").label("P108", 0, 1, 0));
        Article.write(
                test, Article.of("Y", "{0:PER:Ada} at {1:ORG:Acme}", "Fog .").label("P108", 0, 1, 0));
        String none = "posbias: cannot build probes of " + test + ": no query fits; queries: ";
        assertThat(build().err())
                .isEqualTo(none + "{relations=2, in no other article=0, with evidence=0, with a question=0}\n");
        assertThat(build("--keep-duplicates").err())
                .isEqualTo(none + "{relations=2, with evidence=2, with a question=0}\n");
        Cli.Ended all = build("--keep-duplicates", "--templates", "all", "--probe", "brevity");
        assertThat(all.err()).isEqualTo("brevity: 2 of 2 candidates; all are taken, fewer than the 250 asked for\n");
    }

    @Test
    void replacesOnlyProbesAndOnlyWhenTold() throws IOException {
        build("--probe", "position");
        assertThat(build())
                .isEqualTo(new Cli.Ended(
                        2, "", "posbias: --out " + out + " holds probes: use --overwrite to replace them\n"));
        assertThat(build("--probe", "brevity", "--overwrite").code()).isZero();
        assertThat(files(out)).containsOnlyKeys("brevity.jsonl", "probes.yaml");
        Files.writeString(out.resolve("notes.txt"), "mine");
        assertThat(build("--overwrite"))
                .isEqualTo(new Cli.Ended(
                        2,
                        "",
                        "posbias: --out " + out + " holds notes.txt, which is no part of probes: give a new folder\n"));
        assertThat(Cli.run("probe", "build", "redocred", "--input", test, "--out", dev)
                        .err())
                .isEqualTo("posbias: --out " + dev + " is a file\n");
    }

    @Test
    void wrongUsageIsOneLine() {
        assertThat(build("--probe", "positon").err())
                .startsWith("posbias: unknown probe \"positon\"; did you mean position?");
        assertThat(build("--n", "0").err()).isEqualTo("posbias: --n must be 1 or more, not 0\n");
        assertThat(build("--seed", "-1").err()).isEqualTo("posbias: --seed must be 0 or more, not -1\n");
        assertThat(build("--input", "none.json"))
                .isEqualTo(new Cli.Ended(2, "", "posbias: --input none.json: no such file\n"));
        assertThat(build("--profile", "loose").err()).contains("expected one of strict, compat");
        Path twin = temp.resolve("dev_again.json");
        Article.write(twin, donor());
        assertThat(build("--input", twin).err())
                .isEqualTo("posbias: --input " + dev + " and " + twin
                        + " would both give ids validation0, validation1, ...: rename one\n");
        assertThat(out).doesNotExist();
    }

    @Test
    void badInputLeavesNothing() throws IOException {
        Files.writeString(dev, "[{\"title\": \"Ada\", \"sents\": [[]]}]");
        assertThat(build())
                .isEqualTo(new Cli.Ended(
                        1,
                        "",
                        "posbias: " + dev
                                + ":1: field \"[0].sents\" holds no word; a document has at least one sentence\n"));
        assertThat(out).doesNotExist();
    }
}
