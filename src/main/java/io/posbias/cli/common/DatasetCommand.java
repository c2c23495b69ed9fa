package io.posbias.cli.common;

import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.named.Datasets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/** Base of commands that open a benchmark, or write one. */
public abstract class DatasetCommand extends BaseCommand {
    /** Opens a benchmark, a folder or a name, which is downloaded first if necessary. */
    protected final Dataset dataset(String nameOrFolder) {
        Path folder = new Datasets(session()).folder(nameOrFolder);
        return session().step("load " + nameOrFolder, () -> DatasetReader.open(folder));
    }

    /**
     * Refuses an output folder with foreign files, or with files of this kind unless {@code overwrite}.
     *
     * @param isPart true for files that may be replaced, by their path in the folder
     * @param what noun for these files
     * @param it its pronoun
     */
    public static void replaceable(Path folder, boolean overwrite, Predicate<Path> isPart, String what, String it) {
        isWritable("--out", folder);
        if (!Files.exists(folder)) {
            return;
        }
        DatasetFiles.first(folder, isPart.negate()).ifPresent(foreign -> {
            throw new UsageException("--out " + folder + " holds " + foreign + ", which does not belong to " + what
                    + ": give a new folder");
        });
        refuse(
                !overwrite && DatasetFiles.first(folder, isPart).isPresent(),
                "--out " + folder + " holds " + what + ": use --overwrite to replace " + it);
    }
}
