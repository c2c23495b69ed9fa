package io.posbias.fetch.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.net.StandInServer;
import io.posbias.base.process.Sessions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much a file may hold whose size is known from nowhere but the reply that brings it. */
class DownloadTest {
    private static final long GIB = 1L << 30;
    private static final byte[] REST = "end".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path temp;

    private boolean announced;
    private final StandInServer server = StandInServer.of((exchange, request) -> {
        exchange.getResponseHeaders().set("Content-Range", "bytes " + GIB + "-" + (GIB + 2) + "/*");
        exchange.sendResponseHeaders(206, announced ? REST.length : 0);
        exchange.getResponseBody().write(REST);
    });

    @AfterEach
    void stop() {
        server.close();
    }

    private HubSettings settings() {
        return new HubSettings(
                URI.create("https://hub.test"),
                URI.create("https://hub.test"),
                URI.create("https://hub.test"),
                Optional.empty(),
                temp.resolve("hf"),
                temp.resolve("home"),
                false,
                Duration.ofMillis(1),
                Duration.ofSeconds(5));
    }

    /** The first GiB is here already. */
    private Download download() throws IOException {
        URI address = URI.create(server.address() + "/file");
        try (RandomAccessFile part =
                new RandomAccessFile(temp.resolve("file.unverified.part").toFile(), "rw")) {
            part.setLength(GIB);
        }
        Download.Remote remote = new Download.Remote(address, "", new ETag("unverified"), -1);
        Downloader web = new Downloader(settings(), Sessions.in(temp));
        return new Download(web, "file", remote, temp.resolve("file"));
    }

    @Test
    void aReplyMayAnnounceMoreThanOneGibibyte() throws IOException {
        announced = true;
        assertThat(download().fetch()).isEqualTo(temp.resolve("file")).hasSize(GIB + REST.length);
    }

    @Test
    void aReplyWithoutLengthEndsThereAndLeavesNothing() {
        assertThatThrownBy(() -> download().fetch())
                .isInstanceOf(HubException.class)
                .hasMessageContaining("longer than 1024 MiB");
        assertThat(temp).isEmptyDirectory();
    }
}
