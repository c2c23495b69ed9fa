package io.posbias.data.convert;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.process.Version;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.PlainDocuments;
import io.posbias.data.dataset.RowFile;
import io.posbias.data.dataset.TrainingRow;
import io.posbias.data.input.TextInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A user's file or folder in place of a benchmark. What is made of it lies in posbias's home, in a folder named after its
 * content, so that it is made once.
 */
public record OwnData(Path path, Reading reading) {
    private static final String FOLDER = "own";
    /** Field of rows with the text of a document. */
    public static final String TEXT = "text";

    private static final int DIGITS = 16;
    /** Rows whose columns tell the form: the first may lack an answer. */
    private static final int FIRST = 100;

    /** Form of data, by its distance from a benchmark. */
    public enum Form {
        /** Nothing: it is in BEIR's layout. */
        BENCHMARK,
        /** A conversion: SQuAD's JSON, or rows with contexts and questions. */
        QUESTIONS,
        /** A conversion: one record with corpus, queries and judgements. */
        JUDGED,
        /** A conversion: rows of a training file. */
        TRAINING,
        /** Questions: texts alone. */
        DOCUMENTS
    }

    /**
     * Returns the form of the data.
     *
     * @throws UsageException if it has none of them
     */
    public Form form() {
        if (Files.isDirectory(path)) {
            return folder();
        }
        String name = String.valueOf(path.getFileName());
        if (SquadConverter.isSquad(path)) {
            return Form.QUESTIONS;
        }
        if (name.matches("(?is).*\\.(txt|md|html?|pdf|docx)")) {
            return Form.DOCUMENTS;
        }
        if (!name.matches(
                "(?s).*\\.(json|jsonl|jsonlines|ndjson|csv|tsv)" + RowFile.COMPRESSED + "|(?s).*\\.parquet")) {
            IoErrors.run("read", path, () -> TextInput.open(path).close());
            throw new UsageException("dataset " + Printable.cut(path.toString())
                    + " is a file of another kind: give a folder in BEIR's layout, SQuAD's .json, rows with question,"
                    + " answer and context or with text (.jsonl, .json, .csv, .tsv, .parquet), or a folder of "
                    + PlainDocuments.KINDS);
        }
        List<Fields> first = reading.rows(path, FIRST).first(FIRST);
        if (first.isEmpty()) {
            throw new UsageException("dataset " + Printable.cut(path.toString()) + " is empty");
        }
        Fields row = first.getFirst();
        if (JudgedConverter.fits(row)) {
            return Form.JUDGED;
        }
        if (QuestionRow.isIn(first)) {
            return Form.QUESTIONS;
        }
        if (TrainingRow.of(row).isPresent()) {
            return Form.TRAINING;
        }
        if (!reading.text().isEmpty() || row.has(TEXT)) {
            return Form.DOCUMENTS;
        }
        throw new UsageException("dataset " + Printable.cut(path.toString()) + " has the columns "
                + Printable.cut(String.join(", ", row.names())) + ": questions need " + QuestionRow.COLUMNS
                + "; training files " + TrainingRow.FORMATS
                + "; documents text; --question-field, --answer-field and --text-field name other columns");
    }

    private Form folder() {
        if (DatasetFiles.isBenchmark(path)) {
            return Form.BENCHMARK;
        }
        Set<String> below =
                DatasetFiles.isDataset(path) ? Set.of() : BeirInput.sets(path).keySet();
        if (Files.isRegularFile(path.resolve("state.json")) && Files.isRegularFile(path.resolve("dataset_info.json"))) {
            throw new UsageException(
                    "folder " + path + " is Arrow of datasets (save_to_disk): write Parquet from Python with"
                            + " datasets.load_from_disk('" + path + "').to_parquet('rows.parquet'), and give that");
        }
        if (below.isEmpty() && PlainDocuments.isIn(path)) {
            return Form.DOCUMENTS;
        }
        throw new UsageException("folder " + path + " is not a benchmark: it has neither dataset.yaml nor a corpus"
                + (below.isEmpty()
                        ? ", and no " + PlainDocuments.KINDS
                        : "; below it are " + String.join(", ", below) + ": give one of these folders"));
    }

