package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.check.StandIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CacheCommandTest {
    @TempDir
    Path temp;

    private Cli.Ended run(Object... arguments) {
        return new Posbias(temp, Map.of("HF_HUB_OFFLINE", "1")).run(arguments);
    }

    private Path vectors() {
        return temp.resolve("home/vectors");
    }

    @Test
    void vectorsAreListedAndDeleted() throws IOException {
        Path recipe = StandIn.SOUND.write(temp.resolve("net"), "net");
        run("eval --model", recipe, "--dataset demo --draws 0 --out", temp.resolve("out"))
                .ok();
        Files.createDirectories(vectors().resolve("torn"));
        Files.writeString(temp.resolve("home/models"), "a file, not a folder");
        Cli.Ended info = run("cache info");
        assertThat(info.out())
                .containsPattern("\nnet +net-[0-9a-f]{12} +8 +float32 +1 +\\d+\\.\\d KiB\n")
                .containsPattern("\ntorn +torn +\\? +\\? +0 +0 B\n")
                .contains(" in " + vectors() + "\nreplies: 0 B in " + replies() + "\nmodels: 0 B in ");
        assertThat(run("cache info --format csv").out())
                .startsWith("model,folder,dimension,format,files,size\nnet,net-");
        SchemaCheck.check("cache-1", run("cache info --format json").out());

        run("cache clear nett").fails(2, "\"nett\"", "did you mean net?", "net, torn");
        Cli.Ended cleared = run("cache clear net bm25").ok();
        assertThat(cleared.out()).matches("\\d+\\.\\d KiB freed\n");
        assertThat(cleared.err()).matches("bm25: .*\nnet: \\d+\\.\\d KiB in .*/vectors/net-[0-9a-f]{12} .*\n");
        assertThat(vectors()).isDirectoryContaining("glob:**/torn").isDirectoryNotContaining("glob:**/net-*");
        assertThat(run("cache clear --all").out()).isEqualTo("0 B freed\n");
        assertThat(vectors()).isEmptyDirectory();
    }

    private Path replies() {
        return temp.resolve("home/replies");
    }

    @Test
    void repliesAreListedAndDeletedLikeVectors() throws IOException {
        Path folder = Files.createDirectories(replies().resolve("org_m-0123456789ab"));
        Files.writeString(
                folder.resolve("space.json"),
                "{\"schema\": \"posbias/replies/1\", \"model\": \"org/m\", \"format\": \"replies\"}");
        Files.writeString(folder.resolve("1.jsonl"), "{\"key\": \"k\", \"reply\": \"r\"}\n");
        assertThat(run("cache info").out())
                .containsPattern("\norg/m +org_m-0123456789ab +- +replies +1 +27 B\n")
                .contains("vectors: 0 B in ", "replies: 27 B in " + replies() + "\n");
        assertThat(run("cache clear org/m").out()).isEqualTo("27 B freed\n");
        assertThat(replies()).isEmptyDirectory();
    }

    @Test
    void vectorsThatAnotherProcessUsesStay() throws IOException {
        Path folder = vectors().resolve("net-1");
        VectorCache cache = VectorCache.open(folder, "net", "1", 8, VectorCache.Shape.ONE);
        try (cache) {
            Cli.Ended busy = run("cache clear --all");
            assertThat(busy.code()).isEqualTo(1);
            assertThat(busy.err())
                    .startsWith("net: ")
                    .contains(folder.toString())
                    .hasLineCount(1);
            assertThat(busy.out()).isEqualTo("0 B freed\n");
            assertThat(folder).isNotEmptyDirectory();
        }
        assertThat(run("cache clear net").code()).isZero();
        assertThat(folder).doesNotExist();
    }

    @Test
    void sizesArePrintedInRoundUnits() {
        assertThat(CacheCommand.size(1023)).isEqualTo("1023 B");
        assertThat(CacheCommand.size(1024)).isEqualTo("1.0 KiB");
        assertThat(CacheCommand.size(83L << 20)).isEqualTo("83.0 MiB");
        assertThat(CacheCommand.size(3L << 29)).isEqualTo("1.5 GiB");
        assertThat(CacheCommand.size(Long.MAX_VALUE)).endsWith(" TiB");
    }
}
