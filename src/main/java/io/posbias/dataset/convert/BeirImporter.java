package io.posbias.dataset.convert;

import io.posbias.BadInputException;
import io.posbias.IoErrors;
import io.posbias.Location;
import io.posbias.Plural;
import io.posbias.Staging;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetFiles;
import io.posbias.dataset.DatasetReader;
import io.posbias.dataset.DatasetWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A benchmark that already has BEIR's layout, as a folder or as the zip file that BEIR publishes. Fields that posbias
 * does not know are left behind; queries without judgements stay.
 *
 * @param input a folder or a zip file
 * @param card name, language and the like; where it says nothing, the input's own dataset.yaml counts
 */
record BeirImporter(Path input, DatasetCard card) implements Converter {
    @Override
    public DatasetCard convert(DatasetWriter out) {
        if (Files.isDirectory(input)) {
            return copy(input, out);
        }
        Path scratch = out.folder().resolve("unpacked");
        try {
            Archives.unpack(input, scratch);
            return copy(root(input, scratch), out);
        } finally {
            Staging.delete(scratch);
        }
    }

    private DatasetCard copy(Path folder, DatasetWriter out) {
        Dataset dataset = DatasetReader.open(folder);
        dataset.passages().forEach((ordinal, passage) -> out.passage(passage));
        dataset.queries().forEach(query -> SubsetConverter.writeQuery(dataset, query, out));
        int unjudged = dataset.queries().size() - dataset.judgedQueries().size();
        if (unjudged > 0) {
            out.note(Plural.of(unjudged, "query") + " without judgement, not scored");
        }
        return card.orElse(dataset.card());
    }

    /** The folder in the archive that holds the benchmark: the top, or the only folder in it. */
    static Path root(Path input, Path scratch) {
        return IoErrors.call("unpack", input, () -> {
            try (Stream<Path> folders = Files.walk(scratch, 2)) {
                return folders.filter(Files::isDirectory)
                        .filter(DatasetFiles::isDataset)
                        .findFirst()
                        .orElseThrow(() -> new BadInputException(
                                Location.of(input),
                                "holds no BEIR benchmark",
                                "it must hold corpus.jsonl, queries.jsonl and qrels/test.tsv"));
            }
        });
    }
}
