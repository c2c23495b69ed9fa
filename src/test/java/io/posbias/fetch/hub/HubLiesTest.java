package io.posbias.fetch.hub;

import io.posbias.base.files.IoErrors;
import io.posbias.base.net.Secret;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.cli.Cli;
import io.posbias.faults.Campaign;
import io.posbias.faults.Campaign.Defect;
import io.posbias.faults.Judge;
import io.posbias.fetch.hub.LyingHub.Lie;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Hub that lies, in each of its answers: no wrong file, no token elsewhere, no end that does not come. */
@Tag("faults")
@Tag("slow")
class HubLiesTest {
    private static final String SORT = "lies of the Hub";
    private static final String TOKEN = "hf_0123456789abcdefghijABCDEFGHIJ";
    private static final int ANSWERS = Campaign.FULL ? 5 : 2;

    @TempDir
    Path temp;

    private final byte[] large = new byte[40_000];
    private final byte[] small = "{\"a\": 1}\n".getBytes(StandardCharsets.UTF_8);

    private record Told(Lie lie, int from, boolean once) {}

    @Test
    void noLieIsBelieved() throws IOException {
        new Random(1).nextBytes(large);
        List<Told> all = new ArrayList<>();
        for (Lie lie : Lie.values()) {
            for (int from = 1; from <= ANSWERS; from++) {
                all.add(new Told(lie, from, true));
                all.add(new Told(lie, from, false));
            }
        }
        Collections.shuffle(all, new Random(Campaign.SEED));
        int tried = Campaign.FULL ? all.size() : 24;
        try (FakeHub hub = new FakeHub()) {
            hub.store("owner/set/data/large.parquet", large, true);
            hub.store("owner/set/small.json", small, false);
            for (int i = 0; i < tried; i++) {
                Path folder = temp.resolve(String.valueOf(i));
                fetch(hub, all.get(i), folder);
                list(hub, all.get(i), folder);
            }
        }
        Campaign.check(SORT);
    }

    private Hub hub(URI endpoint, Path folder, List<String> said) {
        HubSettings settings = new HubSettings(
                endpoint,
                endpoint,
                endpoint,
                Optional.of(new Secret("HF_TOKEN", TOKEN)),
                folder.resolve("hf"),
                folder.resolve("home"),
                false,
                Duration.ofMillis(1),
                Duration.ofSeconds(1));
        return new Hub(settings, Sessions.saying(temp, said::add));
    }

    private static HubRepository set() {
        return new HubRepository(RepositoryType.DATASET, "owner/set", "main");
    }

    private interface Work {
        boolean run(Hub hub) throws IOException;
    }

    private void fetch(FakeHub honest, Told told, Path folder) throws IOException {
        Work work = hub -> {
            byte[] first = Files.readAllBytes(HubTest.fetch(hub, set().file("data/large.parquet"), folder));
            byte[] second = Files.readAllBytes(HubTest.fetch(hub, set().file("small.json"), folder));
            return Arrays.equals(first, large) && Arrays.equals(second, small);
        };
        meet("fetch", honest, told, folder, work);
        List<String> said = new ArrayList<>();
        if (!work.run(hub(honest.endpoint(), folder, said))) {
            Campaign.found(SORT, Defect.WRONG_BYTES, "fetch, after " + told);
        }
        Map<String, byte[]> files = files(folder);
        if (!files.keySet().equals(Set.of("data/large.parquet", "small.json"))) {
            Campaign.found(SORT, Defect.LEFTOVER, told + " -> " + files.keySet());
        }
    }

    private void list(FakeHub honest, Told told, Path folder) throws IOException {
        List<String> right = List.of("data/large.parquet", "small.json");
        // What a list says is checked by nobody but the reader of the files, so only its own lies may change it.
        boolean mayDiffer = List.of(
                        Lie.CHANGED,
                        Lie.CLIMBING_PATHS,
                        Lie.LINK_ELSEWHERE,
                        Lie.LINK_WITHOUT_END,
                        Lie.WRONG_RANGE,
                        Lie.OTHER_HOST)
                .contains(told.lie());
        meet("list", honest, told, folder, hub -> hub.list(set()).equals(right) || mayDiffer);
    }

    private void meet(String name, FakeHub honest, Told told, Path folder, Work work) throws IOException {
        List<String> said = new ArrayList<>();
        String fault = name + " with " + told;
        long start = System.nanoTime();
        try (LyingHub lying = new LyingHub(honest.endpoint(), told.lie(), told.from(), told.once())) {
            Cli.Ended ended = ending(work, hub(lying.endpoint(), folder, said), fault, said);
            Campaign.tried(SORT, ended.code() == 0);
            Judge.ending(SORT, fault, ended);
            if (Duration.ofNanos(System.nanoTime() - start).toSeconds() > Campaign.HANG_SECONDS) {
                Campaign.found(SORT, Defect.HANG, fault);
            }
            boolean written = files(folder).values().stream()
                    .anyMatch(bytes -> new String(bytes, StandardCharsets.ISO_8859_1).contains(TOKEN));
            if (lying.leaked() || ended.err().contains(TOKEN) || written) {
                Campaign.found(SORT, Defect.LEAK, fault);
            }
        }
        if (Files.exists(temp.resolve("evil")) || Files.exists(temp.resolveSibling("evil"))) {
            Campaign.found(SORT, Defect.LEAK, fault + " -> a file outside its folder");
        }
    }

    private static Cli.Ended ending(Work work, Hub hub, String fault, List<String> said) throws IOException {
        try {
            if (!work.run(hub)) {
                Campaign.found(SORT, Defect.WRONG_BYTES, fault);
            }
            return new Cli.Ended(0, "", String.join("\n", said));
        } catch (PosbiasException refused) {
            said.add(refused.line());
            said.addAll(refused.steps());
            // What --verbose prints of its causes.
            String causes = IoErrors.causes(refused).map(String::valueOf).collect(Collectors.joining(" "));
            if (causes.contains(TOKEN)) {
                Campaign.found(SORT, Defect.LEAK, fault + " -> " + causes);
            }
            return new Cli.Ended(refused.exitCode(), "", String.join("\n", said));
        } catch (RuntimeException | Error defect) {
            Campaign.found(SORT, Defect.STACK_TRACE, fault + " -> " + defect);
            return new Cli.Ended(1, "", "said above");
        }
    }

    private static Map<String, byte[]> files(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return Map.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .collect(Collectors.toMap(file -> folder.relativize(file).toString(), HubLiesTest::read));
        }
    }

    private static byte[] read(Path file) {
        return IoErrors.call("read", file, () -> Files.readAllBytes(file));
    }
}
