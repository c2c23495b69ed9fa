package io.posbias.dataset.convert;

import io.posbias.Staging;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetReader;
import io.posbias.dataset.DatasetWriter;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Brings a benchmark as it was published into BEIR's layout. */
@FunctionalInterface
public interface Converter {
    /**
     * Reads the input and writes all passages, queries and judgements, with notes on what a careful user wants to know.
     *
     * @param out where they go; the caller finishes it with the card that this method returns
     * @return what to say of the benchmark
     */
    DatasetCard convert(DatasetWriter out);

    /**
     * Makes a benchmark whose folder is whole and checked, or absent, replacing an older one in the same folder.
     *
     * @param staging for the folder where it will be
     * @param gzip whether corpus and queries are compressed
     * @param notes takes what the converter has to say
     * @return the benchmark as it was read back before it got its name
     */
    static Dataset build(Staging staging, boolean gzip, Converter converter, Consumer<String> notes) {
        DatasetWriter made;
        try (DatasetWriter writer = new DatasetWriter(staging.folder(), gzip)) {
            made = writer;
            writer.finish(converter.convert(writer));
        }
        Dataset dataset = DatasetReader.open(staging.folder());
        staging.commitFolder();
        made.notes().forEach(notes);
        return dataset.movedTo(staging.target());
    }

    /** The same for a folder that nobody else has staged for yet. */
    static Dataset build(Path folder, boolean gzip, Converter converter, Consumer<String> notes) {
        try (Staging staging = Staging.beside(folder)) {
            return build(staging, gzip, converter, notes);
        }
    }
}
