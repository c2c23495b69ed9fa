package io.posbias.fetch.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.files.Checksums;
import io.posbias.base.net.StandInServer;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.fetch.jars.MavenJar;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JarPullerTest {
    private static final byte[] CONTENT = new byte[3 << 20];
    private static final String PATH = "/org/example/net/a-model/1.0-beta2/a-model-1.0-beta2.jar";

    static {
        new Random(1).nextBytes(CONTENT);
    }

    @TempDir
    Path temp;

    private final FakeHub server = new FakeHub();
    private final List<String> said = new ArrayList<>();
    private final MavenJar jar = jar(Checksums.sha256(CONTENT), CONTENT.length);

    private static MavenJar jar(String sha256, long bytes) {
        return new MavenJar("org.example.net", "a-model", "1.0-beta2", "", sha256, bytes);
    }

    @BeforeEach
    void store() {
        server.storeModel(PATH.substring(1), CONTENT, false);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private JarPuller puller(URI maven, boolean offline) {
        HubSettings settings = FakeHub.settings(maven, Optional.empty(), temp, offline);
        return new JarPuller(settings, Sessions.saying(temp, said::add));
    }

    private Path pull(MavenJar wanted) {
        return puller(server.endpoint(), false).pull(wanted);
    }

    private List<String> kept() throws IOException {
        try (Stream<Path> files = Files.list(temp.resolve("home/jars"))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !name.endsWith(".lock"))
                    .toList();
        }
    }

    private String failure(MavenJar wanted) {
        try {
            return "pulled " + pull(wanted);
        } catch (PosbiasException refused) {
            assertThat(refused.line().lines()).hasSize(1);
            return refused.line();
        }
    }

    @Test
    void ofAPartOnlyItsBytesAreFetched() {
        byte[] bytes = Arrays.copyOfRange(CONTENT, 1 << 20, 2 << 20);
        MavenJar part = new MavenJar(
                "org.example.net", "a-model", "1.0-beta2", "linux-x64", Checksums.sha256(bytes), 1 << 20, 1 << 20);
        assertThat(pull(part))
                .isEqualTo(temp.resolve("home/jars/a-model-1.0-beta2-linux-x64.jar"))
                .hasBinaryContent(bytes);
        MavenJar first = new MavenJar(
                "org.example.net", "a-model", "1.0-beta2", "first", Checksums.sha256(new byte[0]), 1 << 20, 0);
        assertThat(failure(first)).contains("is not as announced");
    }

    @Test
    void aServerThatGivesNoPartsIsNamed() {
        byte[] bytes = Arrays.copyOfRange(CONTENT, 0, 1 << 20);
        MavenJar part =
                new MavenJar("org.example.net", "a-model", "1.0-beta2", "part", Checksums.sha256(bytes), 1 << 20, 0);
        server.order(FakeHub.Fault.NO_RANGE, FakeHub.Fault.NO_RANGE);
        assertThat(failure(part)).contains("is not as announced");
    }

    @Test
    void aJarIsFetchedOnce() throws IOException {
        Path file = pull(jar);
        assertThat(file)
                .isEqualTo(temp.resolve("home/jars/a-model-1.0-beta2.jar"))
                .hasBinaryContent(CONTENT);
        assertThat(said)
                .singleElement()
                .asString()
                .contains("org.example.net:a-model:1.0-beta2", server.address(), "3 MiB");
        assertThat(pull(jar)).isEqualTo(file);
        assertThat(puller(server.endpoint(), true).pull(jar)).isEqualTo(file);
        assertThat(server.seen()).extracting(StandInServer.Seen::path).containsExactly(PATH);
        assertThat(said).hasSize(1);
        assertThat(kept()).containsExactly("a-model-1.0-beta2.jar");
    }

    /** It ran when digests were cached by size and time. */
    @Test
    void aPlantedJarOfEqualSizeAndTimeIsReplaced() throws IOException {
        Path file = pull(jar);
        pull(jar);
        FileTime time = Files.getLastModifiedTime(file);
        byte[] planted = CONTENT.clone();
        planted[planted.length / 2] ^= 1;
        Files.write(file, planted);
        Files.setLastModifiedTime(file, time);
        assertThatThrownBy(() -> puller(server.endpoint(), true).pull("a library", List.of(jar, jar)))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("a library", String.valueOf(file.getFileName()));
        assertThat(pull(jar)).hasBinaryContent(CONTENT);
        assertThat(server.seen()).hasSize(2);
    }

    @Test
    void aBrokenConnectionIsContinued() {
        server.order(FakeHub.Fault.TRUNCATED, FakeHub.Fault.UNAVAILABLE);
        assertThat(pull(jar)).hasBinaryContent(CONTENT);
        assertThat(server.seen()).extracting(StandInServer.Seen::range).last().isNotNull();
    }

    @Test
    void garbledBytesAreFetchedAgain() {
        server.order(FakeHub.Fault.GARBLED);
        assertThat(pull(jar)).hasBinaryContent(CONTENT);
        assertThat(said).last().asString().contains("not as announced", "again");
    }

    @Test
    void anotherJarIsRefusedAndNothingIsLeft() throws IOException {
        String other = "0".repeat(64);
        assertThat(failure(jar(other, CONTENT.length)))
                .isEqualTo("org.example.net:a-model:1.0-beta2 of " + server.endpoint() + " is not as announced (digest "
                        + other + "), twice; it was deleted");
        assertThat(failure(jar(jar.sha256(), CONTENT.length - 1))).endsWith(", twice; it was deleted");
        assertThat(kept()).isEmpty();
    }

    /** It was asked for five times, as if the connection had broken, and the page was kept as the jar's first bytes. */
    @Test
    void aPageOfAProxyIsNotTheJar() throws IOException {
        server.storeModel(PATH.substring(1), "<html>log in</html>".getBytes(StandardCharsets.UTF_8), false);
        assertThat(failure(jar)).endsWith(", twice; it was deleted");
        assertThat(server.seen()).hasSize(2);
        assertThat(kept()).isEmpty();
    }

    /** What arrived was written to the link's file, and the link became the jar. */
    @Test
    void aLinkAsPartOfTheJarIsNotFollowed() throws IOException {
        Path elsewhere = Files.writeString(temp.resolve("elsewhere"), "mine");
        Path part =
                temp.resolve("home/jars/a-model-1.0-beta2.jar." + jar.sha256().substring(0, 12) + ".part");
        Files.createDirectories(part.getParent());
        Files.createSymbolicLink(part, elsewhere);
        assertThat(Files.isSymbolicLink(pull(jar))).isFalse();
        assertThat(elsewhere).hasContent("mine");
    }

    @Test
    void aFolderOfTheJarsNameIsNamed() throws IOException {
        Files.createDirectories(temp.resolve("home/jars/a-model-1.0-beta2.jar/other"));
        assertThat(failure(jar)).contains("is a directory").doesNotContain("reached");
    }

    @Test
    void aJarThatIsNotThereSaysWhatToDo() throws IOException {
        MavenJar gone = new MavenJar("org.example", "gone", "1", "", jar.sha256(), -1);
        assertThatThrownBy(() -> pull(gone))
                .hasMessage("org.example:gone:1 of " + server.endpoint() + ": the server answered 404, EntryNotFound")
                .satisfies(refused -> assertThat(((PosbiasException) refused).steps())
                        .satisfies(
                                steps -> assertThat(steps.get(steps.size() - 2)).contains("POSBIAS_MAVEN="))
                        .last()
                        .asString()
                        .contains(
                                server.address() + "/org/example/gone/1/gone-1.jar",
                                temp.resolve("home/jars").toString()));
        assertThat(kept()).isEmpty();
    }

    @Test
    void withoutANetworkItSaysSo() throws IOException {
        assertThatThrownBy(() -> puller(server.endpoint(), true).pull(jar)).hasMessageContaining("HF_HUB_OFFLINE");
        assertThatThrownBy(() -> puller(URI.create("http://127.0.0.1:1"), false).pull(jar))
                .hasMessageContainingAll(
                        "org.example.net:a-model:1.0-beta2",
                        "http://127.0.0.1:1 ",
                        "(nothing listens there; start the server)");
        assertThat(kept()).isEmpty();
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void aJarThatAPersonBroughtIsComparedToo() throws IOException {
        Path file = temp.resolve("home/jars/a-model-1.0-beta2.jar");
        Files.createDirectories(file.getParent());
        Files.write(file, CONTENT);
        assertThat(puller(server.endpoint(), true).pull(jar)).isEqualTo(file);
        byte[] other = CONTENT.clone();
        other[7]++;
        Files.write(file, other);
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        assertThatThrownBy(() -> puller(server.endpoint(), true).pull(jar)).hasMessageContaining("HF_HUB_OFFLINE");
        assertThat(pull(jar)).hasBinaryContent(CONTENT);
    }

    @Test
    void aFullDiskIsSaidBeforehand() throws IOException {
        assertThat(failure(jar(jar.sha256(), 1L << 60)))
                .contains(
                        "a-model-1.0-beta2.jar",
                        "1099511627776 MiB",
                        temp.resolve("home/jars").toString())
                .contains("free", "POSBIAS_HOME=");
        assertThat(kept()).isEmpty();
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void aLibraryThatHasNoRoomIsNotBegun() throws IOException {
        MavenJar large = new MavenJar("org.example.net", "large", "1", "", jar.sha256(), 1L << 60);
        assertThatThrownBy(() -> puller(server.endpoint(), false).pull("Torch", List.of(jar, large)))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("Torch needs 1099511627779 MiB", "POSBIAS_HOME=");
        assertThat(kept()).isEmpty();
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void namesStayInsideTheFolder() {
        for (String name : List.of("../up", "a/b", "", ".", "-x")) {
            assertThatThrownBy(() -> new MavenJar("org.example", name, "1", "", jar.sha256(), 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void jarsOfALibraryAreAnnouncedInOneLine() throws IOException {
        MavenJar binary =
                new MavenJar("org.example.net", "a-model", "1.0-beta2", "linux-x86_64", jar.sha256(), jar.bytes());
        server.storeModel("org/example/net/a-model/1.0-beta2/a-model-1.0-beta2-linux-x86_64.jar", CONTENT, false);
        List<MavenJar> library = List.of(jar, binary);

        assertThatThrownBy(() -> puller(server.endpoint(), true).pull("Torch", library))
                .hasMessageContainingAll("Torch", "a-model-1.0-beta2.jar", "a-model-1.0-beta2-linux-x86_64.jar");
        assertThat(said).isEmpty();

        assertThat(puller(server.endpoint(), false).pull("Torch", library))
                .extracting(file -> String.valueOf(file.getFileName()))
                .containsExactly("a-model-1.0-beta2.jar", "a-model-1.0-beta2-linux-x86_64.jar");
        assertThat(said).singleElement().asString().contains("Torch", "2 jars", "6 MiB", "jars");
        assertThat(kept()).hasSize(2);

        said.clear();
        assertThat(puller(server.endpoint(), true).pull("Torch", library)).hasSize(2);
        assertThat(said).isEmpty();
    }
}
