package io.posbias.fetch.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.files.Checksums;
import io.posbias.base.net.Secret;
import io.posbias.base.net.StandInServer;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HubTest {
    private static final HubRepository SET = dataset("owner/set", "main");
    private static final HubFile LARGE = SET.file("data/large.parquet");
    private static final HubFile SMALL = SET.file("README.md");

    @TempDir
    Path temp;

    private final FakeHub server = new FakeHub();
    private final byte[] large = new byte[300_000];
    private final byte[] small = "# A data set\n".getBytes(StandardCharsets.UTF_8);
    private final List<String> said = new ArrayList<>();

    @BeforeEach
    void fill() {
        new Random(1).nextBytes(large);
        server.store("owner/set/data/large.parquet", large, true);
        server.store("owner/set/README.md", small, false);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static HubRepository dataset(String name, String revision) {
        return new HubRepository(RepositoryType.DATASET, name, revision);
    }

    private HubSettings settings(Optional<Secret> token, boolean offline) {
        return FakeHub.settings(server.endpoint(), token, temp, offline);
    }

    private Hub hub() {
        return new Hub(settings(Optional.empty(), false), Sessions.saying(temp, said::add));
    }

    static Path fetch(Hub hub, HubFile file, Path folder) {
        return hub.download(hub.find(file), folder);
    }

    private Path folder() {
        return temp.resolve("downloads");
    }

    private List<String> files() throws IOException {
        if (!Files.exists(folder())) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder())) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder().relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void fetchesLargeFilesThroughTheContentServer() throws IOException {
        Path file = fetch(hub(), LARGE, folder());
        assertThat(file).isEqualTo(folder().resolve("data/large.parquet")).hasBinaryContent(large);
        assertThat(files()).containsExactly("data/large.parquet");
        assertThat(said).singleElement().asString().contains("owner/set/data/large.parquet", "1 MiB", server.address());
    }

    @Test
    void fetchesSmallFilesByGitsDigest() {
        assertThat(fetch(hub(), SMALL, folder())).hasBinaryContent(small);
    }

    @Test
    void whatIsThereIsNotFetchedAgain() {
        fetch(hub(), LARGE, folder());
        int before = server.seen().size();
        fetch(hub(), LARGE, folder());
        assertThat(server.seen().subList(before, server.seen().size()))
                .extracting(StandInServer.Seen::method)
                .containsExactly("HEAD");
    }

    @Test
    void aFileThatWasChangedLocallyIsFetchedAgain() throws IOException {
        Path file = fetch(hub(), LARGE, folder());
        Files.writeString(file, "tampered");
        assertThat(fetch(hub(), LARGE, folder())).hasBinaryContent(large);
    }

    @Test
    void theTokenGoesToTheHubAndToNobodyElse() {
        server.requireToken("hf_secret");
        Hub hub = new Hub(
                settings(Optional.of(new Secret("HF_TOKEN", "hf_secret")), false), Sessions.saying(temp, said::add));
        fetch(hub, LARGE, folder());
        assertThat(server.seen())
                .filteredOn(server::isForHub)
                .isNotEmpty()
                .allSatisfy(seen -> assertThat(seen.authorization()).isEqualTo("Bearer hf_secret"));
        assertThat(server.seen())
                .filteredOn(seen -> !server.isForHub(seen))
                .isNotEmpty()
                .allSatisfy(seen -> assertThat(seen.authorization()).isNull());
        assertThat(said).noneMatch(line -> line.contains("hf_secret"));
        assertThat(new Secret("HF_TOKEN", "hf_secret").toString()).doesNotContain("hf_secret");
        assertThat(settings(Optional.of(new Secret("HF_TOKEN", "hf_secret")), false)
                        .toString())
                .doesNotContain("hf_secret");
    }

    @Test
    void followsARepositoryThatMoved() {
        assertThat(fetch(hub(), dataset("old-owner/set", "main").file("README.md"), folder()))
                .hasBinaryContent(small);
    }

    @Test
    void continuesABrokenDownload() throws IOException {
        server.order(FakeHub.Fault.TRUNCATED, FakeHub.Fault.TRUNCATED);
        assertThat(fetch(hub(), LARGE, folder())).hasBinaryContent(large);
        assertThat(server.seen())
                .filteredOn(seen -> !server.isForHub(seen))
                .extracting(StandInServer.Seen::range)
                .hasSize(3)
                .startsWith((String) null)
                .last()
                .asString()
                .matches("bytes=[1-9][0-9]+-");
        assertThat(files()).containsExactly("data/large.parquet");
    }

    @Test
    void continuesWhatAKilledProcessLeft() throws IOException {
        Path part =
                folder().resolve("data/large.parquet." + Checksums.sha256(large).substring(0, 12) + ".part");
        Files.createDirectories(part.getParent());
        Files.write(part, Arrays.copyOf(large, 123_456));
        assertThat(fetch(hub(), LARGE, folder())).hasBinaryContent(large);
        assertThat(server.seen()).last().extracting(StandInServer.Seen::range).isEqualTo("bytes=123456-");
        assertThat(files()).containsExactly("data/large.parquet");
    }

    @Test
    void startsOverWhereRangesAreIgnored() {
        server.order(FakeHub.Fault.TRUNCATED, FakeHub.Fault.NO_RANGE);
        assertThat(fetch(hub(), LARGE, folder())).hasBinaryContent(large);
    }

    @Test
    void waitsForABusyServer() {
        server.order(FakeHub.Fault.TOO_MANY_REQUESTS, FakeHub.Fault.UNAVAILABLE);
        assertThat(fetch(hub(), LARGE, folder())).hasBinaryContent(large);
    }

    @Test
    void fetchesAgainWhatArrivedWrong() {
        server.order(FakeHub.Fault.GARBLED);
        assertThat(fetch(hub(), LARGE, folder())).hasBinaryContent(large);
        assertThat(said).last().asString().contains("not as announced", "again");
    }

    @Test
    void givesUpOnWhatArrivesWrongTwice() throws IOException {
        server.order(FakeHub.Fault.GARBLED, FakeHub.Fault.GARBLED);
        assertThatThrownBy(() -> fetch(hub(), LARGE, folder()))
                .isInstanceOf(HubException.class)
                .hasMessageContaining("is not as announced (digest " + Checksums.sha256(large) + "), twice");
        assertThat(files()).isEmpty();
    }

    @Test
    void keepsWhatArrivedWhenItGivesUp() throws IOException {
        server.order(FakeHub.Fault.TRUNCATED);
        server.order(Stream.generate(() -> FakeHub.Fault.UNAVAILABLE).limit(6).toArray(FakeHub.Fault[]::new));
        assertThatThrownBy(() -> fetch(hub(), LARGE, folder()))
                .isInstanceOf(HubException.class)
                .hasMessageContainingAll("6 times", "owner/set/data/large.parquet");
        assertThat(files()).singleElement().asString().endsWith(".part");
        assertThat(fetch(hub(), LARGE, folder())).hasBinaryContent(large);
    }

    @ParameterizedTest
    @CsvSource({
        "401, RepoNotFound, It needs a token: make one at",
        "401, GatedRepo, Access must be granted: open",
        "403, GatedRepo, Access must be granted: open",
        "403, '', Access must be granted: open",
        "404, EntryNotFound, 'Is '",
        "429, '', Too many requests: wait some minutes",
        "503, '', The Hub is not well: try again later",
    })
    void explainsRefusals(int status, String code, String step) {
        server.answerAll(status, code);
        assertThatThrownBy(() -> fetch(hub(), SMALL, folder()))
                .isInstanceOf(HubException.class)
                .hasMessage("owner/set/README.md: the Hub answered " + status + (code.isEmpty() ? "" : ", " + code))
                .extracting(
                        failure -> ((PosbiasException) failure).steps(), InstanceOfAssertFactories.list(String.class))
                .first()
                .asString()
                .startsWith(step);
        assertThat(folder()).doesNotExist();
    }

    @Test
    void refusalsShowTheHubsOwnWords() {
        server.answerAll(403, "GatedRepo");
        server.sayOfRefusals("Access to owner/set is restricted");
        assertThatThrownBy(() -> fetch(hub(), SMALL, folder()))
                .hasMessage("owner/set/README.md: the Hub answered 403, GatedRepo: Access to owner/set is restricted");
    }

    @ParameterizedTest
    @CsvSource({"408, 6", "425, 6", "429, 6", "502, 6", "400, 1", "410, 1", "501, 1"})
    void statusesThatMayPassAreTriedAgain(int status, int tries) {
        server.answerAll(status, "");
        assertThatThrownBy(() -> fetch(hub(), SMALL, folder())).hasMessageContaining("answered " + status);
        assertThat(server.seen()).hasSize(tries);
    }

    @Test
    void saysWhatToDoWhenNobodyIsThere() {
        server.close();
        assertThatThrownBy(() -> fetch(hub(), SMALL, folder()))
                .isInstanceOf(HubException.class)
                .hasMessage("cannot reach " + server.endpoint() + " (nothing listens there; start the server)")
                .extracting(
                        failure -> ((PosbiasException) failure).steps(), InstanceOfAssertFactories.list(String.class))
                .anyMatch(step -> step.contains("HF_ENDPOINT"));
    }

    private void fillHubCache(byte[] content, String tag) throws IOException {
        Path repository = temp.resolve("hf/hub/datasets--owner--set");
        Path blob = repository.resolve("blobs").resolve(tag);
        Files.createDirectories(blob.getParent());
        Files.write(blob, content);
        Path link = repository.resolve("snapshots/" + FakeHub.COMMIT + "/data/large.parquet");
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of("../../../blobs/" + tag));
        Files.createDirectories(repository.resolve("refs"));
        Files.writeString(repository.resolve("refs/main"), FakeHub.COMMIT);
    }

    @Test
    void reusesWhatTheHubsOwnCacheHolds() throws IOException {
        fillHubCache(large, Checksums.sha256(large));
        assertThat(fetch(hub(), LARGE, folder())).hasBinaryContent(large).startsWith(temp.resolve("hf"));
        assertThat(server.seen()).extracting(StandInServer.Seen::method).containsExactly("HEAD");
        assertThat(folder()).doesNotExist();
    }

    @Test
    void doesNotTrustACorruptCache() throws IOException {
        fillHubCache("corrupt".getBytes(StandardCharsets.UTF_8), Checksums.sha256(large));
        assertThat(fetch(hub(), LARGE, folder())).hasBinaryContent(large).startsWith(folder());
    }

    @Test
    void reusesTheSameContentOfAnotherCommit() throws IOException {
        fillHubCache(large, Checksums.sha256(large));
        server.moveTo("89abcdef0123456789abcdef0123456789abcdef");
        assertThat(fetch(hub(), LARGE, folder())).hasBinaryContent(large).startsWith(temp.resolve("hf"));
        assertThat(folder()).doesNotExist();
    }

    @Test
    void offlineMeansNoRequestAtAll() throws IOException {
        Hub offline = new Hub(settings(Optional.empty(), true), Sessions.saying(temp, said::add));
        assertThatThrownBy(() -> fetch(offline, LARGE, folder()))
                .isInstanceOf(HubException.class)
                .hasMessageContainingAll(
                        "owner/set/data/large.parquet", temp.resolve("hf/hub").toString(), "HF_HUB_OFFLINE");
        fillHubCache(large, Checksums.sha256(large));
        assertThat(fetch(offline, LARGE, folder())).hasBinaryContent(large);
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void usesTheCacheWhenTheHubCannotBeReached() throws IOException {
        fillHubCache(large, Checksums.sha256(large));
        server.close();
        assertThat(fetch(hub(), LARGE, folder())).hasBinaryContent(large);
        assertThat(said).singleElement().asString().startsWith("the Hub cannot be reached; using ");
    }

    @Test
    void listsFilesOverSeveralPages() {
        server.storeModel("owner/set/model.onnx", small, true);
        server.store("owner/set/data/more.jsonl", small, false);
        assertThat(hub().list(SET)).containsExactly("data/large.parquet", "README.md", "data/more.jsonl");
    }

    @Test
    void givesUpOnAFileThatIsShorterThanAnnounced() throws IOException {
        server.announce(RepositoryType.DATASET, "owner/set/data/large.parquet", large.length + 1000);
        assertThatThrownBy(() -> fetch(hub(), LARGE, folder()))
                .isInstanceOf(HubException.class)
                .hasMessageContaining("is not as announced");
        assertThat(server.seen()).hasSizeLessThan(20);
        assertThat(files()).isEmpty();
    }

    /** Only what was announced is written, however much comes. */
    @Test
    void givesUpOnAFileThatIsLongerThanAnnounced() throws IOException {
        server.announce(RepositoryType.DATASET, "owner/set/data/large.parquet", 1000);
        assertThatThrownBy(() -> fetch(hub(), LARGE, folder()))
                .isInstanceOf(HubException.class)
                .hasMessageContaining("is not as announced");
        assertThat(server.seen()).hasSizeLessThan(20);
        assertThat(files()).isEmpty();
    }

    @Test
    void aDigestCannotLeaveItsFolder() throws IOException {
        server.nameAll("../../x/evil");
        server.order(FakeHub.Fault.TRUNCATED);
        server.order(Stream.generate(() -> FakeHub.Fault.UNAVAILABLE).limit(6).toArray(FakeHub.Fault[]::new));
        assertThatThrownBy(() -> fetch(hub(), LARGE, folder())).isInstanceOf(HubException.class);
        assertThat(files()).containsExactly("data/large.parquet.______x_evil.part");
    }

    /** One leads to itself, one is too long. */
    @ParameterizedTest
    @CsvSource({"ENDLESS_LIST, it does not end", "HUGE_LIST, it is longer than 16 MiB"})
    void aListEnds(FakeHub.Fault fault, String reason) {
        server.order(fault);
        assertThatThrownBy(() -> hub().list(SET)).isInstanceOfSatisfying(HubException.class, failed -> {
            assertThat(failed.line())
                    .startsWith(server.address() + " ")
                    .contains("owner/set")
                    .endsWith(": " + reason);
            // The network is well: nothing about proxies.
            assertThat(failed.steps()).singleElement().asString().contains("HF_ENDPOINT");
        });
        assertThat(server.seen()).hasSize(1);
    }

    /** As a stored token would to a mirror that is named with http. */
    @Test
    void theTokenDoesNotTravelUnencrypted() {
        HubSettings open = FakeHub.settings(
                URI.create("http://mirror.example:81"),
                Optional.of(new Secret("the token in HF_TOKEN", "hf_secret")),
                temp,
                false);
        assertThatThrownBy(() -> fetch(new Hub(open, Sessions.saying(temp, said::add)), SMALL, folder()))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll(
                        "HF_TOKEN", "unencrypted", "mirror.example:81", "https://", "HF_TOKEN_PATH=/dev/null");
    }

    /** The HTTP client would complain about the header and show all of it. */
    @ParameterizedTest
    @ValueSource(strings = {"hf_word\nx", "hf_word\r\nX-Other: 1", "hf_word x", "hf_wörd", "hf_word\u0000"})
    void refusesATokenThatFitsNoHeaderUnseen(String token) throws IOException {
        Path file = temp.resolve("token");
        Files.writeString(file, token);
        Map<String, String> names =
                Map.of("HF_TOKEN", "the token in HF_TOKEN", "HF_TOKEN_PATH", "the Hub's token in " + file);
        Map<String, String> values = Map.of("HF_TOKEN", token, "HF_TOKEN_PATH", file.toString());
        names.forEach((variable, name) -> {
            Map<String, String> environment = Map.of(
                    variable,
                    values.get(variable),
                    "HF_ENDPOINT",
                    server.endpoint().toString());
            Hub hub = new Hub(HubSettings.of(Session.quiet(environment, temp)), Sessions.saying(temp, said::add));
            assertThatThrownBy(() -> fetch(hub, SMALL, folder()))
                    .isInstanceOf(UsageException.class)
                    .hasMessageStartingWith(name + " ")
                    .hasMessageContainingAll("line break", "not ASCII")
                    .hasMessageNotContaining("hf_w")
                    .hasNoCause();
        });
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void aHubThatEchoesTheTokenIsMasked() {
        server.answerAll(404, "hf_secret_0123456789");
        Hub hub = new Hub(
                settings(Optional.of(new Secret("HF_TOKEN", "hf_secret_0123456789")), false),
                Sessions.saying(temp, said::add));
        assertThatThrownBy(() -> fetch(hub, SMALL, folder()))
                .hasMessageContainingAll("404", "***", "owner/set/README.md")
                .hasMessageNotContaining("hf_secret");
    }

    @Test
    void refusesPathsThatLeaveTheirFolder() {
        for (String path : List.of("../x", "a/../../x", "/x", "a//x", "a/./x", "a\\x")) {
            assertThatThrownBy(() -> SET.file(path))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageContaining("cannot be a file on the Hub");
        }
        assertThatThrownBy(() -> dataset("../set", "main"))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("\"../set\"", "data set");
    }

    @Test
    void escapesAddresses() {
        assertThat(dataset("o/n", "refs/pr/2").file("a b/ü.txt").address(URI.create("https://h")))
                .hasToString("https://h/datasets/o/n/resolve/refs%2Fpr%2F2/a%20b/%C3%BC.txt");
    }

    @Test
    void modelsHaveAddressesWithoutPrefix() {
        HubRepository model = new HubRepository(RepositoryType.MODEL, "o/n", "main");
        URI hub = URI.create("https://h");
        assertThat(model.file("onnx/model.onnx").address(hub))
                .hasToString("https://h/o/n/resolve/main/onnx/model.onnx");
        assertThat(model.list(hub)).hasToString("https://h/api/models/o/n/tree/main?recursive=true");
        assertThat(model.page(hub)).isEqualTo("https://h/o/n");
        assertThat(model.folder()).isEqualTo("models--o--n");
    }

    @Test
    void fetchesAndListsModels() {
        server.storeModel("owner/set/model.onnx", large, true);
        HubRepository model = new HubRepository(RepositoryType.MODEL, "owner/set", "main");
        assertThat(fetch(hub(), model.file("model.onnx"), folder())).hasBinaryContent(large);
        assertThat(hub().list(model)).containsExactly("model.onnx");
    }

    @Test
    void callsAModelAModel() {
        server.answerAll(401, "RepoNotFound");
        HubRepository model = new HubRepository(RepositoryType.MODEL, "owner/net", "main");
        assertThatThrownBy(() -> fetch(hub(), model.file("model.onnx"), folder()))
                .extracting(
                        failure -> ((PosbiasException) failure).steps(), InstanceOfAssertFactories.list(String.class))
                .last()
                .asString()
                .contains("A model", server.address() + "/owner/net ");
        assertThatThrownBy(() -> fetch(hub(), SMALL, folder()))
                .extracting(
                        failure -> ((PosbiasException) failure).steps(), InstanceOfAssertFactories.list(String.class))
                .last()
                .asString()
                .contains("A data set", server.address() + "/datasets/owner/set ");
    }
}
