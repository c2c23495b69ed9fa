package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import io.posbias.base.files.Checksums;
import io.posbias.model.encode.worker.RecordedWorker;
import io.posbias.model.inside.TinyModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisabledOnOs(OS.WINDOWS)
class TrainCommandTest {
    @TempDir
    Path temp;

    private Path rows = Path.of("");

    @BeforeEach
    void write() throws IOException {
        TinyModels.writeGraph(temp);
        rows = temp.resolve("rows.jsonl");
        Files.writeString(rows, """
            {"anchor": "a", "positive": "a b c d e f g h a b c d e f"}
            {"anchor": "c", "positive": "c d"}
            {"anchor": "e", "positive": "f e"}
            """);
    }

    private Cli.Ended train(Object... more) throws IOException {
        Object[] all = Stream.concat(
                        Stream.of("train --threads 1 --data", rows, "--out", temp.resolve("m")), Arrays.stream(more))
                .toArray();
        return new Posbias(temp, RecordedWorker.environment(temp, "train")).run(all);
    }

    @Test
    void aTrainingPrintsItsRecipeAndSaysWhatWasCut() throws IOException {
        Cli.Ended ended = train("--model", temp.resolve("tiny.yaml"), "--set batch=2 --set epochs=1");
        assertThat(ended.err())
                .contains(
                        "rows.jsonl: 3 pairs in length bins of 3, 0, 0, 0, 0, 3 documents",
                        "29 tokens",
                        "1 passages are cut",
                        "2 steps")
                .contains("step 2 of 2: loss ");
        assertThat(ended.out()).isEqualTo(temp.resolve("m/recipe.yaml") + "\n");
        assertThat(ended.code()).isZero();
        assertThat(SchemaCheck.read("training-2")
                        .validate(Files.readString(temp.resolve("m/train.json")), InputFormat.JSON))
                .isEmpty();
    }

    @Test
    void seedsAndValuesOfASettingAreModelsOfTheirOwn() throws IOException {
        // Seeds whose batches hold other pairs: those of 7 and 8 differ in their order alone, and so in no more than
        // rounding.
        Object[] line = {
            "--model",
            temp.resolve("tiny.yaml"),
            "--set batch=2 --set epochs=1 --set seed=8 --seeds 2",
            "--sweep learning-rate=1e-5,1e-3"
        };
        List<String> names = List.of("m-1e-5-8", "m-1e-5-9", "m-1e-3-8", "m-1e-3-9");
        assertThat(train(line).ok().out().lines())
                .containsExactlyElementsOf(names.stream()
                        .map(name -> temp.resolve(name).resolve("recipe.yaml").toString())
                        .toList());
        Set<String> weights = new HashSet<>();
        for (String name : names) {
            weights.add(Checksums.sha256(temp.resolve(name).resolve("model.safetensors")));
        }
        assertThat(weights).hasSize(4);
        assertThat(temp.resolve("m")).doesNotExist();
        train(
                        "--model",
                        temp.resolve("tiny.yaml"),
                        "--set batch=2 --set epochs=1 --set seed=8 --set learning-rate=1e-3")
                .ok();
        assertThat(Checksums.sha256(temp.resolve("m/model.safetensors")))
                .isEqualTo(Checksums.sha256(temp.resolve("m-1e-3-8/model.safetensors")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --sweep learning-rate=1e-5,0                        | learning-rate
            --sweep learning-rate=1e-5,1e-5                     | twice
            --sweep seed=1,2 --seeds 2                          | twice
            --sweep batch=2,4 --set batch=2                     | twice
            --sweep banana=1,2                                  | banana
            --sweep name=a/b,c                                  | name
            --set seed=1.5 --seeds 2                            | seed
            --set seed=2147483647 --seeds 2                     | --seeds 2
            """)
    void wrongSweepsEndBeforeTheFirstTraining(String options, String named) throws IOException {
        train("--model", temp.resolve("tiny.yaml"), options).fails(2, named);
        assertThat(temp.resolve("m-1e-5")).doesNotExist();
    }

    @Test
    void aFolderWithoutANameHasNoSeeds() {
        Cli.run("train --data", rows, "--model", temp.resolve("tiny.yaml"), "--out / --seeds 2")
                .fails(2, "--out /");
    }

    @Test
    void aFolderOfSomebodyElseIsRefused() throws IOException {
        Path mine = Files.createDirectories(temp.resolve("m/checkpoint"));
        Files.writeString(mine.resolve("mine.txt"), "x");
        train("--model", temp.resolve("tiny.yaml"), "--set batch=2").fails(2, "--out", "checkpoint");
        assertThat(mine.resolve("mine.txt")).hasContent("x");
    }

    @Test
    void aDamagedModelIsNotTakenForFinished() throws IOException {
        Object[] line = {"--model", temp.resolve("tiny.yaml"), "--set batch=2 --set epochs=1"};
        assertThat(train(line).code()).isZero();
        assertThat(train(line).code()).isZero();
        Path weights = temp.resolve("m/model.safetensors");
        byte[] bytes = Files.readAllBytes(weights);
        bytes[bytes.length - 1] ^= 1;
        Files.write(weights, bytes);
        Cli.Ended again = train(line);
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err()).contains("model.safetensors");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        bm25              | batch=2         | bm25 is of kind bm25: only dense encoders can be looked into
        dragon-plus       | batch=2         | dragon-plus has an encoder for queries of its own
        all-minilm-l6-v2  | batch=1         | field "batch" is 1; it is 2 or more
        all-minilm-l6-v2  | bach=2          | unknown field "bach"; did you mean batch?
        all-minilm-l6-v2  | warm-up=1       | field "warm-up" is 1; it is 0 or more, below 1
        all-minilm-l6-v2  | steps=1         | changes nothing
        all-minilm-l6-v2  | pooling=sum     | "pooling" is "sum"
        all-minilm-l6-v2  | length-edges=[9,3] | "length-edges" is [9, 3]
        all-minilm-l6-v2  | length-edges=-1 | "length-edges" is -1; it is 0 or more
        modernbert-base   | batch=2         | --model st:answerdotai/ModernBERT-base
        """)
    void whatCannotBeTrainedIsOneLineAndLeavesNothing(String recipe, String setting, String line) throws IOException {
        Cli.Ended ended = train("--model", recipe, "--set", setting);
        assertThat(ended.err()).contains(line).doesNotContain("defect").hasLineCount(1);
        assertThat(ended.code()).isNotZero();
        assertThat(temp.resolve("m")).doesNotExist();
    }

    @Test
    void theWorkersRefusalIsOneLine() throws IOException {
        Cli.Ended ended = train("--model", temp.resolve("tiny.yaml"), "--set batch=2 --set max-tokens=1000");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).contains("max-tokens is 1000: the model reads 12 tokens");
        assertThat(temp.resolve("m/model.safetensors")).doesNotExist();
    }

    @Test
    void theLossIsDrawn() throws IOException {
        Path plots = temp.resolve("plots");
        train("--model", temp.resolve("tiny.yaml"), "--set batch=2 --set epochs=1 --plot-format svg --plots", plots)
                .ok();
        assertThat(plots.resolve("loss.svg")).isNotEmptyFile();
    }

    @Test
    void aModelWithoutTransformerSaysWhatToGive() throws IOException {
        Path recipe = temp.resolve("other.yaml");
        Files.writeString(recipe, Files.readString(temp.resolve("tiny.yaml")).replaceFirst("transformer:.*", ""));
        train("--model", recipe).fails(2, "'transformer'", "st:");
    }
}
