package io.posbias.dataset.convert;

import io.posbias.Staging;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetReader;
import io.posbias.dataset.DatasetWriter;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs a converter so that the new benchmark's folder is whole and checked, or absent. */
public final class DatasetBuilder {
    private DatasetBuilder() {}

    /**
     * Makes a benchmark, replacing an older one in the same folder.
     *
     * @param folder where it will stand
     * @param gzip whether corpus and queries are compressed
     * @param converters makes the converter; is given a folder that it may make, use and delete
     * @param notes takes what the converter has to say
     * @return the benchmark as it was read back before it got its name
     */
    public static Dataset build(
            Path folder, boolean gzip, Function<Path, Converter> converters, Consumer<String> notes) {
        try (Staging staging = Staging.beside(folder)) {
            Converter converter = converters.apply(staging.folder().resolve("unpacked"));
            try (DatasetWriter writer = new DatasetWriter(staging.folder(), gzip)) {
                writer.finish(converter.convert(writer));
            }
            Dataset dataset = DatasetReader.open(staging.folder());
            staging.commitFolder();
            converter.notes().forEach(notes);
            return dataset.movedTo(folder);
        }
    }
}
