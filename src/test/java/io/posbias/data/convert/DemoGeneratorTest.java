package io.posbias.data.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Configs;
import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoGeneratorTest {
    @TempDir
    Path temp;

    @Test
    void theDemoThatIsCheckedInIsWhatTheGeneratorWrites() throws IOException {
        Path checkedIn = Configs.path("data/demo");
        DatasetCard card = DatasetCard.read(checkedIn).withSha256(Map.of());
        Converter.build(
                temp.resolve("demo"),
                false,
                new DemoGenerator(card, DemoGenerator.SEED),
                note -> {},
                Sessions.shared());
        for (String file : List.of("corpus.jsonl", "queries.jsonl", "qrels/test.tsv", "dataset.yaml")) {
            assertThat(Files.readString(temp.resolve("demo").resolve(file)))
                    .as(file)
                    .isEqualTo(Files.readString(checkedIn.resolve(file)));
        }
    }

    @Test
    void evidenceIsSpreadEvenlyAndReadsAsOneSentence() {
        Dataset demo = DatasetReader.open(Configs.path("data/demo"));
        assertThat(demo.passages().size()).isEqualTo(240);
        assertThat(demo.queries()).hasSize(1200);
        Map<String, Passage> passages = new HashMap<>();
        demo.passages().inFileOrder((ordinal, passage) -> passages.put(passage.id(), passage));
        int[] fifths = new int[5];
        for (Query query : demo.queries()) {
            int relevant = Objects.requireNonNull(demo.qrels().of(query.id())).relevantPassages()[0];
            Passage passage =
                    Objects.requireNonNull(passages.get(demo.passages().ids().id(relevant)));
            Evidence evidence = Objects.requireNonNull(query.evidence());
            String sentence = Objects.requireNonNull(evidence.span()).of(passage.text());
            assertThat(sentence).matches("[A-Z][^.]*\\.");
            fifths[(int) (5 * evidence.relativePosition())]++;
        }
        assertThat(fifths).containsOnly(240);
    }
}
