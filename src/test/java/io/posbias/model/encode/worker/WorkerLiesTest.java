package io.posbias.model.encode.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.faults.Campaign;
import io.posbias.faults.Campaign.Defect;
import io.posbias.faults.StructuredMutator;
import io.posbias.faults.StructuredMutator.Change;
import io.posbias.faults.StructuredMutator.Oracle;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers of workers with one wrong field, number or byte: read as what they say, or refused in one line. */
@Tag("faults")
@Tag("slow")
class WorkerLiesTest {
    private static final String SORT = "lies of workers";
    private static final int LIES = Integer.getInteger("posbias.faults.workers", Campaign.FULL ? 500 : 25);
    private static final List<String> TEXTS = List.of("aaa", "bbb", "ccc", "ddd");
    private static final int PER_REQUEST = 2;

    /** Answers the n-th request with the n-th file, after the pieces of a program that may lie about it. */
    private static final String SCRIPT = """
            i=0
            while :; do
              set -- $(dd bs=1 count=8 2>/dev/null | od -An -tu1)
              [ $# -eq 8 ] || exit 0
              dd bs=1 count=$(($5 + 256 * $6 + 65536 * $7)) of=/dev/null 2>/dev/null
              i=$((i + 1))
              cat "$0/$i" 2>/dev/null || exit 3
            done
            """;

    private static final String START =
            "{\"protocol\": 1, \"name\": \"letters\", \"dimension\": 3, \"similarity\": \"SIMILARITY\", \"spans\": false, \"notes\": [\"one\"]}";

    @TempDir
    Path temp;

    private enum Asked {
        DENSE(WorkerSettings.Gives.DENSE, "dot", "{\"numbers\": 6, \"read\": [-1, 2]}", 6),
        LATE(
                WorkerSettings.Gives.LATE_INTERACTION,
                "maxsim",
                "{\"numbers\": 9, \"rows\": [1, 2], \"read\": [-1, 2]}",
                9),
        SPARSE(WorkerSettings.Gives.SPARSE, "dot", "{\"numbers\": 8, \"rows\": [2, 2], \"read\": [-1, 2]}", 8),
        SCORES(
                WorkerSettings.Gives.CROSS_ENCODER,
                "",
                "{\"numbers\": 2, \"read\": [-1, 2], \"query_cut\": [true, false]}",
                2);

        private final WorkerSettings.Gives gives;
        private final String start;
        private final String header;
        private final int numbers;

        Asked(WorkerSettings.Gives gives, String similarity, String header, int numbers) {
            this.gives = gives;
            this.start = START.replace("SIMILARITY", similarity);
            this.header = header;
            this.numbers = numbers;
        }

        private float[] answer(int request) {
            float[] answer = new float[numbers];
            for (int i = 0; i < numbers; i++) {
                answer[i] = gives != WorkerSettings.Gives.SPARSE
                        ? request + i
                        : i % 4 == 0 ? 0 : i % 4 == 2 ? 1 : request + i;
            }
            return answer;
        }
    }

    private record Lie(List<byte[]> answers, Oracle oracle, String what) {}

