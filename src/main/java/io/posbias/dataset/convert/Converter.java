package io.posbias.dataset.convert;

import io.posbias.PosbiasException;
import io.posbias.Staging;
import io.posbias.Suggestions;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetReader;
import io.posbias.dataset.DatasetWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Brings a benchmark as it was published into BEIR's layout. */
@FunctionalInterface
public interface Converter {
    /** What converts the files of each published format that the catalogue may name, by its name. */
    Map<String, BiFunction<List<Path>, DatasetCard, Converter>> FORMATS = new TreeMap<>(Map.of(
            "squad-posq", SquadConverter::new,
            "fineweb-posq", FineWebPosqConverter::new,
            "qed", QedConverter::new,
            "posir", (files, card) -> new PosirConverter(files.get(0), files.get(1), files.get(2), card)));

    /**
     * The converter of a format that the catalogue names.
     *
     * @throws PosbiasException if there is none, suggesting the nearest
     */
    static Converter of(String format, List<Path> files, DatasetCard card) {
        BiFunction<List<Path>, DatasetCard, Converter> make = FORMATS.get(format);
        if (make == null) {
            throw new PosbiasException(Suggestions.unknown("format", format, FORMATS.keySet()));
        }
        return make.apply(files, card);
    }

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
