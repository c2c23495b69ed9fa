package io.posbias.data.convert;

import io.posbias.base.files.Staging;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.DatasetWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;

/** Converts a published benchmark into BEIR's layout. */
@FunctionalInterface
public interface Converter {
    /**
     * Writes all passages, queries, judgements and notes.
     *
     * @return the card, for the caller to write
     */
    DatasetCard convert(DatasetWriter out);

    /**
     * Returns the converter of a user's files: answers that do not stand where the file says are looked for by their text.
     * Published files are converted as they are.
     */
    default Converter aligned() {
        return this;
    }

    /**
     * Builds a checked benchmark, completely or not at all, replacing an earlier one in the folder.
     *
     * @param notes takes the converter's notes
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
        return dataset.moved(staging.target());
    }

    /**
     * Builds a benchmark in posbias's home, unless another process has done so before or during the wait for it.
     *
     * @throws PosbiasException if the home cannot be written
     */
    static void once(Path folder, Converter converter, Consumer<String> notes, Session session) {
        Staging.checkHome(Objects.requireNonNull(folder.getParent()));
        try (Staging staging = Staging.beside(folder, session)) {
            if (!Files.isRegularFile(folder.resolve(DatasetFiles.CARD))) {
                build(staging, false, converter, notes);
            }
        }
    }

    static Dataset build(Path folder, boolean gzip, Converter converter, Consumer<String> notes, Session session) {
        try (Staging staging = Staging.beside(folder, session)) {
            return build(staging, gzip, converter, notes);
        }
    }
}
