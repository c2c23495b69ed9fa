package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.model.encode.onnx.OnnxWeights;
import io.posbias.model.encode.onnx.Weight;
import io.posbias.model.inside.Family;
import io.posbias.model.inside.TinyModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A white box that is another model than its ONNX file: docs/faults.md. */
@Tag("slow")
class OtherWeightsTest {
    private static final String TABLE = "tokens.model.words.weight";

    @TempDir
    Path temp;

    private Cli.Ended run(Object... words) {
        return new Posbias(temp, Map.of()).run(words);
    }

    private Cli.Ended train() throws IOException {
        Path rows = Files.writeString(temp.resolve("rows.jsonl"), """
                {"anchor": "a", "positive": "a b c d"}
                {"anchor": "c", "positive": "c d"}
                """);
        return run(
                "train --set batch=2 --set epochs=1 --data", rows, "--model", temp.resolve("tiny.yaml"), "--out", temp.resolve("m"));
    }

    static void refused(Cli.Ended ended, String... words) {
        assertThat(ended.code()).as(ended.err()).isEqualTo(1);
        assertThat(ended.err().lines().filter(line -> line.startsWith("posbias: ")))
                .singleElement()
                .asString()
                .contains(words);
    }

    private void allRefuse(String... words) throws IOException {
        refused(train(), words);
        assertThat(temp.resolve("m/recipe.yaml")).doesNotExist();
    }

    @Test
    void oneModelPasses() throws IOException {
        TinyModels.writeTorchscript(temp, "rotary", "mean");
        train().ok();
    }

    @Test
    void anotherTorchScriptFileIsRefused() throws IOException {
        TinyModels.writeTorchscript(temp, "no-positions", "mean");
        allRefuse("model.onnx", "model.torchscript");
    }

    /** A word that none of the compared texts has: their vectors are equal. */
    @Test
    void aSingleOtherNumberIsRefused() throws IOException {
        TinyModels.writeTorchscript(temp, "rotary", "mean");
        Path file = temp.resolve("model.onnx");
        OnnxWeights graph = OnnxWeights.of("x", Files.readAllBytes(file));
        Weight words = graph.weight(TABLE);
        float[] other = words.values().clone();
        other[other.length - 1] += 1;
        Files.write(file, graph.with(Map.of(TABLE, new Weight(other, words.shape()))));
        allRefuse(TABLE, "model.onnx", "model.torchscript");
    }

    /** Equal weights, and another computation. */
    @Test
    void aForwardPassWithOtherSettingsIsRefused() throws IOException {
        TinyModels.writeGraph(temp);
        Path recipe = temp.resolve("tiny.yaml");
        Files.writeString(recipe, Files.readString(recipe).replace("heads: 4", "heads: 2"));
        refused(train(), "transformer", "model.onnx", "heads");
    }

    @Test
    void safetensorsOfAnotherModelAreRefused() throws IOException {
        TinyModels.writeGraph(temp);
        Files.write(temp.resolve("other.safetensors"), TinyModels.golden(Family.ROBERTA, ".safetensors"));
        Path recipe = temp.resolve("tiny.yaml");
        Files.writeString(recipe, Files.readString(recipe).replace("heads: 4", "heads: 4, weights: other.safetensors"));
        allRefuse("model.onnx", "weights");
    }

    /** The record of a training has the digests of all files that it read. */
    @Test
    void aTrainingOfOtherWeightsIsAnotherTraining() throws IOException {
        TinyModels.writeGraph(temp);
        Path weights = temp.resolve("model.safetensors");
        Files.write(weights, TinyModels.golden(Family.BERT, ".safetensors"));
        Path recipe = temp.resolve("tiny.yaml");
        Files.writeString(recipe, Files.readString(recipe).replace("heads: 4", "heads: 4, weights: model.safetensors"));
        train().ok();
        assertThat(train().ok().err()).contains("nothing is to be done");
        byte[] other = Files.readAllBytes(weights);
        other[other.length - 1] ^= 1;
        Files.write(weights, other);
        Cli.Ended again = train();
        assertThat(again.code()).as(again.err()).isEqualTo(2);
        assertThat(again.err()).contains("other model");
    }
}
