package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ShardedRunTest {
    private static final int SHARES = 3;

    @TempDir
    Path temp;

    private Path yaml;

    @BeforeEach
    void experiment() throws IOException {
        for (String part : List.of("both/a", "both/b")) {
            int seed = part.hashCode() % 7 + 9;
            Cli.run("data sample demo --n 120 --seed", seed, "--name", part, "--out", temp.resolve(part))
                    .ok();
        }
        Cli.run("data sample demo --n 30 --name few --out", temp.resolve("few")).ok();
        yaml = Files.writeString(temp.resolve("mine.yaml"), """
            name: mine
            models: [bm25, bm25-lucene]
            datasets: [./both/a, ./both/b, ./few]
            pool: [both]
            settings: {draws: 20}
            tables:
              - {file: a.csv, format: csv}
              - {file: all.md, datasets: ["*"]}
            """);
    }

    private Object[] command(Path out, Object... more) {
        List<Object> words = new ArrayList<>(List.of("run", yaml, "--results", out));
        words.addAll(List.of(more));
        return words.toArray();
    }

    private static Map<String, String> files(Path out) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(out)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = out.relativize(file).toString();
                if (!name.endsWith("result.json")) {
                    contents.put(name, Files.readString(file, StandardCharsets.ISO_8859_1));
                } else {
                    contents.put(name, "");
                }
            }
        }
        return contents;
    }

    private Map<String, String> whole() throws IOException {
        Cli.run(command(temp.resolve("whole"))).ok();
        return files(temp.resolve("whole"));
    }

    @Test
    void oneAfterAnotherTheLastWritesTheTables() throws IOException {
        Path out = temp.resolve("out");
        for (int number = 1; number <= SHARES; number++) {
            Cli.Ended ended =
                    Cli.run(command(out, "--shard", number + "/" + SHARES)).ok();
            assertThat(ended.err()).contains("share " + number + "/3: 2 of 6 cells\n");
            if (number < SHARES) {
                assertThat(ended.err())
                        .contains(6 - 2 * number + " of 6 cells missing")
                        .doesNotContain("table in ");
            } else {
                assertThat(ended.err()).contains("table in " + out.resolve("tables/mine/a.csv"));
            }
        }
        assertThat(files(out)).isEqualTo(whole());
    }

    @Tag("slow")
    @Test
    void atOnceInProcessesOfTheirOwnTheyLeaveTheSameBytes() throws IOException, InterruptedException {
        Path out = temp.resolve("out");
        List<Child> children = new ArrayList<>();
        for (int number = 1; number <= SHARES; number++) {
            children.add(Child.start(temp, Map.of(), command(out, "--shard", number + "/" + SHARES)));
        }
        for (Child child : children) {
            child.end().ok();
        }
        assertThat(files(out)).isEqualTo(whole());
    }

    @Test
    void aShareSaysWhatFailedAndLeavesTheTables() throws IOException {
        // A query of both/a and both/b, and not of few.
        Files.writeString(temp.resolve("broken.yaml"), "name: broken\nkind: counting\nfail_at: q0142\n");
        Files.writeString(yaml, Files.readString(yaml).replace("bm25-lucene", "broken.yaml"));
        Path out = temp.resolve("out");
        Cli.Ended first = Cli.run(command(out, "--shard 1/1"));
        assertThat(first.code()).isEqualTo(1);
        assertThat(first.err())
                .contains("mine: 2 failed:", "2 of 6 cells missing")
                .doesNotContain("table in ");
    }
}
