package io.posbias.model.encode.model;

import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Pointers;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.process.PosbiasException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;

/**
 * The files of a model as published.
 *
 * @param model its repository or folder, for messages and the export command
 * @param folder the metadata on disk
 * @param paths all files of the model, relative to its root
 */
public record ModelFolder(String model, Path folder, List<String> paths) {
    private static final String ADAPTER = "adapter_config.json";
    static final String MODULES = "modules.json";
    static final String CONFIG = "config.json";
    static final String SETTINGS = "config_sentence_transformers.json";
    static final String LENGTHS = "sentence_bert_config.json";
    static final String TOKENIZER_CONFIG = "tokenizer_config.json";
    static final String ROUTER = "router_config.json";
    static final String TABLE = "model.safetensors";
    static final String ADVICE = "write a recipe (docs/own-model.md)";

    /** Limit of a file of metadata in bytes: the largest on the Hub, with thousands of added tokens, have two million. */
    public static final long MOST_METADATA = 16_000_000;

    private static final List<String> METADATA =
            List.of(MODULES, CONFIG, SETTINGS, LENGTHS, TOKENIZER_CONFIG, ROUTER, ADAPTER);

    /** Returns true for the small files that a recipe is inferred from. */
    public static boolean isMetadata(String path) {
        return METADATA.contains(path)
                || path.matches("(\\w+_)?\\d+_\\w+/(config|sentence_bert_config|tokenizer_config)\\.json");
    }

    boolean has(String path) {
        return paths.contains(path);
    }

    void require(String path) {
        if (!has(path) && has(ADAPTER)) {
            Fields adapter = json(ADAPTER);
            throw new PosbiasException(model + " is an adapter (" + adapter.text("peft_type", "LORA") + ") of "
                    + adapter.text("base_model_name_or_path", "a model that it does not name")
                    + ", without that model's weights;"
                    + " name it st:" + model
                    + ", which loads both in Python, or merge them in Python: peft.AutoPeftModel"
                    + ".from_pretrained('" + model + "').merge_and_unload().save_pretrained('merged')");
        }
        if (!has(path)) {
            throw new PosbiasException(model + " has no " + path + "; " + ADVICE);
        }
    }

    Fields json(String path) {
        return Json.readJson(metadata(path));
    }

    private Path metadata(String path) {
        require(path);
        Path file = folder.resolve(path);
        long bytes = IoErrors.call("read", file, () -> Files.size(file));
        if (bytes > MOST_METADATA) {
            throw new BadInputException(
                    Location.of(file), "has " + bytes + " bytes", "a file of settings has at most " + MOST_METADATA);
        }
        return file;
    }

    /** Reads a file of a folder on disk, of any size; empty if absent. */
    public static Fields read(Path file) {
        return Pointers.isFile(file) ? Json.readJson(file) : new Fields(Location.of(file), Map.of());
    }

    /** Reads a file; empty if absent. */
    Fields optional(String path) {
        return has(path) ? json(path) : new Fields(Location.of(folder.resolve(path)), Map.of());
    }

    /** Reads a file with a list, as the field {@code modules}. */
    Fields modules() {
        Path file = metadata(MODULES);
        try {
            List<?> list = Json.mapper().readValue(Pointers.content(file), List.class);
            if (list == null) {
                throw new BadInputException(Location.of(file), "holds null, not a list", "");
            }
            return new Fields(Location.of(file), Map.of("modules", list));
        } catch (JacksonException broken) {
            throw Json.malformed("JSON", file, broken);
        }
    }
}