    private static byte[] frame(byte[] header, float[] numbers) {
        ByteBuffer frame = ByteBuffer.allocate(8 + header.length + numbers.length * Float.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        frame.put(Frame.MAGIC.getBytes(StandardCharsets.US_ASCII))
                .putInt(header.length)
                .put(header);
        for (float number : numbers) {
            frame.putFloat(number);
        }
        return frame.array();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The answers to the start and to two requests. */
    private static List<byte[]> sound(Asked asked) {
        return new ArrayList<>(List.of(
                frame(bytes(asked.start), new float[0]),
                frame(bytes(asked.header), asked.answer(1)),
                frame(bytes(asked.header), asked.answer(2))));
    }

    private static Lie lie(Asked asked, SplittableRandom random) {
        List<byte[]> answers = sound(asked);
        int at = random.nextInt(3);
        byte[] whole = answers.get(at);
        float[] numbers = at == 0 ? new float[0] : asked.answer(at);
        byte[] header = bytes(at == 0 ? asked.start : asked.header);
        if (random.nextInt(3) > 0) {
            Change change = new StructuredMutator(random.split()).change(header, "header.json");
            answers.set(at, frame(change.bytes(), numbers));
            return new Lie(answers, change.oracle(), "answer " + at + ": " + change.what());
        }
        String what = "answer " + at + ": ";
        return switch (random.nextInt(10)) {
            case 0 -> {
                answers.set(at, joined(whole, whole));
                // The last one's is never read.
                yield new Lie(answers, at == 2 ? Oracle.SAME : Oracle.WRONG, what + "twice");
            }
            case 1 -> {
                answers.set(at, Arrays.copyOf(whole, random.nextInt(whole.length)));
                yield new Lie(answers, Oracle.WRONG, what + "cut");
            }
            case 2 -> {
                answers.set(at, joined(bytes("Batches: 100%\n"), whole));
                yield new Lie(answers, Oracle.WRONG, what + "after a line");
            }
            case 3 -> {
                answers.set(at, joined(whole, bytes("done\n")));
                yield new Lie(answers, at == 2 ? Oracle.SAME : Oracle.WRONG, what + "before a line");
            }
            case 4 -> {
                answers.set(at, new byte[0]);
                yield new Lie(answers, Oracle.WRONG, what + "empty");
            }
            case 5 -> {
                answers.remove(at);
                yield new Lie(answers, Oracle.WRONG, what + "left out");
            }
            case 6 -> {
                byte[] wrong = header.clone();
                wrong[wrong.length / 2] = (byte) 0xFF;
                answers.set(at, frame(wrong, numbers));
                yield new Lie(answers, Oracle.WRONG, what + "not UTF-8");
            }
            case 7 -> {
                float[] more = Arrays.copyOf(numbers, numbers.length + 1);
                more[random.nextInt(more.length)] = random.nextBoolean() ? Float.NaN : Float.NEGATIVE_INFINITY;
                answers.set(at, frame(header, more));
                yield new Lie(answers, at == 2 ? Oracle.OTHER : Oracle.WRONG, what + "one number more");
            }
            case 8 -> {
                byte[] sized = whole.clone();
                sized[4 + random.nextInt(4)] ^= (byte) (1 << random.nextInt(8));
                answers.set(at, sized);
                yield new Lie(answers, Oracle.WRONG, what + "another size");
            }
            default -> {
                byte[] flipped = whole.clone();
                flipped[random.nextInt(4)] ^= 1;
                answers.set(at, flipped);
                yield new Lie(answers, Oracle.WRONG, what + "another word at its beginning");
            }
        };
    }

    private static byte[] joined(byte[] one, byte[] other) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(one);
        bytes.writeBytes(other);
        return bytes.toByteArray();
    }

    /** What posbias makes of the answers. */
    private List<String> read(Asked asked, List<byte[]> answers) throws IOException {
        for (int i = 0; i < 4; i++) {
            Path file = temp.resolve(String.valueOf(i + 1));
            Files.deleteIfExists(file);
            if (i < answers.size()) {
                Files.write(file, answers.get(i));
            }
        }
        WorkerSettings settings = new WorkerSettings(
                asked.gives, List.of("sh", "-c", SCRIPT, temp.toString()), PER_REQUEST, 3, 1, false, false);
        Engine engine = Engine.quiet(1, Sessions.in(temp));
        List<String> found = new ArrayList<>();
        if (asked == Asked.SCORES) {
            try (PairScorer scorer = new WorkerScorer("letters", settings, engine)) {
                scorer.prepare(TEXTS.stream()
                                .map(text -> new PairScorer.TextPair("q", text))
                                .toList())
                        .run(batch -> batch.forEach(scored -> found.add(String.valueOf(scored))));
            }
        } else {
            try (TextEncoder encoder = new WorkerEncoder("letters", settings, engine)) {
                encoder.prepare(TEXTS, Role.PASSAGE)
                        .run(batch -> batch.forEach(one ->
                                found.add(one.text() + " " + one.seen() + " " + Arrays.toString(one.vectors()))));
            }
        }
        return found;
    }

    @Test
    void noLieIsBelieved() throws IOException {
        for (Asked asked : Asked.values()) {
            List<String> right = read(asked, sound(asked));
            assertThat(right).hasSize(TEXTS.size());
            SplittableRandom random = Campaign.random(SORT + asked);
            for (int i : IntStream.range(0, LIES).toArray()) {
                meet(asked, lie(asked, random), right, i);
            }
        }
        Campaign.check(SORT);
    }

    private void meet(Asked asked, Lie lie, List<String> right, int number) throws IOException {
        String fault = asked + " " + number + ": " + lie.what;
        try {
            List<String> found = read(asked, lie.answers);
            Campaign.tried(SORT, true);
            if (lie.oracle != Oracle.OTHER && !found.equals(right)) {
                Campaign.found(SORT, Defect.WRONG_BYTES, fault + " -> " + found);
            }
        } catch (PosbiasException refused) {
            Campaign.tried(SORT, false);
            String said = String.valueOf(refused.getMessage());
            if (said.lines().count() != 1
                    || said.length() > 1_000
                    || said.chars().anyMatch(Character::isISOControl)) {
                Campaign.found(SORT, Defect.BAD_TEXT, fault + " -> " + said);
            }
            if (lie.oracle == Oracle.SAME) {
                Campaign.found(SORT, Defect.WRONG_BYTES, fault + " -> " + said);
            }
        } catch (RuntimeException thrown) {
            Campaign.tried(SORT, false);
            Campaign.found(SORT, Defect.STACK_TRACE, fault + " -> " + thrown);
        }
    }
}
