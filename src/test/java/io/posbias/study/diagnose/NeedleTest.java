package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.cli.Cli;
import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import io.posbias.study.calibrate.PlantedBenchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NeedleTest {
    @TempDir
    Path temp;

    private static final Sentences DOCUMENT = Sentences.of("Ants. Bees. Cats. Dogs. Eels.", "en");

    @Test
    void theNeedleGoesBeforeInAndAfter() {
        assertThat(NeedleDiagnosis.texts(DOCUMENT, null, "Hay."))
                .containsEntry("insert beginning", "Hay. Ants. Bees. Cats. Dogs. Eels.")
                .containsEntry("insert middle", "Ants. Bees. Cats. Hay. Dogs. Eels.")
                .containsEntry("insert end", "Ants. Bees. Cats. Dogs. Eels. Hay.");
    }

    /** round(5/3) = 2, round(10/3) = 3; round(7/3) = 2, round(14/3) = 5. */
    @Test
    void thirdsAreCutAtRoundedThirds() {
        assertThat(rests(DOCUMENT))
                .containsExactly("Cats. Dogs. Eels.", "Ants. Bees. Dogs. Eels.", "Ants. Bees. Cats.");
        assertThat(rests(Sentences.of("A. B. C.", "en"))).containsExactly("B. C.", "A. C.", "A. B.");
        assertThat(rests(Sentences.of("Aa. Bb. Cc. Dd. Ee. Ff. Gg.", "en")))
                .containsExactly("Cc. Dd. Ee. Ff. Gg.", "Aa. Bb. Ff. Gg.", "Aa. Bb. Cc. Dd. Ee.");
    }

    private static List<String> rests(Sentences document) {
        Map<String, String> texts = NeedleDiagnosis.texts(document, null, "Hay.");
        return Stream.of("remove beginning", "remove middle", "remove end")
                .map(texts::get)
                .toList();
    }

    @Test
    void aThirdWithTheEvidenceIsNotAmongThoseThatKeepIt() {
        // "Cats" is the middle third.
        assertThat(NeedleDiagnosis.texts(DOCUMENT, new Span(12, 16), "Hay."))
                .containsEntry("remove beginning", "Cats. Dogs. Eels.")
                .containsEntry("remove beginning (evidence kept)", "Cats. Dogs. Eels.")
                .containsEntry("remove middle", "Ants. Bees. Dogs. Eels.")
                .doesNotContainKey("remove middle (evidence kept)")
                .containsEntry("remove end (evidence kept)", "Ants. Bees. Cats.")
                .hasSize(8)
                .satisfies(texts -> assertThat(NeedleDiagnosis.NAMES).containsAll(texts.keySet()));
    }

    @Test
    void withoutEvidenceNothingIsSaidOfIt() {
        assertThat(NeedleDiagnosis.texts(DOCUMENT, null, "Hay.").keySet())
                .containsExactlyInAnyOrderElementsOf(NeedleDiagnosis.NAMES.subList(0, 6));
    }

    private static List<String> lines(Cli.Ended ended, String start) {
        return ended.ok().out().lines().filter(line -> line.startsWith(start)).toList();
    }

    @Test
    void bm25DoesNotCareWhereANeedleIsPut() {
        Cli.Ended ended = Cli.run("diagnose needle --model bm25 --dataset demo --format csv");
        List<String> inserted = lines(ended, "bm25,insert ");
        assertThat(inserted).hasSize(3);
        assertThat(inserted.stream()
                        .map(line -> line.replaceFirst("insert [a-z]+", ""))
                        .distinct())
                .hasSize(1);
        // A longer document scores lower; so does one without a third of its words about the query.
        assertThat(inserted.getFirst()).containsPattern(",1200,-[0-9.]+,[-0-9.E]+,0\\.[0-9]+,,240,");
        assertThat(lines(ended, "bm25,remove ")).hasSize(6);
        assertThat(lines(ended, "bm25,remove middle,").getFirst()).contains(",1200,");
    }

    @Test
    void aPassageIsReadAndOnlyDocumentsOfThreeSentencesCount() throws IOException {
        String command = "diagnose needle --model bm25 --dataset";
        Path passage = Files.writeString(temp.resolve("passage.txt"), "The magic number is seven.\n");
        assertThat(lines(Cli.run(command + " demo --format csv --n 30 --seed 3 --needle", passage), "bm25,insert "))
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).contains(",30,"));
        Path benchmark = PlantedBenchmark.write(temp.resolve("short"), 7, 150, false);
        Cli.run(command, benchmark, "--n 7").fails(1, "planted: all 7 documents", "3 sentences");
        Cli.Ended none = Cli.run(command + " demo --needle", temp.resolve("none.txt"));
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).endsWith("none.txt: file or folder not found\n");
        Path blank = Files.writeString(temp.resolve("blank.txt"), " \n");
        Cli.run(command + " demo --needle", blank).fails(1, "blank.txt is empty");
    }
}
