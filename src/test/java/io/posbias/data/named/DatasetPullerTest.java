package io.posbias.data.named;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.SharedData;
import io.posbias.base.files.Checksums;
import io.posbias.base.net.Secret;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.data.convert.BeirConverter;
import io.posbias.data.convert.BeirConverterTest;
import io.posbias.data.convert.Catalog;
import io.posbias.data.convert.CatalogEntry;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.ParquetFiles;
import io.posbias.fetch.hub.FakeHub;
import io.posbias.fetch.hub.HubException;
import io.posbias.fetch.hub.HubRepository;
import io.posbias.fetch.hub.HubSettings;
import io.posbias.fetch.hub.WebFile;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class DatasetPullerTest {
    private static final String SQUAD_ROWS =
            "SELECT 'id' || (i + %d) AS id, 'T' AS title, 'Context ' || ((i + %d) // 3)"
                    + " || ' with an answer' AS context, 'Question ' || i || '?' AS question,"
                    + " {'text': ['answer'], 'answer_start': [18::INT]} AS answers FROM range(30) t(i)";

    @TempDir
    Path temp;

    private final Catalog catalog = Catalog.read();
    private final FakeHub server = new FakeHub();
    private final List<String> said = new ArrayList<>();

    @AfterEach
    void stop() {
        server.close();
    }

    private DatasetPuller puller() {
        HubSettings settings = FakeHub.settings(server.endpoint(), Optional.empty(), temp, false);
        return new DatasetPuller(catalog, settings, Sessions.saying(temp, said::add));
    }

    private CatalogEntry entry(String name) {
        return catalog.find(name).orElseThrow();
    }

    private static WebFile file(CatalogEntry entry) {
        return ((CatalogEntry.WebFiles) entry.origin()).files().getFirst();
    }

    private byte[] parquet(String select) throws SQLException, IOException {
        return Files.readAllBytes(ParquetFiles.write(temp.resolve("made.parquet"), select, "zstd"));
    }

    private void storeSquad() throws SQLException, IOException {
        String folder = "rajpurkar/squad_v2/squad_v2/";
        server.store(folder + "train-00000-of-00001.parquet", parquet(SQUAD_ROWS.formatted(0, 0)), true);
        server.store(folder + "validation-00000-of-00001.parquet", parquet(SQUAD_ROWS.formatted(30, 30)), true);
    }

    private List<String> home() throws IOException {
        try (Stream<Path> files = Files.walk(temp.resolve("home"))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> temp.resolve("home").relativize(file).toString())
                    .filter(file -> !file.endsWith(".lock"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void pullsConvertsAndCleansUp() throws SQLException, IOException {
        storeSquad();
        Path folder = puller().pull(entry("squad-posq"), false);
        Dataset dataset = DatasetReader.open(folder);
        assertThat(dataset.name()).isEqualTo("squad-posq");
        assertThat(dataset.queries()).hasSize(60);
        assertThat(dataset.passages().size()).isEqualTo(20);
        assertThat(dataset.card().source())
                .isEqualTo("https://huggingface.co/datasets/rajpurkar/squad_v2/tree/" + FakeHub.COMMIT);
        assertThat(home())
                .containsExactly(
                        "datasets/squad-posq/corpus.jsonl.gz",
                        "datasets/squad-posq/dataset.yaml",
                        "datasets/squad-posq/qrels/test.tsv",
                        "datasets/squad-posq/queries.jsonl.gz");
        assertThat(said)
                .last()
                .asString()
                .contains(
                        "squad-posq",
                        "60 queries",
                        "92,749",
                        "20 passages",
                        "20,233",
                        "0-100 has 60",
                        "21,220",
                        "100-200 has 0 ");
    }

    private void store(String path, String text) {
        server.store("org/set/" + path, text.getBytes(StandardCharsets.UTF_8), false);
    }

    @Test
    void aBenchmarkOfTheHubIsPulledInItsLayout() {
        store("README.md", "a set");
        store("corpus/test-00000-of-00001.jsonl", "{\"id\": \"p1\", \"title\": \"\", \"text\": \"a\"}\n");
        store("queries/test-00000-of-00001.jsonl", "{\"id\": \"q1\", \"text\": \"b\"}\n");
        store("qrels/test-00000-of-00001.jsonl", "{\"query-id\": \"q1\", \"corpus-id\": \"p1\", \"score\": 1}\n");
        store("top_ranked/test-00000-of-00001.jsonl", "{}\n");
        HubRepository set = DatasetPuller.onHub("hf:org/set").orElseThrow();
        Dataset dataset = DatasetReader.open(puller().pull(set));
        assertThat(dataset.name()).isEqualTo("org/set");
        assertThat(dataset.judgedQueries()).hasSize(1);
        assertThat(dataset.card().source()).endsWith("/datasets/org/set/tree/" + FakeHub.COMMIT);
        server.close();
        puller().pull(set);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            language: de                  | de
            language: [deu]               | de
            `language:\\n- zh-Hans\\n- zh` | zh
            language: [en, de]            | ``
            language: [qqq]               | ``
            language: multilingual        | ``
            license: mit                  | ``
            `a: [`                        | ``
            """)
    void theLanguageOfTheHubsCardIsTaken(String card, String language) {
        store("README.md", "---\n" + card.replace("\\n", "\n") + "\n---\n# A set\nlanguage: fr\n");
        store("corpus.jsonl", "{\"_id\": \"p1\", \"text\": \"a\"}\n");
        store("queries.jsonl", "{\"_id\": \"q1\", \"text\": \"b\"}\n");
        store("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t1\n");
        Path folder = puller().pull(DatasetPuller.onHub("hf:org/set").orElseThrow());
        assertThat(DatasetReader.open(folder).card().language()).isEqualTo(language);
    }

    @Test
    void aDataSetThatIsNoBenchmarkIsRefused() {
        store("train.csv", "a");
        assertThatThrownBy(
                        () -> puller().pull(DatasetPuller.onHub("hf:org/set@v1").orElseThrow()))
                .hasMessageContainingAll("org/set", "no benchmark", "train.csv");
        assertThat(DatasetPuller.onHub("org/set")).isEmpty();
    }

    @Test
    void whatIsHereIsNotPulledAgain() throws SQLException, IOException {
        storeSquad();
        puller().pull(entry("squad-posq"), false);
        int before = server.seen().size();
        puller().pull(entry("squad-posq"), false);
        assertThat(server.seen()).hasSize(before);
        puller().pull(entry("squad-posq"), true);
        assertThat(server.seen().size()).isGreaterThan(before);
    }

    @Test
    void subsetsAreDrawnFromTheWhole() throws SQLException, IOException {
        storeSquad();
        Path folder = puller().pull(entry("squad-posq-tiny"), false);
        Dataset tiny = DatasetReader.open(folder);
        assertThat(tiny.name()).isEqualTo("squad-posq-tiny");
        assertThat(tiny.card().bucketing()).startsWith("characters-closed");
        assertThat(tiny.queries()).hasSize(60);
        assertThat(tiny.queries().getFirst().id()).isNotEqualTo("id0");
        assertThat(puller().isLocal(entry("squad-posq"))).isTrue();
    }

    @Test
    void patternsAreComparedWithTheRepository() throws IOException {
        server.store("NovaSearch/FineWeb-PosQ/README.md", "x".getBytes(StandardCharsets.UTF_8), false);
        server.store(
                "NovaSearch/FineWeb-PosQ/data.jsonl",
                "{\"content\": \"a\", \"question\": \"?\", \"span_class\": [\"end\"]}\n"
                        .getBytes(StandardCharsets.UTF_8),
                true);
        Dataset dataset = DatasetReader.open(puller().pull(entry("fineweb-posq"), false));
        assertThat(dataset.queries()).hasSize(1);
        assertThat(home()).noneMatch(file -> file.startsWith("downloads"));
    }

    /** The columns of the card of the data set on the Hub, in several files. */
    @Test
    void theCandidatesOfFineWebPosqAreABenchmark() throws SQLException, IOException {
        String rows =
                "SELECT 'Who ' || i || '?' AS question, 'Page ' || (i // 2) AS content, 'Page' AS content_summary,"
                        + " 'He' AS answer, 'simple' AS question_level, [0, 4]::INT[] AS span,"
                        + " [%s] AS span_class FROM range(%d, %d) t(i)";
        String train = "NovaSearch/FineWeb-PosQ_raw/default/train/";
        server.store(train + "0000.parquet", parquet(rows.formatted("'beginning'", 0, 3)), true);
        server.store(train + "0001.parquet", parquet(rows.formatted("'end'", 3, 6)), true);
        server.store("NovaSearch/FineWeb-PosQ_raw/default/test/0000.parquet", new byte[9], true);
        Dataset dataset = DatasetReader.open(puller().pull(entry("fineweb-posq-raw"), false));
        CatalogEntry.Counts counts = DatasetPuller.counts(dataset);
        assertThat(counts.queries()).isEqualTo(6);
        assertThat(counts.passages()).isEqualTo(3);
        assertThat(counts.buckets()).containsEntry("beginning", 3).containsEntry("end", 3);
        assertThat(said).anyMatch(line -> line.contains("published are 265,865"));
    }

    @Test
    void crossLingualBenchmarksComeFromTwoLanguages() throws SQLException, IOException {
        String repository = "infgrad/PosIR-Benchmark-v1/";
        server.store(
                repository + "fra-Latn/game/queries.parquet",
                parquet(
                        "SELECT 'q' AS _id, 'où?' AS text, [0, 3]::BIGINT[] AS pos_char_span, 7::BIGINT AS pos_char_length,"
                                + " 9::BIGINT AS pos_token_length"),
                true);
        server.store(
                repository + "fra-Latn/game/qrels/test.parquet",
                parquet("SELECT 'q' AS \"query-id\", 'd' AS \"corpus-id\", 1::BIGINT AS score"),
                true);
        server.store(
                repository + "eng-Latn/game/corpus.parquet", parquet("SELECT 'd' AS _id, 'english' AS text"), true);
        Dataset dataset = DatasetReader.open(puller().pull(entry("posir/fra-Latn-eng-Latn/game"), false));
        assertThat(dataset.card().language()).isEqualTo("en");
        assertThat(dataset.card().queryLanguage()).isEqualTo("fr");
        assertThat(dataset.card().isOfOriginal()).isFalse();
    }

    /** A pull that was killed behind its last rename leaves its downloads. */
    @Test
    void downloadsOfAKilledPullAreDeleted() throws SQLException, IOException {
        storeSquad();
        puller().pull(entry("squad-posq"), false);
        Path left = Files.createDirectories(temp.resolve("home/downloads/squad-posq"));
        Files.write(left.resolve("train.parquet"), new byte[] {1});
        puller().pull(entry("squad-posq"), false);
        assertThat(left).doesNotExist();
    }

    @Test
    void aFailureLeavesNoHalfBenchmarkAndKeepsWhatArrived() throws SQLException, IOException {
        storeSquad();
        server.store(
                "rajpurkar/squad_v2/squad_v2/validation-00000-of-00001.parquet",
                "no parquet".getBytes(StandardCharsets.UTF_8),
                true);
        assertThatThrownBy(() -> puller().pull(entry("squad-posq"), false))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("not a readable Parquet file");
        assertThat(puller().isLocal(entry("squad-posq"))).isFalse();
        assertThat(home())
                .containsExactly(
                        "downloads/squad-posq/squad_v2/train-00000-of-00001.parquet",
                        "downloads/squad-posq/squad_v2/validation-00000-of-00001.parquet");
        storeSquad();
        puller().pull(entry("squad-posq"), false);
        assertThat(puller().isLocal(entry("squad-posq"))).isTrue();
        assertThat(home()).noneMatch(file -> file.startsWith("downloads"));
    }

    @Test
    void saysExactlyWhatAPersonMustDoWithoutTheHub() {
        server.close();
        Path folder = temp.resolve("home/datasets/posir/fra-Latn-eng-Latn/game");
        assertThatThrownBy(() -> puller().pull(entry("posir/fra-Latn-eng-Latn/game"), false))
                .isInstanceOf(HubException.class)
                .hasMessage("cannot reach " + server.endpoint() + " (nothing listens there; start the server)")
                .extracting(
                        failure -> ((PosbiasException) failure).steps(), InstanceOfAssertFactories.list(String.class))
                .satisfies(steps -> assertThat(steps.subList(steps.size() - 6, steps.size()))
                        .satisfiesExactly(
                                pull -> assertThat(pull)
                                        .contains(
                                                "'posbias data pull posir/fra-Latn-eng-Latn/game'",
                                                "datasets/posir/fra-Latn-eng-Latn/game",
                                                folder.toString()),
                                page -> assertThat(page)
                                        .contains(server.endpoint() + "/datasets/infgrad/PosIR-Benchmark-v1/tree/main"),
                                queries -> assertThat(queries).isEqualTo("  fra-Latn/game/queries.parquet"),
                                qrels -> assertThat(qrels).isEqualTo("  fra-Latn/game/qrels/test.parquet"),
                                corpus -> assertThat(corpus).isEqualTo("  eng-Latn/game/corpus.parquet"),
                                build -> assertThat(build)
                                        .contains("posbias data build posir ")
                                        .endsWith(" --name posir/fra-Latn-eng-Latn/game --gzip --out " + folder)));
    }

    private CatalogEntry scifact(String md5, String zip) {
        CatalogEntry shipped = entry("scifact");
        URI folder = server.endpoint().resolve("/datasets/a/b/resolve/main/");
        return new CatalogEntry(
                shipped.description(),
                shipped.card(),
                new CatalogEntry.WebFiles(
                        List.of(
                                new WebFile(folder.resolve(zip), md5, -1),
                                new WebFile(folder.resolve("data.tar.gz"), "", -1)),
                        BeirConverter.format("scifact")),
                new CatalogEntry.Counts(2, 2, java.util.Map.of(), false));
    }

    private byte[] storeScifact() throws IOException {
        byte[] zip = BeirConverterTest.zip(BeirConverterTest.scifact());
        server.store("a/b/scifact.zip", zip, true);
        server.store("a/b/data.tar.gz", BeirConverterTest.tar(BeirConverterTest.scifactRelease()), true);
        return zip;
    }

    private static String md5(byte[] bytes) {
        return HexFormat.of().formatHex(Checksums.digest("MD5").digest(bytes));
    }

    @Test
    void setsOfBeirComeFromTheirOwnServersAndGetTheirEvidence() throws IOException {
        byte[] zip = storeScifact();
        server.order(FakeHub.Fault.TRUNCATED);
        Dataset dataset = DatasetReader.open(puller().pull(scifact(md5(zip), "scifact.zip"), false));
        assertThat(dataset.name()).isEqualTo("scifact");
        assertThat(dataset.card().source())
                .isEqualTo("https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets/scifact.zip");
        assertThat(dataset.queries()).hasSize(2);
        assertThat(dataset.queries().getFirst().evidence()).isNotNull();
        assertThat(said).last().asString().startsWith("1 of 2 queries have evidence");
        assertThat(home()).noneMatch(file -> file.startsWith("downloads"));
    }

    @Test
    void anotherFileThanBeirPublishedIsRefused() throws IOException {
        storeScifact();
        CatalogEntry entry = scifact("0".repeat(32), "scifact.zip");
        assertThatThrownBy(() -> puller().pull(entry, false))
                .isInstanceOf(HubException.class)
                .hasMessageEndingWith(
                        "scifact.zip is not as announced (digest md5-" + "0".repeat(32) + "), twice; it was deleted")
                .extracting(
                        failure -> ((PosbiasException) failure).steps(), InstanceOfAssertFactories.list(String.class))
                .anyMatch(step -> step.contains("into " + temp.resolve("home/downloads/scifact") + ","))
                .last()
                .asString()
                .endsWith("/data.tar.gz");
        assertThat(puller().isLocal(entry)).isFalse();
        assertThatThrownBy(() -> puller().pull(scifact("", "gone.zip"), false))
                .hasMessageEndingWith("gone.zip: the server answered 404, EntryNotFound");
    }

    @Test
    void whatAPersonFetchedIsUsedWithoutANetwork() throws IOException {
        byte[] zip = storeScifact();
        server.close();
        Path downloads = Files.createDirectories(temp.resolve("home/downloads/scifact"));
        Files.write(downloads.resolve("scifact.zip"), zip);
        Files.write(downloads.resolve("data.tar.gz"), BeirConverterTest.tar(BeirConverterTest.scifactRelease()));
        assertThat(DatasetReader.open(puller().pull(scifact(md5(zip), "scifact.zip"), false))
                        .queries())
                .hasSize(2);
    }

    /** The servers of these sets are not the Hub: they get no token. */
    @Test
    void otherServersGetNoToken() throws IOException {
        byte[] zip = storeScifact();
        HubSettings settings = new HubSettings(
                URI.create("http://127.0.0.1:9"),
                server.endpoint(),
                server.endpoint(),
                Optional.of(new Secret("HF_TOKEN", "secret")),
                temp.resolve("hf"),
                temp.resolve("home"),
                false,
                Duration.ofMillis(1),
                Duration.ofSeconds(20));
        new DatasetPuller(catalog, settings, Sessions.saying(temp, said::add))
                .pull(scifact(md5(zip), "scifact.zip"), false);
        assertThat(server.seen()).isNotEmpty().allMatch(request -> request.authorization() == null);
    }

    private static final byte[] SQUAD = """
            {"data": [{"paragraphs": [{"context": "Musul", "qas": [
              {"id": 1, "question": "Nerede?", "answers": [{"text": "Musul", "answer_start": "0"}]}]}]}]}
            """.getBytes(StandardCharsets.UTF_8);

    /** The file of tquad with other content, as long as its digest and size are those of that. */
    private CatalogEntry tquad(String sha256, long bytes) {
        CatalogEntry shipped = entry("tquad");
        CatalogEntry.WebFiles origin = (CatalogEntry.WebFiles) shipped.origin();
        URI address = origin.files().getFirst().address();
        server.storeModel(address.getPath().substring(1), SQUAD, false);
        return new CatalogEntry(
                shipped.description(),
                shipped.card(),
                new CatalogEntry.WebFiles(List.of(new WebFile(address, sha256, bytes)), origin.format()),
                new CatalogEntry.Counts(1, 2, java.util.Map.of(), false));
    }

    @Test
    void aFileOnGitHubIsFetchedAtItsCommitAndConverted() throws IOException {
        CatalogEntry entry = tquad(Checksums.sha256(SQUAD), SQUAD.length);
        server.order(FakeHub.Fault.TRUNCATED);
        Dataset dataset = DatasetReader.open(puller().pull(entry, false));
        assertThat(dataset.card().language()).isEqualTo("tr");
        assertThat(dataset.card().licence()).isEqualTo("none stated");
        assertThat(dataset.card().source())
                .isEqualTo("https://github.com/TQuad/turkish-nlp-qa-dataset/blob/"
                        + "3bece60f62569182476fe00683793745ba92c32e/dev-v0.1.json");
        String path = "/TQuad/turkish-nlp-qa-dataset/3bece60f62569182476fe00683793745ba92c32e/dev-v0.1.json";
        assertThat(server.seen())
                .isNotEmpty()
                .allMatch(request -> request.path().equals(path));
        assertThat(said)
                .satisfiesExactly(
                        licence -> assertThat(licence).contains("tquad", "none stated"),
                        fetching -> assertThat(fetching).contains(server.endpoint() + path, "1 MiB"),
                        converting -> assertThat(converting).contains("tquad"),
                        note -> assertThat(note).contains("tquad", "1 passage", "2"));
        assertThat(home()).noneMatch(file -> file.startsWith("downloads"));
    }

    /** Neither another file nor a longer one gets in, and no more than the announced bytes are read. */
    @Test
    void anotherFileThanTheListedOneIsRefused() throws IOException {
        String other = "0".repeat(64);
        for (CatalogEntry entry : List.of(
                tquad(other, SQUAD.length), tquad(other, SQUAD.length - 1), tquad(Checksums.sha256(SQUAD), 10))) {
            String sha256 = file(entry).digest();
            assertThatThrownBy(() -> puller().pull(entry, false))
                    .isInstanceOf(HubException.class)
                    .hasMessageEndingWith(
                            "dev-v0.1.json is not as announced (digest " + sha256 + "), twice; it was deleted")
                    .extracting(
                            failure -> ((PosbiasException) failure).steps(),
                            InstanceOfAssertFactories.list(String.class))
                    .last()
                    .asString()
                    .startsWith("  " + server.endpoint())
                    .endsWith("/dev-v0.1.json");
            assertThat(home()).isEmpty();
        }
    }

    /** The files that are beside the repository have the digests, sizes and counts of the list. */
    @ParameterizedTest
    @CsvSource({
        "xquad-ar, squad-format/xquad.ar.json",
        "xquad-de, squad-format/xquad.de.json",
        "xquad-en, squad-format/xquad.en.json",
        "xquad-es, squad-format/xquad.es.json",
        "xquad-zh, squad-format/xquad.zh.json",
        "policyqa, spans/policyqa-dev.json",
        "policyqa-test, spans/policyqa-test.json",
        "qed, spans/qed-dev.jsonlines"
    })
    void realFilesAreAsListed(String name, String shared) throws IOException {
        CatalogEntry entry = entry(name);
        server.storeModel(
                file(entry).address().getPath().substring(1), Files.readAllBytes(SharedData.file(shared)), false);
        Dataset dataset = DatasetReader.open(puller().pull(entry, false));
        assertThat(said).last().isEqualTo("converting " + name);
        assertThat(entry.published().differences(DatasetPuller.counts(dataset))).isEmpty();
        assertThat(dataset.judgedQueries()).hasSize(entry.published().queries());
    }

    @Test
    void theCatalogueHasFiveSetsOfBeir() {
        for (String name : List.of("scifact", "hotpotqa", "fever", "climate-fever", "nq")) {
            CatalogEntry.WebFiles archive = (CatalogEntry.WebFiles) entry(name).origin();
            assertThat(file(entry(name)).address())
                    .hasToString("https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets/" + name + ".zip");
            assertThat(file(entry(name)).digest()).matches("[0-9a-f]{32}");
            assertThat(archive.files().size() == 1).isEqualTo(name.equals("nq"));
            assertThat(entry(name).card().bucketing()).isEqualTo(name.equals("nq") ? "" : "relative:5");
        }
    }
}
