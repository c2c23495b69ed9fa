package io.posbias.fetch.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.Staging;
import io.posbias.base.net.StandInServer;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ModelPullerTest {
    private static final String GRAPH = "onnx/model.onnx";
    private static final String DATA = "onnx/model.onnx_data";
    private static final String TOKENIZER = "tokenizer.json";
    private static final List<String> FILES = List.of(GRAPH, DATA, TOKENIZER);
    private static final String OTHER_COMMIT = "89abcdef0123456789abcdef0123456789abcdef";
    private static final HubModel NET = model("net", "owner/net", "main", FILES);

    private static HubModel model(String name, String repository, String revision, List<String> files) {
        return new HubModel(name, name, new HubRepository(RepositoryType.MODEL, repository, revision), files);
    }

    @TempDir
    Path temp;

    private final FakeHub server = new FakeHub();
    private final byte[] graph = bytes(1, 20_000);
    private final byte[] data = bytes(2, 300_000);
    private final byte[] tokenizer = "{\"model\": {}}".getBytes(StandardCharsets.UTF_8);
    private final List<String> said = new ArrayList<>();

    private static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @BeforeEach
    void fill() {
        server.storeModel("owner/net/" + GRAPH, graph, true);
        server.storeModel("owner/net/" + DATA, data, true);
        server.storeModel("owner/net/" + TOKENIZER, tokenizer, false);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private ModelPuller puller(boolean offline) {
        return puller(offline, temp.resolve("hf/hub"));
    }

    private ModelPuller puller(boolean offline, Path hubCache) {
        HubSettings settings = new HubSettings(
                server.endpoint(),
                server.endpoint(),
                server.endpoint(),
                Optional.empty(),
                hubCache,
                temp.resolve("home"),
                offline,
                Duration.ofMillis(1),
                Duration.ofSeconds(20));
        return new ModelPuller(settings, Sessions.saying(temp, said::add));
    }

    private Path pull() {
        return puller(false).pull(NET, false);
    }

    private Path folder() {
        return temp.resolve("home/models/net");
    }

    private Path downloads() {
        return temp.resolve("home/downloads/models/net");
    }

    private List<String> home() throws IOException {
        Path home = temp.resolve("home");
        try (Stream<Path> files = Files.walk(home)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> home.relativize(file).toString())
                    .filter(file -> !file.endsWith(".lock"))
                    .sorted()
                    .toList();
        }
    }

    /** The digest of a file of a manifest; empty when it is none, or its size or time is another. */
    private static Optional<String> sha256(Path folder, String path) {
        return manifest(folder).files().stream()
                .filter(entry -> entry.path().equals(path) && entry.isUntouched(folder))
                .map(ModelManifest.Entry::sha256)
                .findFirst();
    }

    private static ModelManifest manifest(Path folder) {
        return ModelManifest.read(folder).orElseThrow();
    }

    private void assertWhole(Path folder) throws IOException {
        assertThat(folder.resolve(GRAPH)).hasBinaryContent(graph);
        assertThat(folder.resolve(DATA)).hasBinaryContent(data);
        assertThat(folder.resolve(TOKENIZER)).hasBinaryContent(tokenizer);
        assertThat(home())
                .containsExactly(
                        "models/net/" + GRAPH,
                        "models/net/" + DATA,
                        "models/net/posbias-model.json",
                        "models/net/" + TOKENIZER);
    }

    private static List<String> steps(Throwable failure) {
        return ((PosbiasException) failure).steps();
    }

    /** 300 MB of settings were fetched, and then there was no memory for them. */
    @Test
    void settingsAreLimitedInSize() throws IOException {
        HubRepository repository = new HubRepository(RepositoryType.MODEL, "owner/net", "main");
        long most = graph.length - 1L;
        assertThatThrownBy(() -> puller(false).list("net-config", repository, GRAPH::equals, most, false))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("owner/net/" + GRAPH, graph.length + " bytes", String.valueOf(most));
        server.announce(RepositoryType.MODEL, "owner/net/" + GRAPH, -1);
        assertThatThrownBy(() -> puller(false).list("net-config", repository, GRAPH::equals, most, false))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("owner/net/" + GRAPH, "longer than");
        assertThat(home()).isEmpty();
        assertThat(puller(false)
                        .list("net-config", repository, GRAPH::equals, most + 1, false)
                        .folder()
                        .resolve(GRAPH))
                .hasBinaryContent(graph);
    }

    @Test
    void externalDataLiesBesideItsGraph() throws IOException {
        assertThat(puller(false).isLocal(NET)).isFalse();
        assertThat(pull()).isEqualTo(folder());
        assertWhole(folder());
        assertThat(puller(false).isLocal(NET)).isTrue();
    }

    @Test
    void theManifestSaysWhatWasPulled() throws IOException {
        ModelManifest manifest = manifest(pull());
        assertThat(manifest.repository()).isEqualTo("owner/net");
        assertThat(manifest.revision()).isEqualTo("main");
        assertThat(manifest.commit()).isEqualTo(FakeHub.COMMIT);
        assertThat(manifest.files())
                .extracting(ModelManifest.Entry::path, ModelManifest.Entry::size, ModelManifest.Entry::sha256)
                .containsExactly(
                        tuple(GRAPH, 20_000L, Checksums.sha256(graph)),
                        tuple(DATA, 300_000L, Checksums.sha256(data)),
                        tuple(TOKENIZER, 13L, Checksums.sha256(tokenizer)));
        assertThat(Files.readString(folder().resolve("posbias-model.json")))
                .startsWith("{\n  \"schema\" : \"posbias/model/1\",\n  \"repository\" : \"owner/net\",\n"
                        + "  \"revision\" : \"main\",\n  \"commit\" : \"" + FakeHub.COMMIT
                        + "\",\n  \"files\" : [");
    }

    @Test
    void aDigestIsKnownAsLongAsSizeAndTimeStay() throws IOException {
        pull();
        assertThat(sha256(folder(), DATA)).contains(Checksums.sha256(data));
        assertThat(sha256(folder(), "absent")).isEmpty();
        FileTime time = Files.getLastModifiedTime(folder().resolve(DATA));
        Files.setLastModifiedTime(folder().resolve(DATA), FileTime.from(Instant.EPOCH));
        assertThat(sha256(folder(), DATA)).isEmpty();
        assertThat(sha256(folder(), GRAPH)).isPresent();
        Files.write(folder().resolve(DATA), new byte[] {1});
        Files.setLastModifiedTime(folder().resolve(DATA), time);
        assertThat(sha256(folder(), DATA)).isEmpty();
        Files.delete(folder().resolve(DATA));
        assertThat(sha256(folder(), DATA)).isEmpty();
    }

    @Test
    void allFilesAreOfOneCommit() {
        pull();
        assertThat(server.seen())
                .filteredOn(seen -> seen.method().equals("HEAD"))
                .extracting(StandInServer.Seen::path)
                .containsExactly(
                        "/owner/net/resolve/main/" + GRAPH,
                        "/owner/net/resolve/" + FakeHub.COMMIT + "/" + DATA,
                        "/owner/net/resolve/" + FakeHub.COMMIT + "/" + TOKENIZER);
    }

    @Test
    void whatIsHereTouchesNoNetwork() {
        pull();
        int before = server.seen().size();
        assertThat(pull()).isEqualTo(folder());
        assertThat(server.seen()).hasSize(before);
        HubModel sameCommit = model("net", "owner/net", FakeHub.COMMIT, FILES);
        assertThat(puller(true).isLocal(sameCommit)).isTrue();
    }

    @Test
    void pullingAgainRepairsAndFetchesOnlyWhatDiffers() throws IOException {
        pull();
        Files.write(folder().resolve(GRAPH), bytes(9, 20_000));
        int before = server.seen().size();
        puller(false).pull(NET, true);
        assertWhole(folder());
        assertThat(server.seen().subList(before, server.seen().size()))
                .filteredOn(seen -> seen.method().equals("GET"))
                .extracting(StandInServer.Seen::path)
                .isNotEmpty()
                .allMatch(path -> path.endsWith(GRAPH));
    }

    @Test
    void continuesABrokenDownloadInTheNextTry() throws IOException {
        server.order(FakeHub.Fault.NO_RANGE, FakeHub.Fault.TRUNCATED);
        server.order(Stream.generate(() -> FakeHub.Fault.UNAVAILABLE).limit(5).toArray(FakeHub.Fault[]::new));
        assertThatThrownBy(this::pull)
                .isInstanceOf(HubException.class)
                .hasMessageContainingAll("6 times", "owner/net/" + DATA);
        assertThat(folder()).doesNotExist();
        assertThat(puller(false).isLocal(NET)).isFalse();
        assertThat(home())
                .containsExactly(
                        "downloads/models/net/" + GRAPH,
                        "downloads/models/net/" + DATA + "."
                                + Checksums.sha256(data).substring(0, 12) + ".part");
        int before = server.seen().size();
        pull();
        assertWhole(folder());
        List<StandInServer.Seen> second =
                server.seen().subList(before, server.seen().size());
        assertThat(second).filteredOn(seen -> seen.path().endsWith(GRAPH)).hasSize(1);
        assertThat(second).anyMatch(seen -> String.valueOf(seen.range()).matches("bytes=[1-9][0-9]+-"));
    }

    @Test
    void refusesWrongContent() throws IOException {
        server.order(FakeHub.Fault.GARBLED, FakeHub.Fault.GARBLED);
        assertThatThrownBy(this::pull)
                .isInstanceOf(HubException.class)
                .hasMessageContaining("owner/net/" + GRAPH + " is not as announced");
        assertThat(home()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pytorch_model.bin",
                "a/b.pt",
                "m.PTH",
                "x.ckpt",
                "x.pkl",
                "x.pickle",
                "x.dill",
                "x.joblib",
                "x.npy",
                "x.npz"
            })
    void picklesAreRefusedBeforeAnyRequest(String path) {
        assertThatThrownBy(() -> puller(false).pull(model("net", "owner/net", "main", List.of(GRAPH, path)), false))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("model net", path, "pickles", ".pkl", "ONNX or safetensors");
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void refusesNamesThatLeaveTheirFolder() {
        for (String name : List.of("../net", "a/b", ".net", "")) {
            assertThatThrownBy(() -> model(name, "owner/net", "main", FILES))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageContaining("cannot be a model's name");
        }
        assertThatThrownBy(() -> model("net", "owner/net", "main", List.of("../x")))
                .hasMessageContaining("cannot be a file on the Hub");
        assertThatThrownBy(() -> model("net", "owner", "main", FILES))
                .hasMessage("\"owner\" cannot be a model on the Hub");
        assertThatThrownBy(() -> model("net", "owner/net", "main", List.of(GRAPH, GRAPH)))
                .hasMessageContainingAll("model net", "twice");
        assertThatThrownBy(() -> model("net", "owner/net", "main", List.of("posbias-model.json")))
                .hasMessageContaining("which posbias itself writes");
    }

    @Test
    void explainsAGatedModel() {
        server.requireToken("hf_secret");
        assertThatThrownBy(this::pull)
                .isInstanceOf(HubException.class)
                .hasMessageContainingAll("401", "GatedRepo", "owner/net/" + GRAPH)
                .satisfies(failure -> assertThat(steps(failure))
                        .first()
                        .asString()
                        .contains(
                                server.endpoint() + "/owner/net", "HF_TOKEN", server.endpoint() + "/settings/tokens"));
    }

    @Test
    void saysExactlyWhatAPersonMustDoWithoutTheHub() {
        server.close();
        assertThatThrownBy(this::pull)
                .isInstanceOf(HubException.class)
                .hasMessage("cannot reach " + server.endpoint() + " (nothing listens there; start the server)")
                .extracting(ModelPullerTest::steps, InstanceOfAssertFactories.list(String.class))
                .satisfies(steps -> assertThat(steps.subList(steps.size() - 5, steps.size()))
                        .satisfiesExactly(
                                pull -> assertThat(pull)
                                        .contains("'posbias models pull net'", "models/net", folder().toString()),
                                page -> assertThat(page)
                                        .contains(server.endpoint() + "/owner/net/tree/main", "source: {folder: DIR}"),
                                graph -> assertThat(graph).isEqualTo("  " + GRAPH),
                                data -> assertThat(data).isEqualTo("  " + DATA),
                                tokenizer -> assertThat(tokenizer).isEqualTo("  " + TOKENIZER)));
    }

    private Path fillHubCache(Path root, String path, byte[] content, String tag) throws IOException {
        Path repository = root.resolve("models--owner--net");
        Path blob = repository.resolve("blobs").resolve(tag);
        Files.createDirectories(blob.getParent());
        Files.write(blob, content);
        Path link = repository.resolve("snapshots/" + FakeHub.COMMIT + "/" + path);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, blob);
        Files.createDirectories(repository.resolve("refs"));
        Files.writeString(repository.resolve("refs/main"), FakeHub.COMMIT);
        return blob;
    }

    private Path fillHubCache(Path root) throws IOException {
        fillHubCache(root, GRAPH, graph, Checksums.sha256(graph));
        fillHubCache(root, TOKENIZER, tokenizer, FakeHub.gitDigest(tokenizer));
        return fillHubCache(root, DATA, data, Checksums.sha256(data));
    }

    @Test
    void linksWhatTheHubsOwnCacheHolds() throws IOException {
        Path blob = fillHubCache(temp.resolve("hf/hub"));
        pull();
        assertWhole(folder());
        assertThat(server.seen()).extracting(StandInServer.Seen::method).containsOnly("HEAD");
        assertThat(folder().resolve(DATA)).isRegularFile();
        assertThat(Files.isSymbolicLink(folder().resolve(DATA))).isFalse();
        assertThat(Files.isSameFile(blob, folder().resolve(DATA))).isTrue();
        assertThat(said).isEmpty();
    }

    @Test
    void copiesWhatCannotBeLinkedAndSaysSo() throws IOException {
        Path memory = Path.of("/dev/shm");
        Assumptions.assumeTrue(
                Files.isWritable(memory) && !Files.getFileStore(memory).equals(Files.getFileStore(temp)),
                "skipped: there is no second file system");
        Path root = Files.createTempDirectory(memory, "posbias-test");
        try {
            fillHubCache(root);
            puller(false, root).pull(NET, false);
            assertWhole(folder());
            assertThat(Files.isSymbolicLink(folder().resolve(DATA))).isFalse();
            assertThat(server.seen()).extracting(StandInServer.Seen::method).containsOnly("HEAD");
            assertThat(said)
                    .hasSize(3)
                    .allMatch(line -> line.startsWith("copying " + root)
                            && line.endsWith(" (1 MiB) to " + folder() + ": the file system cannot link it"));
        } finally {
            Staging.delete(root);
        }
    }

    @Test
    void doesNotTrustACorruptHubCache() throws IOException {
        fillHubCache(temp.resolve("hf/hub"), GRAPH, bytes(8, 20_000), Checksums.sha256(graph));
        pull();
        assertWhole(folder());
    }

    @Test
    void offlineTakesTheHubsCacheOrNothing() throws IOException {
        fillHubCache(temp.resolve("hf/hub"), GRAPH, graph, Checksums.sha256(graph));
        assertThatThrownBy(() -> puller(true).pull(NET, false))
                .isInstanceOf(HubException.class)
                .hasMessageContainingAll(
                        "owner/net/" + DATA, temp.resolve("hf/hub").toString(), "HF_HUB_OFFLINE")
                .satisfies(failure ->
                        assertThat(steps(failure)).anyMatch(step -> step.contains("'posbias models pull net'")));
        assertThat(folder()).doesNotExist();
        Path blob = temp.resolve("hf/hub/models--owner--net/blobs").resolve(Checksums.sha256(data));
        fillHubCache(temp.resolve("hf/hub"), TOKENIZER, tokenizer, FakeHub.gitDigest(tokenizer));
        fillHubCache(temp.resolve("hf/hub"), DATA, data, Checksums.sha256(data));
        puller(true).pull(NET, false);
        assertWhole(folder());
        assertThat(Files.isSameFile(blob, folder().resolve(DATA))).isTrue();
        assertThat(manifest(folder()).commit()).isEqualTo(FakeHub.COMMIT);
        assertThat(sha256(folder(), TOKENIZER)).contains(Checksums.sha256(tokenizer));
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void anotherRevisionReplacesOnlyWhenItIsComplete() throws IOException {
        pull();
        server.moveTo(OTHER_COMMIT);
        byte[] newGraph = bytes(3, 21_000);
        server.storeModel("owner/net/" + GRAPH, newGraph, true);
        HubModel next = model("net", "owner/net", "v2", FILES);
        assertThat(puller(false).isLocal(next)).isFalse();
        server.order(FakeHub.Fault.GARBLED, FakeHub.Fault.GARBLED);
        assertThatThrownBy(() -> puller(false).pull(next, false)).isInstanceOf(HubException.class);
        assertThat(puller(false).isLocal(NET)).isTrue();
        assertThat(folder().resolve(GRAPH)).hasBinaryContent(graph);

        int before = server.seen().size();
        puller(false).pull(next, false);
        assertThat(folder().resolve(GRAPH)).hasBinaryContent(newGraph);
        assertThat(manifest(folder()).commit()).isEqualTo(OTHER_COMMIT);
        assertThat(puller(false).isLocal(next)).isTrue();
        assertThat(puller(false).isLocal(NET)).isFalse();
        assertThat(server.seen().subList(before, server.seen().size()))
                .filteredOn(seen -> seen.method().equals("GET"))
                .as("what did not change is not fetched again")
                .allMatch(seen -> seen.path().endsWith(GRAPH));
    }

    @Test
    void otherFilesReplaceTheCopy() throws IOException {
        pull();
        HubModel fewer = model("net", "owner/net", "main", List.of(GRAPH, DATA));
        assertThat(puller(false).isLocal(fewer)).isFalse();
        assertThat(puller(false).isLocal(model("net", "other/net", "main", FILES)))
                .isFalse();
        puller(false).pull(fewer, false);
        assertThat(home())
                .containsExactly("models/net/" + GRAPH, "models/net/" + DATA, "models/net/posbias-model.json");
    }

    @Test
    void aFileThatWentMissingOrShrankIsNotHere() throws IOException {
        pull();
        Files.write(folder().resolve(DATA), new byte[10]);
        assertThat(puller(false).isLocal(NET)).isFalse();
        Files.delete(folder().resolve(DATA));
        assertThat(puller(false).isLocal(NET)).isFalse();
        pull();
        assertWhole(folder());
    }

    @Test
    void anOlderCopyThatWasMovedAsideComesBack() throws IOException {
        pull();
        Files.move(folder(), temp.resolve("home/models/.posbias-net-0123456789abcdef-old"));
        int before = server.seen().size();
        pull();
        assertWhole(folder());
        assertThat(server.seen()).hasSize(before);
    }

    @Test
    void aFolderThatAPersonFilledIsLeftAlone() throws IOException {
        Files.createDirectories(folder());
        Files.write(folder().resolve(TOKENIZER), tokenizer);
        assertThat(puller(false).isLocal(NET)).isFalse();
        for (boolean again : List.of(false, true)) {
            assertThatThrownBy(() -> puller(false).pull(NET, again))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageContainingAll(folder().toString(), "source: {folder: ");
        }
        assertThat(home()).containsExactly("models/net/" + TOKENIZER);
        assertThat(server.seen()).isEmpty();
    }

    /** Earlier versions wrote {@code verified} and no {@code listed}. */
    @Test
    void aManifestOfAnEarlierVersionIsRead() throws IOException {
        Path file = pull().resolve("posbias-model.json");
        String earlier = Files.readString(file)
                .replace("\"files\"", "\"verified\": true, \"files\"")
                .replaceFirst(",\\s*\"listed\" : null", "");
        assertThat(earlier).doesNotContain("listed");
        Files.writeString(file, earlier);
        assertThat(puller(true).isLocal(NET)).isTrue();
    }

    @Test
    void aCopyWithOtherTimesIsReadOnceAndSealedAnew() throws IOException {
        pull();
        Files.setLastModifiedTime(folder().resolve(DATA), FileTime.from(Instant.EPOCH));
        said.clear();
        puller(true).pull(NET, false);
        assertThat(said).singleElement().asString().contains("checking " + folder(), "times");
        assertThat(sha256(folder(), DATA)).contains(Checksums.sha256(data));
        puller(true).pull(NET, false);
        assertThat(said).hasSize(1);
    }

    @Test
    void aCopyThatWasChangedIsFetchedAgain() throws IOException {
        pull();
        Files.write(folder().resolve(DATA), bytes(7, data.length));
        Files.setLastModifiedTime(folder().resolve(DATA), FileTime.from(Instant.EPOCH));
        assertThatThrownBy(() -> puller(true).pull(NET, false)).isInstanceOf(HubException.class);
        pull();
        assertWhole(folder());
    }

    @Test
    void anUnreadableManifestIsNone() throws IOException {
        pull();
        String written = Files.readString(folder().resolve("posbias-model.json"));
        for (String text :
                List.of(written.replace("model/1", "model/2"), "{", "[]", "{\"schema\": \"posbias/model/1\"}")) {
            Files.writeString(folder().resolve("posbias-model.json"), text);
            assertThat(ModelManifest.read(folder())).as(text).isEmpty();
        }
        pull();
        assertWhole(folder());
    }

    @Test
    void looksForRoomBeforeItFetches() {
        server.announce(RepositoryType.MODEL, "owner/net/" + DATA, 900_000_000_000_000_000L);
        assertThatThrownBy(this::pull)
                .isInstanceOf(PosbiasException.class)
                .hasMessageMatching("net .* 858306884766 MiB .*/home/models.* [0-9]+ MiB .*");
        assertThat(server.seen()).extracting(StandInServer.Seen::method).containsOnly("HEAD");
    }

    @Test
    void whatArrivedNeedsNoRoom() throws IOException {
        HubSettings settings = FakeHub.settings(server.endpoint(), Optional.empty(), temp, false);
        Hub hub = new Hub(settings, Sessions.saying(temp, said::add));
        Hub.Located found = hub.find(NET.repository().file(DATA));
        assertThat(hub.missing(found, downloads())).isEqualTo(300_000);
        Files.createDirectories(downloads().resolve("onnx"));
        Path part = downloads().resolve(DATA + "." + Checksums.sha256(data).substring(0, 12) + ".part");
        Files.write(part, new byte[100_000]);
        assertThat(hub.missing(found, downloads())).isEqualTo(200_000);
        hub.download(found, downloads());
        assertThat(hub.missing(found, downloads())).isZero();
        fillHubCache(temp.resolve("hf/hub"));
        assertThat(hub.missing(hub.find(NET.repository().file(DATA)), temp.resolve("elsewhere")))
                .isZero();
    }

    @Test
    void onePullAtATime() throws IOException {
        Files.createDirectories(folder().getParent());
        Path lockFile = temp.resolve("home/models/.net.lock");
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThatThrownBy(this::pull)
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageContainingAll("pulling net already");
        }
        pull();
        assertWhole(folder());
    }
}
