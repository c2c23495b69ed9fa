package io.posbias.faults;

import io.posbias.faults.Mutator.Coding;
import io.posbias.model.inside.Family;
import io.posbias.model.inside.TinyModels;
import java.io.IOException;
import java.util.List;

/** Files that {@code train} reads and leaves, and what pages of texts are made of. */
final class InsideKinds {
    private InsideKinds() {}

    static void addTo(FileKinds kinds) {
        kinds.kind("pairs of a training", "rows.jsonl", InsideKinds::train);
        for (String file : List.of("train.json", "model.safetensors", "optimizer.safetensors")) {
            Coding coding = file.endsWith(".json") ? Coding.TEXT : Coding.BINARY;
            kinds.kind("checkpoint's " + file, coding, !file.equals("train.json"), "out/checkpoint/" + file, folder -> {
                Object[] command = train(folder);
                // A folder where the model's weights belong stops the training at its end.
                folder.write("out/.posbias-folder", "train\n");
                folder.write("out/model.safetensors/file", "");
                kinds.posbias(folder).run(command);
                folder.delete("out/model.safetensors");
                return command;
            });
        }
        for (String file : List.of("train.json", "model.safetensors")) {
            kinds.kind("finished training's " + file, "out/" + file, folder -> {
                Object[] command = train(folder);
                kinds.sound(folder, command);
                return command;
            });
        }
        kinds.kind("weights of a transformer", "model.safetensors", folder -> {
            Object[] command = train(folder);
            TinyModels.write(folder.root(), Family.BERT, "");
            return command;
        });
        kinds.kind("queries on the page of saliency", "tiny/queries.jsonl", folder -> {
            FileKinds.letters(folder);
            return FileKinds.words(
                    "diagnose saliency --model bm25 --dataset",
                    folder.at("tiny"),
                    "--window 1 --min-words 2 --html",
                    folder.at("out/page.html"));
        });
    }

    private static Object[] train(Folder folder) throws IOException {
        TinyModels.writeGraph(folder.root());
        folder.write("rows.jsonl", """
                {"anchor": "a", "positive": "a b c d"}
                {"anchor": "c", "positive": "c d"}
                {"anchor": "e", "positive": "f e"}
                """);
        return FileKinds.words(
                "train --model",
                folder.at("tiny.yaml"),
                "--data",
                folder.at("rows.jsonl"),
                "--out",
                folder.at(FileKinds.OUT),
                "--set batch=2 --set epochs=2 --set checkpoint=1 --threads 1");
    }
}