    /** Returns the data of a path: of a folder of a training set, as construct writes it, the file in it. */
    public static OwnData of(Path path, Reading reading) {
        Path file = TrainingRow.file(path);
        boolean isSet = !file.equals(path) && !DatasetFiles.isBenchmark(path);
        return new OwnData(isSet && new OwnData(file, reading).form() == Form.TRAINING ? file : path, reading);
    }

    /** Returns the name of the benchmark: that of the file or folder, without its ending; of a training set its folder's. */
    public String name() {
        Path whole = path.toAbsolutePath().normalize();
        Path folder = path.endsWith(TrainingRow.FILE) ? whole.getParent() : null;
        String last = String.valueOf((folder == null ? whole : folder).getFileName());
        String stem = folder != null || Files.isDirectory(path)
                ? last
                : last.replaceFirst(RowFile.COMPRESSED + "$", "")
                        .replaceFirst(
                                "(?i)\\.(json|jsonl|jsonlines|ndjson|csv|tsv|parquet|txt|md|html?|pdf|docx)$", "");
        String name = stem.replaceAll("[^\\p{L}\\p{N}._-]+", "_").replaceFirst("^\\.+", "");
        return name.isEmpty() ? "own" : name;
    }

    /**
     * Returns the folder of the benchmark that is made from the data; it may not exist.
     *
     * @param settings that it depends on, besides the content of the files
     */
    public Path folder(Path home, String... settings) {
        List<Object> key = new ArrayList<>(List.of(Version.text(), List.of(settings)));
        if (Files.isDirectory(path)) {
            PlainDocuments.of(List.of(path), reading.textColumn(), "--dataset")
                    .files()
                    .forEach((name, file) -> key.add(List.of(name, Checksums.sha256(file))));
        } else {
            key.add(Checksums.sha256(path));
        }
        return folder(home, name(), key);
    }

    /**
     * Returns the folder for files that are made from a user's data; it may not exist.
     *
     * @param key all that the content depends on
     */
    public static Path folder(Path home, String name, List<Object> key) {
        return home.resolve(FOLDER)
                .resolve(name + "-" + Checksums.sha256(Json.toLine(key)).substring(0, DIGITS));
    }

    /**
     * Converts questions or a training file into a benchmark, unless this has been done.
     *
     * @return its folder
     */
    public Path converted(Session session) {
        Path folder = folder(session.home(), reading.key().toArray(String[]::new));
        Staging.restore(folder);
        if (Files.isRegularFile(folder.resolve(DatasetFiles.CARD))) {
            return folder;
        }
        DatasetCard card = DatasetCard.named(name())
                .with(DatasetCard.Field.LANGUAGE, reading.language())
                .with(DatasetCard.Field.SOURCE, String.valueOf(path.getFileName()))
                .bucketed();
        Converter converter = switch (form()) {
            case TRAINING -> new TrainingConverter(path, card);
            case JUDGED -> new JudgedConverter(RowFile.open(path).first(1).getFirst(), card);
            default -> new SquadConverter(List.of(path), card).read(reading).aligned();
        };
        Converter noted = out -> {
            DatasetCard made = out.detected(converter.convert(out));
            return made.with(DatasetCard.Field.NOTES, String.join("; ", out.notes()));
        };
        return session.step("convert " + path, () -> {
            // The benchmark has its notes, and says them whenever it is opened.
            Converter.once(folder, noted, note -> {}, session);
            return folder;
        });
    }

    /** Returns the command that makes questions of documents, and the folder of the benchmark that it writes. */
    public String command() {
        String out = name() + "-posq";
        return "'posbias construct own-posq --input " + FileNames.quoted(path) + " --out "
                + FileNames.quoted(Path.of(out)) + new Reading(reading.language(), reading.text(), "", "").options()
                + "' makes "
                + out + "/benchmark";
    }
}
